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
