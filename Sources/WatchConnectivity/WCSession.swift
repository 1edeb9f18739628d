// Apple's header imports Foundation's, so code that imports this module alone has `NSObject`, `Data` and `URL`.
@_exported import Foundation

/// The session between an iPhone app and its watch app: Apple's public interface, on hosts without Apple's framework.
///
/// It has no behaviour of its own. What it does is asked of the ``WCSessionBackend`` of the device whose code is running.
open class WCSession: NSObject {
    /// What answers for this session; `nil` on a host where nothing is simulated, and once the simulated process is gone.
    /// Not part of Apple's interface.
    public private(set) weak var backend: (any WCSessionBackend)?

    /// Who observes the session's properties.
    let observers = SessionObservers()

    /// Receives the session's callbacks, on a background queue. Held weakly (W8).
    open weak var delegate: (any WCSessionDelegate)?

    /// Makes a session that `backend` answers for. The backend holds the session, not the other way round. Not part of Apple's interface; apps use ``default``.
    public init(backend: (any WCSessionBackend)?) {
        self.backend = backend
    }

    /// Whether this device can have a session. False where no backend is bound.
    open class func isSupported() -> Bool {
        WCSessionBackends.answering?.isSupported ?? false
    }

    /// The session of the app whose code is running.
    open class var `default`: WCSession {
        WCSessionBackends.answering?.session ?? WCSessionBackends.unsupportedSession
    }

    /// Activates the session; the result comes through ``WCSessionDelegate/session(_:activationDidCompleteWith:error:)`` (W2).
    open func activate() { backend?.activate() }
    /// Whether the session can be used. Before activation the other properties say nothing (W6).
    open var activationState: WCSessionActivationState { backend?.activationState ?? .notActivated }
    /// Whether content of an earlier time is still to be given to the delegate (W10).
    open var hasContentPending: Bool { backend?.hasContentPending ?? false }

    // On iOS

    /// On the phone: whether a watch is paired.
    open var isPaired: Bool { backend?.isPaired ?? false }
    /// On the phone: whether the app is installed on the active watch.
    open var isWatchAppInstalled: Bool { backend?.isWatchAppInstalled ?? false }

    /// Whether the app's complication is on the active watch face (W95).
    open var isComplicationEnabled: Bool { backend?.isComplicationEnabled ?? false }
    /// How many urgent complication transfers are left today (W95).
    open var remainingComplicationUserInfoTransfers: Int { backend?.remainingComplicationUserInfoTransfers ?? 0 }
    /// A directory for what concerns the paired and active watch only (W15); `nil` without one.
    open var watchDirectoryURL: URL? { backend?.watchDirectoryURL }

    // On watchOS

    /// On the watch: whether the app is installed on the phone.
    open var isCompanionAppInstalled: Bool { backend?.isCompanionAppInstalled ?? false }
    /// On the watch: whether the phone must be unlocked once before it can be reached.
    open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        backend?.iOSDeviceNeedsUnlockAfterRebootForReachability ?? false
    }

    // Messages

    /// Whether the counterpart can get a message now.
    open var isReachable: Bool { backend?.isReachable ?? false }

    /// Sends a message to a reachable counterpart. Returns at once; exactly one of the handlers is called (W65).
    open func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        guard let backend else {
            errorHandler?(WCError(.sessionNotSupported))
            return
        }
        backend.sendMessage(message, replyHandler: replyHandler, errorHandler: errorHandler)
    }

    /// Sends bytes to a reachable counterpart. Returns at once; exactly one of the handlers is called (W65).
    open func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil) {
        guard let backend else {
            errorHandler?(WCError(.sessionNotSupported))
            return
        }
        backend.sendMessageData(data, replyHandler: replyHandler, errorHandler: errorHandler)
    }

    // Application context

    /// The context last sent (W45).
    open var applicationContext: [String: Any] { backend?.applicationContext ?? [:] }
    /// The context last received (W45).
    open var receivedApplicationContext: [String: Any] { backend?.receivedApplicationContext ?? [:] }

    /// Replaces the context that the counterpart is to have (W40). Throws ``WCError`` (W51).
    open func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        guard let backend else { throw WCError(.sessionNotSupported) }
        try backend.updateApplicationContext(applicationContext)
    }

    // Transfers in the background

    /// Queues a dictionary for the counterpart (W80). Its failure is told to the delegate (W85).
    @discardableResult
    open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        backend?.transferUserInfo(userInfo) ?? WCSessionUserInfoTransfer()
    }

    /// Sends what the complication shows, urgently as long as the day's budget lasts (W95, W96). Only iOS has it.
    @discardableResult
    open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        backend?.transferCurrentComplicationUserInfo(userInfo) ?? WCSessionUserInfoTransfer()
    }

    /// The user infos that are neither cancelled, nor failed, nor received (W84), in the order in which they were queued.
    open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { backend?.outstandingUserInfoTransfers ?? [] }

    /// Queues a file for the counterpart. Its failure is told to the delegate (W91).
    @discardableResult
    open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        backend?.transferFile(file, metadata: metadata) ?? WCSessionFileTransfer(file: WCSessionFile(fileURL: file, metadata: metadata))
    }

    /// The files that are neither cancelled, nor failed, nor received (W84), in the order in which they were queued.
    open var outstandingFileTransfers: [WCSessionFileTransfer] { backend?.outstandingFileTransfers ?? [] }
}
