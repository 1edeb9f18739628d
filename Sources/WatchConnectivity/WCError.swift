import Foundation

/// The domain of ``WCError``.
public let WCErrorDomain = "WCErrorDomain"

/// An error of a watch connectivity session.
///
/// `userInfo` holds values that are never changed, as an `NSError`'s does.
public struct WCError: Error, CustomNSError, Hashable, @unchecked Sendable {
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        public typealias _ErrorType = WCError

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

    /// An error that explains itself. For the backends of the mirror; apps get these, they do not make them.
    public init(_ code: Code, failureReason: String) {
        self.init(
            code,
            userInfo: [NSLocalizedDescriptionKey: "\(code.meaning): \(failureReason)", NSLocalizedFailureReasonErrorKey: failureReason])
    }

    public static var errorDomain: String { WCErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription].merging(userInfo) { _, given in given } }
    public var localizedDescription: String { userInfo[NSLocalizedDescriptionKey] as? String ?? code.meaning }

    public static func == (lhs: WCError, rhs: WCError) -> Bool { lhs.code == rhs.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension WCError {
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

extension WCError: CustomStringConvertible {
    public var description: String { "WCError(\(code.name), \(Self.errorDomain) \(code.rawValue): \(localizedDescription))" }
}

/// Lets `catch WCError.notReachable` match.
public func ~= (code: WCError.Code, error: any Error) -> Bool {
    (error as? WCError)?.code == code
}

extension WCError.Code {
    /// The case's name, as reports and scenario files spell it.
    public var name: String { String(describing: self) }

    var meaning: String {
        switch self {
        case .genericError: "An error occurred"
        case .sessionNotSupported: "WatchConnectivity is not supported on this device"
        case .sessionMissingDelegate: "The session has no delegate"
        case .sessionNotActivated: "The session is not activated"
        case .deviceNotPaired: "No device is paired"
        case .watchAppNotInstalled: "The watch app is not installed"
        case .notReachable: "The counterpart is not reachable"
        case .invalidParameter: "A parameter is invalid"
        case .payloadTooLarge: "The payload is too large"
        case .payloadUnsupportedTypes: "The payload contains unsupported types"
        case .messageReplyFailed: "The reply could not be returned"
        case .messageReplyTimedOut: "The reply timed out"
        case .fileAccessDenied: "The file cannot be read"
        case .deliveryFailed: "The payload could not be delivered"
        case .insufficientSpace: "The counterpart has no space left"
        case .sessionInactive: "The session is inactive"
        case .transferTimedOut: "The transfer timed out"
        case .companionAppNotInstalled: "The companion app is not installed"
        case .watchOnlyApp: "The watch app has no companion app"
        }
    }
}
