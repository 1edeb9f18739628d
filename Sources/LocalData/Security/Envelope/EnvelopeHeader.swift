import Foundation

/// What an envelope says about how it was sealed. All of it is authenticated together with the ciphertext.
struct EnvelopeHeader: Sendable, Hashable {
    var cipher: AEADCipher
    var derivation: EnvelopeDerivation
    var keySource: EnvelopeKeySource
    /// ``AEADCipher/nonceLength`` random bytes.
    var nonce: Data
    var version = EnvelopeFormat.Version.original
}

/// How the key of the envelope follows from the key material.
enum EnvelopeDerivation: Sendable, Hashable {
    case hkdf(salt: Data, info: Data)
    case pbkdf2(salt: Data, iterations: UInt32)
}

/// Where the key material of the envelope comes from.
enum EnvelopeKeySource: Sendable, Hashable {
    /// The key of that id in the ``MasterKeyRing``.
    case master(id: String)
    /// The provider registered for the ``KeyMaterialSource`` of that id.
    case external(id: String)

    var id: String {
        switch self {
        case .master(let id), .external(let id): id
        }
    }
}

extension EnvelopeHeader {
    /// The count of ``write(ciphertextLength:to:)``'s bytes.
    var encodedLength: Int {
        let parameters =
            switch derivation {
            case .hkdf(let salt, let info): salt.count + info.count
            case .pbkdf2(let salt, _): salt.count
            }
        return EnvelopeFormat.fixedLength + keySource.id.utf8.count + parameters + nonce.count
    }

    /// Writes the header to the front of `output`, which has room for ``encodedLength`` bytes. The header has passed ``check()``.
    func write(ciphertextLength: Int, to output: UnsafeMutableRawBufferPointer) {
        let derivationNumber: EnvelopeFormat.Derivation
        let iterations: UInt32
        let salt: Data
        let info: Data
        switch derivation {
        case .hkdf(let hkdfSalt, let hkdfInfo): (derivationNumber, iterations, salt, info) = (.hkdf, 0, hkdfSalt, hkdfInfo)
        case .pbkdf2(let pbkdf2Salt, let count): (derivationNumber, iterations, salt, info) = (.pbkdf2, count, pbkdf2Salt, Data())
        }
        let source: EnvelopeFormat.KeySource =
            switch keySource {
            case .master: .master
            case .external: .external
            }

        var offset = 0
        func put(_ bytes: some Collection<UInt8>) {
            UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + bytes.count]).copyBytes(from: bytes)
            offset += bytes.count
        }
        func put(_ integer: some FixedWidthInteger) {
            output.storeBytes(of: integer.bigEndian, toByteOffset: offset, as: type(of: integer))
            offset += integer.bitWidth / 8
        }
        put(EnvelopeFormat.magic)
        put(version.rawValue)
        put(cipher.rawValue)
        put(derivationNumber.rawValue)
        put(source.rawValue)
        put(iterations)
        put(UInt8(truncatingIfNeeded: keySource.id.utf8.count))
        put(UInt8(truncatingIfNeeded: salt.count))
        put(UInt16(truncatingIfNeeded: info.count))
        put(UInt32(truncatingIfNeeded: ciphertextLength))
        put(keySource.id.utf8)
        put(salt)
        put(info)
        put(nonce)
    }
}

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
package enum EnvelopeFormat {
    /// The first byte is no character and no beginning of a JSON text or property list, so that plain values are told from envelopes.
    package static let magic: [UInt8] = [0x89, 0x4C, 0x44, 0x45]
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
