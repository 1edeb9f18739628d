/// What became of one value when all that is not sealed as declared today was sealed anew.
public struct ResealOutcome: Sendable {
    /// The key's name.
    public let key: String
    /// The ``StorageDomain/kind`` of its place. A key and the sources of its migration may share a name.
    public let domain: String
    /// What came of the attempt.
    public let result: Result

    /// What can come of sealing one value anew. In every case there is a whole value, or none as before.
    public enum Result: Sendable {
        /// It was sealed anew, because of these differences.
        case resealed([SealingDifference])
        /// It is sealed as declared.
        case current
        /// There is no value.
        case absent
        /// Not possible for now, such as on a locked device. The value is as it was; call again.
        case deferred(StorageError)
        /// The value is as it was. Whether calling again can help, ``ResealOutcome/mayBeResealedLater`` says.
        case failed(StorageError)
    }

    /// An outcome made up for a test; the sweeps make their own.
    public init(key: String, domain: String, result: Result) {
        self.key = key
        self.domain = domain
        self.result = result
    }
}

extension ResealOutcome {
    /// Whether the value is not sealed as declared and another attempt may do it, such as after an unlock or when there is room again. What
    /// cannot be opened at all is left to the app to restore or remove.
    public var mayBeResealedLater: Bool { result.isOpen }
}

extension ResealOutcome.Result {
    init(_ error: StorageError) {
        self = error.code.isTemporary ? .deferred(error) : .failed(error)
    }

    /// Whether another attempt may seal the value anew. What cannot be opened at all keeps no rotation open.
    var isOpen: Bool {
        switch self {
        case .resealed, .current, .absent: false
        case .deferred: true
        case .failed(let error):
            switch error.code {
            case .keyMissing, .decryptionFailed, .corrupt, .unsupportedFormat, .superseded, .invalidated, .invalidKey, .undeclaredPolicy:
                false
            default: true
            }
        }
    }
}
