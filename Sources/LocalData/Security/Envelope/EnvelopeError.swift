/// Why bytes are not an envelope, or a header cannot be one.
enum EnvelopeError: Error, Sendable, Hashable {
    case notAnEnvelope
    case truncated(expected: Int, found: Int)
    case trailingBytes(Int)
    /// A version, cipher, derivation or key source that this version does not know.
    case unknown(field: String, value: UInt8)
    /// A field whose content the format does not allow.
    case invalid(String)
}

extension EnvelopeError {
    /// As the error of a read.
    var storageError: StorageError {
        switch self {
        case .notAnEnvelope: StorageError(.corrupt, facts: ["the stored bytes are not an envelope"])
        case .truncated(let expected, let found):
            StorageError(.corrupt, facts: ["the envelope has \(found) bytes of at least \(expected)"])
        case .trailingBytes(let count): StorageError(.corrupt, facts: ["\(count) bytes follow the envelope"])
        // Sealed by a later version of LocalData: what follows means something that only that one knows.
        case .unknown("version", let value) where value > EnvelopeFormat.newestVersion:
            StorageError(.superseded, facts: ["envelope version \(value), this app knows \(EnvelopeFormat.newestVersion)"])
        case .unknown(let field, let value): StorageError(.unsupportedFormat, facts: ["envelope \(field) \(value)"])
        case .invalid(let problem): StorageError(.corrupt, facts: [problem])
        }
    }
}
