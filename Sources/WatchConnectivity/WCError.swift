import Foundation

/// The domain of ``WCError``.
public let WCErrorDomain = "WCErrorDomain"

/// An error of a watch connectivity session.
///
/// `userInfo` holds values that are never changed, as an `NSError`'s does.
public struct WCError: Error, CustomNSError, Hashable, @unchecked Sendable {
    /// Why a call of the session failed, with Apple's names and numbers.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        public typealias _ErrorType = WCError

        /// No other code says it.
        case genericError = 7001
        /// The device has no session.
        case sessionNotSupported = 7002
        /// The session has no delegate.
        case sessionMissingDelegate = 7003
        /// The session is not activated, or the counterpart's is not.
        case sessionNotActivated = 7004
        /// The phone is paired with no watch.
        case deviceNotPaired = 7005
        /// The app is not installed on the watch.
        case watchAppNotInstalled = 7006
        /// The counterpart cannot get a message now.
        case notReachable = 7007
        /// An argument is not what the method takes.
        case invalidParameter = 7008
        /// The payload is larger than the channel takes (W100).
        case payloadTooLarge = 7009
        /// The payload has something that is no property list value.
        case payloadUnsupportedTypes = 7010
        /// The reply could not be given to the sender.
        case messageReplyFailed = 7011
        /// No reply came in time (W67).
        case messageReplyTimedOut = 7012
        /// The file to transfer cannot be read.
        case fileAccessDenied = 7013
        /// It could not be delivered, such as to a delegate without the method for it (W64).
        case deliveryFailed = 7014
        /// The receiver has no room for it.
        case insufficientSpace = 7015
        /// The session is inactive: the phone hands over to another watch.
        case sessionInactive = 7016
        /// It was not given to the counterpart in time (W140).
        case transferTimedOut = 7017
        /// The app is not installed on the phone.
        case companionAppNotInstalled = 7018
        /// The app has no part on the phone.
        case watchOnlyApp = 7019
    }

    /// Why the call failed.
    public let code: Code
    /// What else is known, such as the error below this one.
    public let userInfo: [String: Any]

    /// An error of that code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// An error that explains itself. For the backends of the mirror; apps get these, they do not make them.
    public init(_ code: Code, failureReason: String) {
        // Where nothing else is known than the code, its meaning says it.
        let description = failureReason == code.name ? code.meaning : "\(code.meaning): \(failureReason)"
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description, NSLocalizedFailureReasonErrorKey: failureReason])
    }

    /// `WCErrorDomain`: what these errors have as `NSError`.
    public static var errorDomain: String { WCErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription].merging(userInfo) { _, given in given } }
    public var localizedDescription: String { userInfo[NSLocalizedDescriptionKey] as? String ?? code.meaning }

    public static func == (lhs: WCError, rhs: WCError) -> Bool { lhs.code == rhs.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension WCError {
    /// ``Code/genericError``, for patterns such as `catch WCError.genericError`.
    public static var genericError: Code { .genericError }
    /// ``Code/sessionNotSupported``, for patterns.
    public static var sessionNotSupported: Code { .sessionNotSupported }
    /// ``Code/sessionMissingDelegate``, for patterns.
    public static var sessionMissingDelegate: Code { .sessionMissingDelegate }
    /// ``Code/sessionNotActivated``, for patterns.
    public static var sessionNotActivated: Code { .sessionNotActivated }
    /// ``Code/deviceNotPaired``, for patterns.
    public static var deviceNotPaired: Code { .deviceNotPaired }
    /// ``Code/watchAppNotInstalled``, for patterns.
    public static var watchAppNotInstalled: Code { .watchAppNotInstalled }
    /// ``Code/notReachable``, for patterns.
    public static var notReachable: Code { .notReachable }
    /// ``Code/invalidParameter``, for patterns.
    public static var invalidParameter: Code { .invalidParameter }
    /// ``Code/payloadTooLarge``, for patterns.
    public static var payloadTooLarge: Code { .payloadTooLarge }
    /// ``Code/payloadUnsupportedTypes``, for patterns.
    public static var payloadUnsupportedTypes: Code { .payloadUnsupportedTypes }
    /// ``Code/messageReplyFailed``, for patterns.
    public static var messageReplyFailed: Code { .messageReplyFailed }
    /// ``Code/messageReplyTimedOut``, for patterns.
    public static var messageReplyTimedOut: Code { .messageReplyTimedOut }
    /// ``Code/fileAccessDenied``, for patterns.
    public static var fileAccessDenied: Code { .fileAccessDenied }
    /// ``Code/deliveryFailed``, for patterns.
    public static var deliveryFailed: Code { .deliveryFailed }
    /// ``Code/insufficientSpace``, for patterns.
    public static var insufficientSpace: Code { .insufficientSpace }
    /// ``Code/sessionInactive``, for patterns.
    public static var sessionInactive: Code { .sessionInactive }
    /// ``Code/transferTimedOut``, for patterns.
    public static var transferTimedOut: Code { .transferTimedOut }
    /// ``Code/companionAppNotInstalled``, for patterns.
    public static var companionAppNotInstalled: Code { .companionAppNotInstalled }
    /// ``Code/watchOnlyApp``, for patterns.
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
