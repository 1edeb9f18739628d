import Dispatch
import Foundation

#if canImport(WatchConnectivity)
    import WatchConnectivity
#endif
#if os(watchOS)
    import WatchKit
#endif

/// Sends typed messages between an iPhone app and its watch app.
///
/// All callbacks come on the main queue.
public final class SessionLink: NSObject {
    public static let shared = SessionLink()
    /// Posted on the main queue when a property changed.
    public static let didChange = Notification.Name("SessionLink.didChange")

    public typealias Failure = (Error) -> Void

    public private(set) var isReachable = false
    public private(set) var isActivated = false
    public private(set) var isCounterpartInstalled = false
    /// How many urgent complication transfers are left today. On the phone.
    public private(set) var complicationBudget = 0
    /// Told of a received file that is no message. It stays where it is.
    public var onReceiveFile: ((_ file: URL, _ metadata: [String: Any]) -> Void)?
    /// Told when a transfer in the background has ended.
    public var onFinish: ((_ kind: LinkTransfer.Kind, _ name: String, _ error: Error?) -> Void)?

    let session: WCSession?
    var handlers: [String: (Data) -> Data?] = [:]
    let queue = DispatchQueue(label: "SessionLink.outbox")
    var outbox: [[String: Any]] = []
    var retry: Timer?
    #if os(watchOS)
        private var tasks: [WKWatchConnectivityRefreshBackgroundTask] = []
    #endif

    private override init() {
        session = WCSession.isSupported() ? WCSession.default : nil
        super.init()
        session?.delegate = self
        session?.activate()
    }

    // MARK: Receiving

    public func onReceive<Message: LinkMessage>(_ type: Message.Type, perform handler: @escaping (Message) -> Void) {
        handlers[Message.name] = { data in
            guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return nil }
            handler(message)
            return nil
        }
    }

    public func answer<Message: LinkMessage, Reply: Codable>(_ type: Message.Type, with handler: @escaping (Message) -> Reply) {
        handlers[Message.name] = { data in
            guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return nil }
            return try? JSONEncoder().encode(handler(message))
        }
    }

    func receive(_ envelope: Envelope?, reply: ((Data?) -> Void)? = nil) {
        DispatchQueue.main.async {
            guard let envelope = envelope else {
                reply?(nil)
                return
            }
            UserDefaults.standard.set(Date(), forKey: "SessionLink.lastReceived")
            let answer = self.handlers[envelope.name]?(envelope.body)
            reply?(answer)
        }
        completeTasks()
    }

    // MARK: State

    func update(_ session: WCSession) {
        DispatchQueue.main.async {
            self.isActivated = session.activationState == .activated
            self.isReachable = session.isReachable
            #if os(iOS)
                self.isCounterpartInstalled = session.isPaired && session.isWatchAppInstalled
                self.complicationBudget = session.isComplicationEnabled ? session.remainingComplicationUserInfoTransfers : 0
            #else
                self.isCounterpartInstalled = session.isCompanionAppInstalled
            #endif
            NotificationCenter.default.post(name: Self.didChange, object: self)
        }
        completeTasks()
    }

    // MARK: Background

    #if os(watchOS)
        /// To be called by the app's delegate. The task is held until everything that came has been handed over.
        public func handle(_ task: WKWatchConnectivityRefreshBackgroundTask) {
            tasks.append(task)
            completeTasks()
        }
    #endif

    func completeTasks() {
        #if os(watchOS)
            DispatchQueue.main.async {
                guard let session = self.session, session.activationState == .activated, !session.hasContentPending else { return }
                let tasks = self.tasks
                self.tasks = []
                for task in tasks {
                    task.setTaskCompletedWithSnapshot(false)
                }
            }
        #endif
    }
}
