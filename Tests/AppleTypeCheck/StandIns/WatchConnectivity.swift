// Apple's WatchConnectivity, as its public documentation declares it for Swift. The classes are not `Sendable`, and the blocks are not
// `@Sendable`. Optional requirements of the Objective-C protocol have implementations here, since Linux has no `@objc`. As every framework of
// Apple's that builds on Foundation, it brings Foundation's names along.

@_exported import Foundation

public let WCErrorDomain = "WCErrorDomain"

public enum WCSessionActivationState: Int, Sendable {
    case notActivated = 0
    case inactive = 1
    case activated = 2
}

public struct WCError: Error, Hashable, CustomNSError, @unchecked Sendable {
    public enum Code: Int, Sendable, Hashable {
        case genericError = 7001
        case sessionNotSupported = 7002
        case sessionMissingDelegate = 7003
        case sessionNotActivated = 7004
        case deviceNotPaired = 7005
        case watchAppNotInstalled = 7006
        case notReachable = 7007
        case invalidParameter = 7008
        case payloadTooLarge = 7009
        case payloadUnsupportedTypes = 7010
        case messageReplyFailed = 7011
        case messageReplyTimedOut = 7012
        case fileAccessDenied = 7013
        case deliveryFailed = 7014
        case insufficientSpace = 7015
        case sessionInactive = 7016
        case transferTimedOut = 7017
        case companionAppNotInstalled = 7018
        case watchOnlyApp = 7019
    }

    public let code: Code
    public let userInfo: [String: Any]

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    public static var errorDomain: String { WCErrorDomain }
    public static func == (lhs: WCError, rhs: WCError) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    public static var genericError: Code { .genericError }
    public static var sessionNotSupported: Code { .sessionNotSupported }
    public static var sessionMissingDelegate: Code { .sessionMissingDelegate }
    public static var sessionNotActivated: Code { .sessionNotActivated }
    public static var deviceNotPaired: Code { .deviceNotPaired }
    public static var watchAppNotInstalled: Code { .watchAppNotInstalled }
    public static var notReachable: Code { .notReachable }
    public static var invalidParameter: Code { .invalidParameter }
    public static var payloadTooLarge: Code { .payloadTooLarge }
    public static var payloadUnsupportedTypes: Code { .payloadUnsupportedTypes }
    public static var messageReplyFailed: Code { .messageReplyFailed }
    public static var messageReplyTimedOut: Code { .messageReplyTimedOut }
    public static var fileAccessDenied: Code { .fileAccessDenied }
    public static var deliveryFailed: Code { .deliveryFailed }
    public static var insufficientSpace: Code { .insufficientSpace }
    public static var sessionInactive: Code { .sessionInactive }
    public static var transferTimedOut: Code { .transferTimedOut }
    public static var companionAppNotInstalled: Code { .companionAppNotInstalled }
    public static var watchOnlyApp: Code { .watchOnlyApp }
}

public func ~= (code: WCError.Code, error: any Error) -> Bool { (error as? WCError)?.code == code }

open class WCSession: NSObject {
    open class func isSupported() -> Bool { false }
    open class var `default`: WCSession { WCSession() }

    open weak var delegate: (any WCSessionDelegate)?
    open func activate() {}
    open var activationState: WCSessionActivationState { .notActivated }
    open var hasContentPending: Bool { false }

    @available(watchOS, unavailable)
    open var isPaired: Bool { false }
    @available(watchOS, unavailable)
    open var isWatchAppInstalled: Bool { false }
    @available(watchOS, unavailable)
    open var isComplicationEnabled: Bool { false }
    @available(watchOS, unavailable)
    open var remainingComplicationUserInfoTransfers: Int { 0 }
    @available(watchOS, unavailable)
    open var watchDirectoryURL: URL? { nil }

    @available(iOS, unavailable)
    open var isCompanionAppInstalled: Bool { false }
    @available(iOS, unavailable)
    open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool { false }

    open var isReachable: Bool { false }
    open func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {}
    open func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil) {}

    open var applicationContext: [String: Any] { [:] }
    open var receivedApplicationContext: [String: Any] { [:] }
    open func updateApplicationContext(_ applicationContext: [String: Any]) throws {}

    @discardableResult
    open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }
    @available(watchOS, unavailable)
    @discardableResult
    open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        WCSessionUserInfoTransfer()
    }
    open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { [] }
    @discardableResult
    open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer { WCSessionFileTransfer() }
    open var outstandingFileTransfers: [WCSessionFileTransfer] { [] }
}

open class WCSessionFile: NSObject {
    open var fileURL: URL { URL(fileURLWithPath: "/") }
    open var metadata: [String: Any]? { nil }
}

open class WCSessionFileTransfer: NSObject {
    open var file: WCSessionFile { WCSessionFile() }
    open var isTransferring: Bool { false }
    @available(iOS 12.0, watchOS 5.0, *)
    open var progress: Progress { Progress(totalUnitCount: 0) }
    open func cancel() {}
}

open class WCSessionUserInfoTransfer: NSObject {
    open var userInfo: [String: Any] { [:] }
    open var isTransferring: Bool { false }
    @available(watchOS, unavailable)
    open var isCurrentComplicationInfo: Bool { false }
    open func cancel() {}
}

public protocol WCSessionDelegate: NSObjectProtocol {
    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession)
        func sessionDidDeactivate(_ session: WCSession)
    #endif

    // Optional from here on.
    #if os(iOS)
        func sessionWatchStateDidChange(_ session: WCSession)
    #else
        func sessionCompanionAppInstalledDidChange(_ session: WCSession)
    #endif
    func sessionReachabilityDidChange(_ session: WCSession)
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void)
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
    func session(_ session: WCSession, didReceive file: WCSessionFile)
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
}

extension WCSessionDelegate {
    #if os(iOS)
        public func sessionWatchStateDidChange(_ session: WCSession) {}
    #else
        public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {}
    #endif
    public func sessionReachabilityDidChange(_ session: WCSession) {}
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {}
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {}
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {}
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {}
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {}
    public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {}
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {}
}
