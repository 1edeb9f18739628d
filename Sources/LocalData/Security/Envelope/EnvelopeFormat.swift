/// The layout of versions 1 and 2, in this order, integers big-endian:
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | magic `89 4C 44 45` |
/// | 1 | version: see ``Version`` |
/// | 1 | cipher: 1 AES-256-GCM, 2 ChaCha20-Poly1305 |
/// | 1 | derivation: 1 HKDF-SHA256, 2 PBKDF2-HMAC-SHA256 |
/// | 1 | key source: 1 master key ring, 2 external provider |
/// | 4 | iterations of PBKDF2; 0 for HKDF |
/// | 1 | length of the key id, 1…255 |
/// | 1 | length of the salt, 0…255 |
/// | 2 | length of the info, 0…1024; 0 for PBKDF2 |
/// | 4 | length of the ciphertext |
/// | … | key id (UTF-8), salt, info, nonce (12), ciphertext, tag (16) |
///
/// Everything before the ciphertext, followed by the UTF-8 bytes of the record's identity, is the associated data of the cipher.
/// Nothing follows the tag.
enum EnvelopeFormat {
    /// The first byte is no character and no beginning of a JSON text or property list, so that plain values are told from envelopes.
    static let magic: [UInt8] = [0x89, 0x4C, 0x44, 0x45]
    static let fixedLength = 20
    /// No header is longer: what a scan has to read of a file to tell what sealed it.
    static let maximumHeaderLength =
        fixedLength + maximumKeyIDLength + maximumSaltLength + maximumInfoLength + AEADCipher.nonceLength

    static let maximumKeyIDLength = 255
    static let maximumSaltLength = 255
    static let maximumInfoLength = 1_024

    /// Counts that are believed when an envelope is opened, and accepted when one is sealed.
    ///
    /// Below the floor (RFC 8018 §4.2's minimum) a forged envelope could make a weak derivation look intended. Above the ceiling, which is
    /// 16 times the default and a few seconds on a phone, it could keep the app busy for minutes.
    static let iterations: ClosedRange<UInt32> = 1_000...10_000_000

    /// The versions differ in the record's identity alone (see ``RecordIdentity``).
    enum Version: UInt8 {
        /// Of a custom directory the identity says only that it is one.
        case original = 1
        /// The identity names the custom directory. Written for values in custom directories only, so that all others stay readable to
        /// earlier versions of an app.
        case located = 2
    }

    static let newestVersion = Version.located.rawValue

    enum Derivation: UInt8 {
        case hkdf = 1
        case pbkdf2 = 2
    }

    enum KeySource: UInt8 {
        case master = 1
        case external = 2
    }
}
