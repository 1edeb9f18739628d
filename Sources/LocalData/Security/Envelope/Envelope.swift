import Foundation

/// A parsed envelope: its header, and where in its bytes the rest is.
struct Envelope: Sendable, Hashable {
    let header: EnvelopeHeader
    /// The bytes before the ciphertext, which are authenticated.
    let headerLength: Int
    let ciphertextLength: Int

    /// Reads the header and checks every length; the cipher has the last word on the content.
    init(parsing data: Data) throws(EnvelopeError) {
        let front = try EnvelopePrefix(parsing: data)
        header = front.header
        headerLength = front.length
        ciphertextLength = front.ciphertextLength
        let expected = headerLength + ciphertextLength + AEADCipher.tagLength
        guard data.count >= expected else { throw .truncated(expected: expected, found: data.count) }
        guard data.count == expected else { throw .trailingBytes(data.count - expected) }
    }

    /// Whether bytes claim to be an envelope of whatever version.
    static func isClaimed(by data: Data) -> Bool {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in bytes.starts(with: EnvelopeFormat.magic) }
    }
}

extension Envelope {
    /// Seals `plaintext` and returns the bytes of the envelope. Header, ciphertext and tag are written into one piece of memory, once.
    ///
    /// The header has passed ``EnvelopeHeader/check()``.
    static func seal(
        _ plaintext: Data, header: EnvelopeHeader, key: SecretBytes, identity: String
    ) throws(StorageError) -> Data {
        guard plaintext.count <= Cryptography.maximumPlaintextLength else {
            throw StorageError(
                .encodingFailed, facts: ["\(plaintext.count) bytes, more than the \(Cryptography.maximumPlaintextLength) of one envelope"])
        }
        let headerLength = header.encodedLength
        return try storageErrors {
            try data(ofCount: headerLength + plaintext.count + AEADCipher.tagLength) { output in
                header.write(ciphertextLength: plaintext.count, to: output)
                let front = UnsafeRawBufferPointer(rebasing: output[..<headerLength])
                let room = UnsafeMutableRawBufferPointer(rebasing: output[headerLength...])
                try withParameters(front: front, nonce: header.nonce, key: key, identity: identity) { parameters in
                    try plaintext.withUnsafeBytes { try Cryptography.seal($0, with: header.cipher, parameters: parameters, into: room) }
                }
            }
        }
    }

    /// Opens `data`, which this envelope was parsed from.
    /// - Throws: ``StorageError/Code/decryptionFailed`` where anything authenticated differs from what was sealed.
    func open(_ data: Data, key: SecretBytes, identity: String) throws(StorageError) -> Data {
        try Self.storageErrors {
            try data.withUnsafeBytes { bytes in
                let front = UnsafeRawBufferPointer(rebasing: bytes[..<headerLength])
                let sealed = UnsafeRawBufferPointer(rebasing: bytes[headerLength...])
                return try Self.withParameters(front: front, nonce: header.nonce, key: key, identity: identity) { parameters in
                    try Self.data(ofCount: ciphertextLength) { output in
                        try Cryptography.open(sealed, with: header.cipher, parameters: parameters, into: output)
                    }
                }
            }
        }
    }

    /// `Data` over memory that was allocated without filling it with zeros first, which for large values costs as much as a third of
    /// sealing.
    private static func data(ofCount count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Data {
        guard count > 0 else {
            try fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            return Data()
        }
        guard let memory = malloc(count) else { throw CryptographyFailure.unavailable("no memory for \(count) bytes") }
        do {
            try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        } catch {
            free(memory)
            throw error
        }
        return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }

    private static func withParameters<Result>(
        front: UnsafeRawBufferPointer, nonce: Data, key: SecretBytes, identity: String, _ body: (AEADParameters) throws -> Result
    ) throws -> Result {
        var identity = identity
        return try identity.withUTF8 { identity in
            try nonce.withUnsafeBytes { nonce in
                try key.withUnsafeBytes { key in
                    try body(AEADParameters(key: key, nonce: nonce, header: front, identity: UnsafeRawBufferPointer(identity)))
                }
            }
        }
    }

    private static func storageErrors<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
        do {
            return try body()
        } catch CryptographyFailure.notAuthentic {
            throw StorageError(.decryptionFailed)
        } catch {
            throw (error as? CryptographyFailure)?.storageError ?? StorageError(.inputOutput, facts: ["\(type(of: error))"])
        }
    }
}

extension CryptographyFailure {
    var storageError: StorageError {
        switch self {
        case .notAuthentic: StorageError(.decryptionFailed)
        case .invalidLength(let problem): StorageError(.invalidKey, facts: [problem])
        case .unavailable(let problem): StorageError(.unsupported, facts: [problem])
        }
    }
}

/// What an envelope says of itself to whoever looks at it: nothing secret.
package struct SealedForm: Sendable, Hashable, CustomStringConvertible {
    /// Such as `ChaCha20-Poly1305, HKDF-SHA256, master key 00112233445566ff`.
    package let description: String
    private let header: EnvelopeHeader

    /// `nil` for bytes that are no envelope.
    package init?(of bytes: Data) {
        guard let header = (try? Envelope(parsing: bytes))?.header else { return nil }
        self.header = header
        let cipher =
            switch header.cipher {
            case .aes256GCM: "AES-256-GCM"
            case .chacha20Poly1305: "ChaCha20-Poly1305"
            }
        let derivation =
            switch header.derivation {
            case .hkdf: "HKDF-SHA256"
            case .pbkdf2(_, let iterations): "PBKDF2-SHA256 with \(iterations) iterations"
            }
        let key =
            switch header.keySource {
            case .master(let id): "master key \(id)"
            case .external(let id): "key material of \(id)"
            }
        description = "\(cipher), \(derivation), \(key)"
    }

    /// Whether it is sealed as a policy says: with its cipher, by a key of the source that it names, derived as it says, with the salt and the info that it gives.
    /// Told from the declaration alone, for checks of what seals.
    package func isSealed(by policy: SecurityPolicy.EncryptionPolicy) -> Bool {
        switch (policy, header.cipher, header.keySource) {
        case (.aes256(let declared), .aes256GCM, .master), (.chacha20Poly1305(let declared), .chacha20Poly1305, .master):
            return isDerived(by: declared)
        case (.external(let source, let declared), .chacha20Poly1305, .external(let id)): return id == source.id && isDerived(by: declared)
        default: return false
        }
    }

    private func isDerived(by declared: SecurityPolicy.KeyDerivation) -> Bool {
        switch (declared, header.derivation) {
        case (.hkdf(let salt, let info), .hkdf(let found, let foundInfo)): found == salt ?? found && foundInfo == info ?? Data()
        case (.pbkdf2(let iterations, let salt), .pbkdf2(let found, let count)):
            found == salt ?? found && Int(count) == iterations ?? SecurityPolicy.KeyDerivation.defaultPBKDF2Iterations
        case (.hkdf, .pbkdf2), (.pbkdf2, .hkdf): false
        }
    }
}

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
