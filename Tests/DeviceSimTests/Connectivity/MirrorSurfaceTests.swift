import DeviceSim
import Foundation
import Synchronization
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// The public surface of Apple's framework, member by member, with the types that its Swift interface has. That this file compiles is most of the test.
///
/// The framework's methods with a reply handler have no `async` form in Swift: the importer makes one of parameters called `completionHandler`,
/// `completion` and the like, not of `replyHandler`. A delegate's `async` method of the same name is another method, on devices as here.
@Suite struct MirrorSurfaceTests {
    @Test func theSessionHasAllMembers() {
        let methods: [Any] = [
            WCSession.isSupported as () -> Bool,
            WCSession.activate as (WCSession) -> () -> Void,
            WCSession.sendMessage(_:replyHandler:errorHandler:)
                as (WCSession) -> ([String: Any], (([String: Any]) -> Void)?, ((any Error) -> Void)?) -> Void,
            WCSession.sendMessageData(_:replyHandler:errorHandler:)
                as (WCSession) -> (Data, ((Data) -> Void)?, ((any Error) -> Void)?) -> Void,
            WCSession.updateApplicationContext(_:) as (WCSession) -> ([String: Any]) throws -> Void,
            WCSession.transferUserInfo(_:) as (WCSession) -> ([String: Any]) -> WCSessionUserInfoTransfer,
            WCSession.transferCurrentComplicationUserInfo(_:) as (WCSession) -> ([String: Any]) -> WCSessionUserInfoTransfer,
            WCSession.transferFile(_:metadata:) as (WCSession) -> (URL, [String: Any]?) -> WCSessionFileTransfer,
            WCSessionUserInfoTransfer.cancel as (WCSessionUserInfoTransfer) -> () -> Void,
            WCSessionFileTransfer.cancel as (WCSessionFileTransfer) -> () -> Void,
        ]
        let properties: [AnyKeyPath] = [
            \WCSession.activationState as KeyPath<WCSession, WCSessionActivationState>,
            \WCSession.hasContentPending as KeyPath<WCSession, Bool>,
            \WCSession.isPaired as KeyPath<WCSession, Bool>,
            \WCSession.isWatchAppInstalled as KeyPath<WCSession, Bool>,
            \WCSession.isComplicationEnabled as KeyPath<WCSession, Bool>,
            \WCSession.remainingComplicationUserInfoTransfers as KeyPath<WCSession, Int>,
            \WCSession.watchDirectoryURL as KeyPath<WCSession, URL?>,
            \WCSession.isCompanionAppInstalled as KeyPath<WCSession, Bool>,
            \WCSession.iOSDeviceNeedsUnlockAfterRebootForReachability as KeyPath<WCSession, Bool>,
            \WCSession.isReachable as KeyPath<WCSession, Bool>,
            \WCSession.applicationContext as KeyPath<WCSession, [String: Any]>,
            \WCSession.receivedApplicationContext as KeyPath<WCSession, [String: Any]>,
            \WCSession.outstandingUserInfoTransfers as KeyPath<WCSession, [WCSessionUserInfoTransfer]>,
            \WCSession.outstandingFileTransfers as KeyPath<WCSession, [WCSessionFileTransfer]>,
            \WCSession.delegate as ReferenceWritableKeyPath<WCSession, (any WCSessionDelegate)?>,
            \WCSessionUserInfoTransfer.userInfo as KeyPath<WCSessionUserInfoTransfer, [String: Any]>,
            \WCSessionUserInfoTransfer.isTransferring as KeyPath<WCSessionUserInfoTransfer, Bool>,
            \WCSessionUserInfoTransfer.isCurrentComplicationInfo as KeyPath<WCSessionUserInfoTransfer, Bool>,
            \WCSessionFileTransfer.file as KeyPath<WCSessionFileTransfer, WCSessionFile>,
            \WCSessionFileTransfer.isTransferring as KeyPath<WCSessionFileTransfer, Bool>,
            \WCSessionFileTransfer.progress as KeyPath<WCSessionFileTransfer, Progress>,
            \WCSessionFile.fileURL as KeyPath<WCSessionFile, URL>,
            \WCSessionFile.metadata as KeyPath<WCSessionFile, [String: Any]?>,
        ]
        #expect(methods.count == 10 && properties.count == 23)
        #expect(Set(properties).count == properties.count)
        let classes: [AnyClass] = [WCSession.self, WCSessionFile.self, WCSessionFileTransfer.self, WCSessionUserInfoTransfer.self]
        #expect(classes.allSatisfy { $0 is NSObject.Type })
        #expect([WCSessionActivationState.notActivated, .inactive, .activated].map(\.rawValue) == [0, 1, 2])
    }

    /// As an app calls them: with what may be left out left out.
    @Test func callsMayLeaveOutWhatApplesMay() {
        let session = WCSession.default
        #expect(!WCSession.isSupported() && session === WCSession.default)
        session.sendMessage([:], replyHandler: nil)
        session.sendMessage([:]) { _ in
        } errorHandler: { _ in
        }
        session.sendMessageData(Data(), replyHandler: nil)
        session.transferUserInfo()
        session.transferCurrentComplicationUserInfo()
        session.transferFile(URL(fileURLWithPath: "/x"), metadata: nil)
        #expect(throws: WCError(.sessionNotSupported)) { try session.updateApplicationContext([:]) }
    }

    // MARK: Errors

    static let codes: [(Int, String)] = [
        (7001, "genericError"), (7002, "sessionNotSupported"), (7003, "sessionMissingDelegate"), (7004, "sessionNotActivated"),
        (7005, "deviceNotPaired"), (7006, "watchAppNotInstalled"), (7007, "notReachable"), (7008, "invalidParameter"),
        (7009, "payloadTooLarge"), (7010, "payloadUnsupportedTypes"), (7011, "messageReplyFailed"), (7012, "messageReplyTimedOut"),
        (7013, "fileAccessDenied"), (7014, "deliveryFailed"), (7015, "insufficientSpace"), (7016, "sessionInactive"),
        (7017, "transferTimedOut"), (7018, "companionAppNotInstalled"), (7019, "watchOnlyApp"),
    ]

    @Test func codesAreApples() {
        #expect(WCError.Code.allCases.map { $0.rawValue } == Self.codes.map { $0.0 })
        #expect(WCError.Code.allCases.map { $0.name } == Self.codes.map { $0.1 })
        #expect(WCErrorDomain == "WCErrorDomain" && WCError.errorDomain == WCErrorDomain)
    }

    @Test func errorsAreCaughtInAllWays() throws {
        let thrown: any Error = WCError(.payloadTooLarge, failureReason: "70000 bytes, where 65536 are allowed")
        do {
            throw thrown
        } catch WCError.notReachable {
            Issue.record("another code")
        } catch WCError.payloadTooLarge {}
        #expect((thrown as? WCError)?.code == .payloadTooLarge)
        let error = thrown as NSError
        #expect(error.domain == WCErrorDomain && error.code == WCError.Code.payloadTooLarge.rawValue)
        #expect(error.code == WCError.payloadTooLarge.rawValue)
        #expect(error.localizedDescription == "The payload is too large: 70000 bytes, where 65536 are allowed")
        #expect(thrown.localizedDescription == error.localizedDescription)
        #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == "70000 bytes, where 65536 are allowed")
        let own = WCError(.genericError, userInfo: [NSUnderlyingErrorKey: CocoaError(.fileNoSuchFile)])
        #expect(own.userInfo[NSUnderlyingErrorKey] is CocoaError && own.localizedDescription == "An error occurred")
        #expect(own == WCError(.genericError) && own.hashValue == WCError(.genericError).hashValue)
        #expect("\(own)" == "WCError(genericError, WCErrorDomain 7001: An error occurred)")
    }

    // MARK: The delegate

    /// Every optional method, as a delegate that has it declares it.
    private final class Full: NSObject, WCSessionDelegate {
        func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {}
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) {}
        func sessionWatchStateDidChange(_ session: WCSession) {}
        func sessionCompanionAppInstalledDidChange(_ session: WCSession) {}
        func sessionReachabilityDidChange(_ session: WCSession) {}
        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}
        func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {}
        func session(_ session: WCSession, didReceiveMessageData messageData: Data) {}
        func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {}
        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {}
        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {}
        func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
        func session(_ session: WCSession, didReceive file: WCSessionFile) {}
        func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {}
    }

    private final class Bare: NSObject, WCSessionDelegate {
        func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {}
        /// No method of the protocol's, whatever its author thought.
        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) async {}
    }

    @Test func whatADelegateLeavesOutIsTold() {
        let world = TestWorld.activated()
        func call(_ delegate: any WCSessionDelegate) {
            let session = world.phone.session
            let file = WCSessionFile(fileURL: URL(fileURLWithPath: "/x"), metadata: nil)
            delegate.sessionDidBecomeInactive(session)
            delegate.sessionDidDeactivate(session)
            delegate.sessionWatchStateDidChange(session)
            delegate.sessionCompanionAppInstalledDidChange(session)
            delegate.sessionReachabilityDidChange(session)
            delegate.session(session, didReceiveMessage: [:])
            delegate.session(session, didReceiveMessage: [:]) { _ in }
            delegate.session(session, didReceiveMessageData: Data())
            delegate.session(session, didReceiveMessageData: Data()) { _ in }
            delegate.session(session, didReceiveApplicationContext: [:])
            delegate.session(session, didReceiveUserInfo: [:])
            delegate.session(session, didFinish: WCSessionUserInfoTransfer(), error: nil)
            delegate.session(session, didReceive: file)
            delegate.session(session, didFinish: WCSessionFileTransfer(file: file), error: nil)
        }
        call(Full())
        #expect(world.count(.unimplemented, on: .phone) == 0)
        call(Bare())
        let told = world.recorder.trace.events.filter { $0.kind == .unimplemented }.compactMap { event -> String? in
            if case .text(let method)? = event["method"] { method } else { nil }
        }
        #expect(told == WCSessionDelegateMethod.allCases.map(\.rawValue))
    }

    // MARK: One side only

    @Test func membersOfTheOtherSideAreListedInWords() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        try simulation.run(on: simulation.watch) {
            let session = WCSession.default
            #expect(!session.isPaired && !session.isWatchAppInstalled && !session.isComplicationEnabled)
            #expect(session.remainingComplicationUserInfoTransfers == 0 && session.watchDirectoryURL == nil)
            #expect(!session.transferUserInfo(["a": 1]).isCurrentComplicationInfo)
        }
        try simulation.run(on: simulation.phone) {
            #expect(!WCSession.default.isCompanionAppInstalled)
            #expect(!WCSession.default.iOSDeviceNeedsUnlockAfterRebootForReachability)
        }
        let listed = simulation.trace.unobservedFailures.map { "\($0)".drop { $0 != " " }.dropFirst() }
        let onPhone = [
            "isPaired", "isWatchAppInstalled", "isComplicationEnabled", "remainingComplicationUserInfoTransfers", "watchDirectoryURL",
        ]
        let reason = "failed with wrongSide, and nobody was told: it is on"
        let end = "only, and the call got a value that says nothing"
        #expect(
            listed == (onPhone + ["isCurrentComplicationInfo"]).map { "watch: WCSession.\($0) \(reason) iOS \(end)" }
                + ["isCompanionAppInstalled", "iOSDeviceNeedsUnlockAfterRebootForReachability"].map {
                    "phone: WCSession.\($0) \(reason) watchOS \(end)"
                })
    }
}
