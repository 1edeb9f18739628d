// Apple's LocalAuthentication, as its public documentation declares it. watchOS has an `LAContext` without biometry.

import Foundation

public enum LAPolicy: Int, Sendable {
    @available(watchOS, unavailable)
    case deviceOwnerAuthenticationWithBiometrics = 1
    case deviceOwnerAuthentication = 2
}

public struct LAError: Error {
    public enum Code: Int, Sendable {
        case authenticationFailed = -1
        case userCancel = -2
        case userFallback = -3
        case systemCancel = -4
        case passcodeNotSet = -5
        case biometryNotAvailable = -6
        case biometryNotEnrolled = -7
        case biometryLockout = -8
        case appCancel = -9
        case invalidContext = -10
        case notInteractive = -1004
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
}

public enum LABiometryType: Int, Sendable {
    case none = 0
    case touchID = 1
    case faceID = 2
    @available(iOS 17.0, macOS 14.0, *)
    case opticID = 4
}

@available(iOS 18.0, macOS 15.0, watchOS 11.0, *)
open class LADomainStateBiometry: NSObject {
    open var biometryType: LABiometryType { .none }
    open var stateHash: Data? { nil }
}

@available(iOS 18.0, macOS 15.0, watchOS 11.0, *)
open class LADomainState: NSObject {
    @available(watchOS, unavailable)
    open var biometry: LADomainStateBiometry { LADomainStateBiometry() }
    open var stateHash: Data? { nil }
}

open class LAContext: NSObject {
    public override init() {}

    // An `NSErrorPointer` on Apple's systems.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool { false }
    open var interactionNotAllowed: Bool = false
    open var localizedReason: String = ""
    @available(watchOS, unavailable)
    open var biometryType: LABiometryType { .none }
    open func invalidate() {}

    @available(iOS, introduced: 9.0, deprecated: 18.0, message: "Use domainState")
    @available(macOS, introduced: 10.11, deprecated: 15.0, message: "Use domainState")
    @available(watchOS, introduced: 9.0, deprecated: 11.0, message: "Use domainState")
    open var evaluatedPolicyDomainState: Data? { nil }

    @available(iOS 18.0, macOS 15.0, watchOS 11.0, *)
    open var domainState: LADomainState { LADomainState() }
}
