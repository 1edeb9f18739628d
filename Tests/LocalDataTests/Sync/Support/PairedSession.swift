import Foundation
import LocalData
import WatchConnectivity

/// A session that takes contexts and hands them to its counterpart when the test says so. Knows the rules that LocalData depends on: W45–W51, W100.
final class PairedSession: WCSessionBackend, @unchecked Sendable {
    private(set) lazy var session = WCSession(backend: self)
    var isSupported = true
    var activationState = WCSessionActivationState.activated
    var isPaired = true
    var isWatchAppInstalled = true
    var isCompanionAppInstalled = true
    /// Whether the counterpart's app is there after all where one of these is false (W25).
    var takesSendsUnnoticed = false
    var applicationContext: [String: Any] = [:]
    var receivedApplicationContext: [String: Any] = [:]
    var maximumByteCount = 262_144
    /// How many contexts were accepted and differed from the one before (W48).
    private(set) var sendCount = 0
    /// How often the session was asked, whatever came of it.
    private(set) var attemptCount = 0
    /// The context that is under way: the latest only (W42).
    private(set) var underWay: Data?

    func updateApplicationContext(_ context: [String: Any]) throws {
        attemptCount += 1
        guard activationState == .activated else { throw WCError(.sessionNotActivated) }
        if !takesSendsUnnoticed {
            guard isPaired else { throw WCError(.deviceNotPaired) }
            guard isWatchAppInstalled else { throw WCError(.watchAppNotInstalled) }
            guard isCompanionAppInstalled else { throw WCError(.companionAppNotInstalled) }
        }
        guard let data = try? PropertyListSerialization.data(fromPropertyList: context, format: .binary, options: 0) else {
            throw WCError(.payloadUnsupportedTypes)
        }
        guard data.count <= maximumByteCount else { throw WCError(.payloadTooLarge) }
        // As values: Foundation compares data byte by byte, each by a call.
        guard PropertyListValue(propertyList: context) != PropertyListValue(propertyList: applicationContext) else { return }
        applicationContext = context
        underWay = data
        sendCount += 1
    }

    /// Takes what is under way off the air.
    func takeUnderWay() -> [String: Any]? {
        defer { underWay = nil }
        return underWay.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any] }
    }

    // MARK: What no test here uses

    var hasContentPending: Bool { false }
    var isReachable: Bool { false }
    var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool { false }

    var isComplicationEnabled: Bool { false }
    var remainingComplicationUserInfoTransfers: Int { 0 }
    var watchDirectoryURL: URL? { nil }
    var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { [] }
    var outstandingFileTransfers: [WCSessionFileTransfer] { [] }

    func activate() {}

    func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }
    func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }
    func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        WCSessionFileTransfer(file: WCSessionFile(fileURL: file, metadata: metadata))
    }

    func sendMessage(_ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        errorHandler?(WCError(.notReachable))
    }

    func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        errorHandler?(WCError(.notReachable))
    }

    func delegateDoesNotImplement(_ method: WCSessionDelegateMethod) {}
}
