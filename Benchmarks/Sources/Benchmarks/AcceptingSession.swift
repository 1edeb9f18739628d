import Foundation
import WatchConnectivity

/// The session of a phone whose watch has the app and is never there: it takes every context, keeps the last one, and delivers none.
///
/// Apple's session makes a property list of each context; this one does not, so that what is measured is LocalData's part.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class AcceptingSession: WCSessionBackend, @unchecked Sendable {
    private let lock = NSLock()
    private var context: [String: Any] = [:]
    private var taken = 0
    private var made: WCSession?

    /// How many contexts it has taken.
    var count: Int { lock.withLock { taken } }

    var session: WCSession {
        lock.withLock {
            let session = made ?? WCSession(backend: self)
            made = session
            return session
        }
    }

    var applicationContext: [String: Any] { lock.withLock { context } }

    func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        lock.withLock {
            context = applicationContext
            taken += 1
        }
    }

    let isSupported = true
    let activationState = WCSessionActivationState.activated
    let hasContentPending = false
    let isPaired = true
    let isWatchAppInstalled = true
    let isComplicationEnabled = false
    let remainingComplicationUserInfoTransfers = 0
    let watchDirectoryURL: URL? = nil
    let isCompanionAppInstalled = true
    let iOSDeviceNeedsUnlockAfterRebootForReachability = false
    let isReachable = false
    var receivedApplicationContext: [String: Any] { [:] }
    var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { [] }
    var outstandingFileTransfers: [WCSessionFileTransfer] { [] }

    func activate() {}
    func delegateDoesNotImplement(_ method: WCSessionDelegateMethod) {}

    func sendMessage(_ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        errorHandler?(WCError(.notReachable))
    }

    func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        errorHandler?(WCError(.notReachable))
    }

    func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }
    func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }

    func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        WCSessionFileTransfer(file: WCSessionFile(fileURL: file, metadata: metadata))
    }
}
