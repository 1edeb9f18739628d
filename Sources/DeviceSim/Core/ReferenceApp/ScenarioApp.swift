import Foundation
import LocalData
import WatchConnectivity

/// The reference app as a scenario configures it: it stands between the session and the reference app, and leaves out what the
/// scenario says this app leaves out.
public final class ScenarioApp: NSObject, SimulatedApp, WCSessionDelegate, @unchecked Sendable {
    /// The app that does the work, as apps are told to be written.
    public let reference: ReferenceApp
    private let behaviour: AppBehaviour
    /// Runs something in the app after a while: what `DispatchQueue.asyncAfter` is to an app.
    private let later: (VirtualDuration, @escaping () -> Void) -> Void
    /// Ends the app's process, as a crash does.
    private let crash: () -> Void

    /// - Parameters:
    ///   - behaviour: How the app behaves.
    ///   - later: Runs something after a span of virtual time.
    ///   - crash: Ends the process that runs.
    ///   - report: Told of every failure that no caller is told of.
    public init(
        behaviour: AppBehaviour, later: @escaping (VirtualDuration, @escaping () -> Void) -> Void,
        crash: @escaping () -> Void = {}, report: @escaping @Sendable (String, any Error) -> Void
    ) {
        self.behaviour = behaviour
        self.later = later
        self.crash = crash
        reference = ReferenceApp(catalogs: behaviour.catalogs, activatesSession: false, report: report)
    }

    public func didFinishLaunching(inBackground: Bool) async {
        for source in behaviour.keyMaterialSources.subtracting(behaviour.withheldSources).sorted() {
            let source = KeyMaterialSource(id: source)
            await EncryptionHelper.shared.registerKeyMaterialProvider(SimulatedKeyMaterial(source: source), for: source)
        }
        await reference.start()
        if behaviour.activatesAtLaunch { activateSession() }
    }

    public func didEnterForeground() async { await reference.didEnterForeground() }

    public func protectedDataDidBecomeAvailable() async { await reference.protectedDataDidBecomeAvailable() }

    public func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        switch behaviour.refreshTasks {
        case .whenDone: await reference.handleBackgroundTask(task)
        case .atOnce: task.setTaskCompletedWithSnapshot(false)
        case .never: break
        }
    }

    /// Activates the session as the scenario says: with a delegate or without.
    public func activateSession() {
        guard WCSession.isSupported() else { return }
        if behaviour.setsDelegate { WCSession.default.delegate = self }
        WCSession.default.activate()
    }

    /// Lets go of the delegate, as an app does that kept it in a local variable only (W8).
    public func releaseDelegate() {
        WCSession.default.delegate = nil
    }

    // MARK: WCSessionDelegate

    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        reference.session(session, activationDidCompleteWith: activationState, error: error)
    }

    public func sessionDidBecomeInactive(_ session: WCSession) {
        implement(.didBecomeInactive, session) { reference.sessionDidBecomeInactive(session) }
    }

    public func sessionDidDeactivate(_ session: WCSession) {
        implement(.didDeactivate, session) { reference.sessionDidDeactivate(session) }
    }

    public func sessionWatchStateDidChange(_ session: WCSession) {
        implement(.watchStateDidChange, session) { reference.sessionWatchStateDidChange(session) }
    }

    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        implement(.companionAppInstalledDidChange, session) { reference.sessionCompanionAppInstalledDidChange(session) }
    }

    public func sessionReachabilityDidChange(_ session: WCSession) {
        implement(.reachabilityDidChange, session) { reference.sessionReachabilityDidChange(session) }
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        implement(.didReceiveMessage, session) {
            crashIfMeantTo()
            reference.session(session, didReceiveMessage: message)
        }
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        implement(.didReceiveMessageWithReply, session) {
            crashIfMeantTo()
            switch behaviour.reply {
            case .reference: reference.session(session, didReceiveMessage: message, replyHandler: replyHandler)
            case .fixed(let reply): later(reply.delay) { replyHandler(reply.value.payload) }
            case .never: break
            }
        }
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        implement(.didReceiveMessageData, session) { crashIfMeantTo() }
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        implement(.didReceiveMessageDataWithReply, session) {
            crashIfMeantTo()
            switch behaviour.reply {
            case .reference: replyHandler(messageData)
            case .fixed(let reply):
                guard case .data(let data) = reply.value else { return }
                later(reply.delay) { replyHandler(data) }
            case .never: break
            }
        }
    }

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        implement(.didReceiveApplicationContext, session) {
            crashIfMeantTo()
            reference.session(session, didReceiveApplicationContext: applicationContext)
        }
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        implement(.didReceiveUserInfo, session) {
            behaviour.receivedUserInfos.append(ScenarioValue(received: userInfo))
            crashIfMeantTo()
            reference.session(session, didReceiveUserInfo: userInfo)
        }
    }

    public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        implement(.didFinishUserInfoTransfer, session) {
            behaviour.transferFinished(.userInfo, number: (userInfoTransfer as? SimulatedUserInfoTransfer)?.number, error)
            reference.session(session, didFinish: userInfoTransfer, error: error)
        }
    }

    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        implement(.didReceiveFile, session) {
            crashIfMeantTo()
            handle(file)
            reference.work.check()
        }
    }

    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        implement(.didFinishFileTransfer, session) {
            behaviour.transferFinished(.file, number: (fileTransfer as? SimulatedFileTransfer)?.number, error)
            reference.session(session, didFinish: fileTransfer, error: error)
        }
    }

    private func crashIfMeantTo() {
        guard behaviour.crashesWhileReceiving else { return }
        behaviour.crashesWhileReceiving = false
        behaviour.onCrashWhileReceiving?()
        crash()
    }

    /// An app's own code would use `FileManager` here.
    private func handle(_ file: WCSessionFile) {
        let files = StorageRouter.shared.environment.fileSystem
        let path = file.fileURL.path
        let report = reference.report
        switch behaviour.files {
        case .ignored: break
        case .kept(let directory):
            do {
                let target = try Self.container(of: files) + "/" + directory
                try files.createDirectory(at: target)
                try files.rename(path, to: target + "/" + file.fileURL.lastPathComponent)
                try files.synchronizeDirectory(at: target)
            } catch {
                report("keep a received file", error)
            }
        case .readLater:
            Task {
                do {
                    _ = try files.contents(of: path)
                } catch {
                    report("read a received file", error)
                }
            }
        }
    }

    /// The app's container: what paths of scenario files are relative to.
    package static func container(of files: any FileSystem) throws -> String {
        let documents = try files.path(of: .documents)
        return documents.hasSuffix("/Documents") ? String(documents.dropLast("/Documents".count)) : documents
    }

    /// Runs `body`, or says that this app has no such method.
    private func implement(_ method: WCSessionDelegateMethod, _ session: WCSession, _ body: () -> Void) {
        if behaviour.unimplemented.contains(method) {
            session.backend?.delegateDoesNotImplement(method)
        } else {
            body()
        }
    }
}

/// How a device's app behaves in a scenario, over all of its processes: what a developer's code would say.
///
/// Confined to the simulation's thread.
public final class AppBehaviour: @unchecked Sendable {
    /// What the app registers at launch.
    public var catalogs: [any StorageKeyCatalog] = []
    /// Whether the app activates its session when it is launched.
    public var activatesAtLaunch = true
    /// Whether the app keeps its session's delegate alive (W8) and sets one (W4).
    public var setsDelegate = true
    /// The optional delegate methods that the app leaves out.
    public var unimplemented: Set<WCSessionDelegateMethod> = []
    /// The external key material that the app registers providers of at launch, but for the withheld: see `SimulatedKeyMaterial`.
    public var keyMaterialSources: Set<String> = []
    /// The sources of ``keyMaterialSources`` whose provider is not registered, as if nobody were signed in.
    public var withheldSources: Set<String> = []
    /// What the app does with a message that wants a reply.
    public var reply = Reply.reference

    /// What the app does with a file that it receives.
    public var files = ReceivedFiles.kept(in: "Documents/Received")
    /// What the app does with a refresh task (W110).
    public var refreshTasks = RefreshTasks.whenDone
    /// Whether the app crashes in the next callback that gives it something from the counterpart (W87).
    public var crashesWhileReceiving = false
    /// Called when it does.
    package var onCrashWhileReceiving: (() -> Void)?
    /// The user infos that the app was given, in that order.
    public internal(set) var receivedUserInfos: [ScenarioValue] = []

    /// Of the transfers that a scenario asked the app for.
    package var transferLogs: [TransferLog] = []

    /// What becomes of a received file.
    public enum ReceivedFiles: Sendable, Hashable {
        /// Moves it into a directory of the container, before the callback returns.
        case kept(in: String)
        /// Looks at it after the callback has returned, which is too late (P21).
        case readLater
        /// The app does nothing with it: the system deletes it after the callback.
        case ignored
    }

    /// When the app completes a refresh task.
    public enum RefreshTasks: String, Sendable, Hashable, CaseIterable {
        /// When all content has come; before it has looked; or not at all.
        case whenDone, atOnce, never
    }

    /// What the app answers a message with.
    public enum Reply: Sendable {
        /// Answers LocalData's sync requests, and everything else with an empty dictionary.
        case reference
        /// Answers this, whatever was asked.
        case fixed(AppReply)
        /// Lets go of the reply handler without calling it.
        case never
    }

    /// A reference app that does everything right.
    public init() {}
}

/// A fixed answer to messages.
public struct AppReply: Sendable {
    /// An object for messages, data for message data.
    public let value: ScenarioValue
    /// How long after the message's delivery the app answers.
    public let delay: VirtualDuration

    /// An answer that is given after a delay.
    public init(value: ScenarioValue, delay: VirtualDuration) {
        self.value = value
        self.delay = delay
    }
}

/// Key material that a server would hold: always the same for one source and name, another for others. Nothing about it is secret.
struct SimulatedKeyMaterial: KeyMaterialProviding {
    let source: KeyMaterialSource

    func keyMaterial(for keyName: String) async throws -> Data {
        Data("\(source.id)\u{0}\(keyName)\u{0}a simulated server's key material".utf8)
    }
}
