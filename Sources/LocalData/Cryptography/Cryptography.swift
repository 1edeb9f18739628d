import Foundation

/// The primitives behind one gate: lengths are checked here, then the platform's library does the work.
enum Cryptography {
    /// RFC 5869 §2.3: at most 255 blocks of SHA-256.
    static let maximumHKDFLength = 255 * SHA256Digest.length
    /// Far beyond any stored value, and within what every library counts in a C `int` on every platform.
    static let maximumPlaintextLength = 1 << 30

    /// Seals `plaintext` into `output`, whose count must be that of the plaintext and 16 more.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure) {
        try check(parameters)
        guard plaintext.count <= maximumPlaintextLength else { throw .invalidLength("more than \(maximumPlaintextLength) bytes") }
        guard output.count == plaintext.count + AEADCipher.tagLength else { throw .invalidLength("room of \(output.count) bytes") }
        try PlatformCryptography.seal(plaintext, with: cipher, parameters: parameters, into: output)
    }

    /// Opens ciphertext and tag into `output`, whose count must be 16 less. Wipes `output` where the tag does not fit.
    static func open(
        _ sealed: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure) {
        try check(parameters)
        guard sealed.count >= AEADCipher.tagLength, sealed.count - AEADCipher.tagLength <= maximumPlaintextLength else {
            throw .invalidLength("\(sealed.count) bytes of ciphertext and tag")
        }
        guard output.count == sealed.count - AEADCipher.tagLength else { throw .invalidLength("room of \(output.count) bytes") }
        do {
            try PlatformCryptography.open(sealed, with: cipher, parameters: parameters, into: output)
        } catch {
            // Unauthenticated plaintext must not be found in memory that is given back.
            PlatformCryptography.wipe(output)
            throw error
        }
    }

    static func deriveHKDF(
        from material: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure) {
        guard (1...maximumHKDFLength).contains(output.count) else { throw .invalidLength("\(output.count) bytes of HKDF output") }
        try PlatformCryptography.deriveHKDF(from: material, salt: salt, info: info, into: output)
    }

    static func derivePBKDF2(
        from password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: UInt32, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure) {
        guard iterations > 0 else { throw .invalidLength("0 iterations") }
        guard output.count > 0 else { throw .invalidLength("0 bytes of PBKDF2 output") }
        try PlatformCryptography.derivePBKDF2(from: password, salt: salt, iterations: iterations, into: output)
    }

    /// The 32 bytes of HMAC-SHA256.
    static func authenticationCode(
        for message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer
    ) throws(CryptographyFailure) -> Data {
        var code = Data(count: SHA256Digest.length)
        let outcome = code.withUnsafeMutableBytes { output in
            Result { () throws(CryptographyFailure) in try PlatformCryptography.authenticate(message, key: key, into: output) }
        }
        try outcome.get()
        return code
    }

    private static func check(_ parameters: AEADParameters) throws(CryptographyFailure) {
        guard parameters.key.count == AEADCipher.keyLength else { throw .invalidLength("a key of \(parameters.key.count) bytes") }
        guard parameters.nonce.count == AEADCipher.nonceLength else { throw .invalidLength("a nonce of \(parameters.nonce.count) bytes") }
    }
}
