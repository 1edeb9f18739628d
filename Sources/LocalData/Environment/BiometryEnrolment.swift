import Foundation

/// What is enrolled for Face ID or Touch ID, as far as an app may know.
public enum BiometryEnrolment: Sendable, Hashable {
    /// The device does not say: it has no biometry, it is locked out for now, or the system has no such interface.
    case unknown
    /// The device has biometry, and no face or finger is enrolled.
    case none
    /// Bytes that are others whenever a face or finger was added or removed (`LAContext.evaluatedPolicyDomainState`).
    case enrolled(state: Data)
}
