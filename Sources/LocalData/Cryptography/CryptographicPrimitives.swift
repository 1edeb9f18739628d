import Foundation

/// What a platform's cryptographic library has to supply: over plain memory, so that values are sealed straight into the envelope's bytes.
///
/// Callers have checked every length (see ``Cryptography``); implementations add no rule of their own.
protocol CryptographicPrimitives {
    /// Seals `plaintext` into `output`, which has room for it and the tag. Both pieces of associated data are authenticated, in order.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure)

    /// Opens a ciphertext with its tag into `output`, which has room for the plaintext. On failure `output` holds nothing of use.
    static func open(
        _ sealed: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure)

    /// Fills `output` by HKDF-SHA256, extract and expand (RFC 5869).
    static func deriveHKDF(
        from material: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure)

    /// Fills `output` by PBKDF2-HMAC-SHA256 (RFC 8018 §5.2).
    static func derivePBKDF2(
        from password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: UInt32, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure)

    /// Writes the 32 bytes of HMAC-SHA256 (RFC 2104).
    static func authenticate(
        _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyFailure)

    /// Writes the 32 bytes of SHA-256 (FIPS 180-4).
    static func digest(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CryptographyFailure)

    /// Overwrites memory in a way the compiler does not optimize away.
    static func wipe(_ memory: UnsafeMutableRawBufferPointer)
}

/// An authenticated cipher, by the number that envelopes store.
enum AEADCipher: UInt8, Sendable, Hashable, CaseIterable {
    case aes256GCM = 1
    case chacha20Poly1305 = 2

    /// Both ciphers have the same lengths.
    static let keyLength = 32
    static let nonceLength = 12
    static let tagLength = 16
}

/// Key, nonce and associated data of one sealing. The memory belongs to the caller.
struct AEADParameters {
    var key: UnsafeRawBufferPointer
    var nonce: UnsafeRawBufferPointer
    var header: UnsafeRawBufferPointer
    var identity: UnsafeRawBufferPointer
}

enum CryptographyFailure: Error, Sendable, Hashable {
    /// The tag does not fit: other key, other nonce, other associated data, or changed bytes.
    case notAuthentic
    /// A length that the algorithm does not allow, or that LocalData does not use.
    case invalidLength(String)
    /// The platform's library does not have the algorithm, or failed.
    case unavailable(String)
}
