import Foundation

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
