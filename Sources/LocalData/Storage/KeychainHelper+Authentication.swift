import Foundation

/// What there is to say where a person could not be authenticated.
extension KeychainHelper {
    /// What may keep a person from authenticating at all, as far as the device tells, and the way out. What is there is not replaced without them: it can be read
    /// again once a passcode is set, or a face or a finger enrolled.
    /// - Parameters:
    ///   - query: Of the item that is there; `nil` where one was to be added.
    ///   - stores: Whether the call was to store something.
    nonisolated func wayOut(of query: KeychainQuery?, stores: Bool) -> [String] {
        guard var query else {
            guard stores else { return [] }
            return ["nothing was stored: such an item needs a passcode on the device, and an enrolled face or finger where it asks for one"]
        }
        query.returnsData = false
        query.allowsInteraction = false
        let control = KeychainItemMetadata(stored: found(query).item?.generic ?? Data()).accessControl
        let isForBiometry = control == .biometryAny || control == .biometryCurrentSet
        let fact =
            if isForBiometry, case .none = environment.device.biometryEnrolment {
                "the item asks for a face or a finger, and none is enrolled"
            } else {
                "nobody can authenticate where the device has no passcode any more, or none of the faces and fingers, that the item asks for"
            }
        return stores ? [fact, "to store another value all the same, remove this one first"] : [fact]
    }
}
