/// What is enrolled for Face ID or Touch ID.
public enum Biometry: Sendable, Hashable {
    /// No face or finger is enrolled.
    case none
    /// Faces or fingers, known by the identity of their set: every edit of the enrolment makes another set.
    case enrolled(set: Int)

    /// What a person does in the settings of Face ID or Touch ID.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        /// The first one is enrolled.
        case enrolled
        /// Another face or finger: the set's identity changes.
        case changed
        /// All are removed.
        case removed
    }

    /// The identity of the enrolled set.
    public var set: Int? {
        switch self {
        case .none: nil
        case .enrolled(let set): set
        }
    }
}

extension DeviceState {
    /// Enrols biometry, or edits what is enrolled: from now on the set is another one than ever before on this device.
    public mutating func editBiometry() {
        biometryEdits += 1
        biometry = .enrolled(set: biometryEdits)
    }

    /// Removes all faces and fingers. Items bound to the set are invalid for good.
    public mutating func removeBiometry() {
        biometry = .none
    }
}
