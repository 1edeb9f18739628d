import Foundation

/// How the stored bytes of a key are secured.
///
/// What sealing promises: who can read the place learns the value's length and nothing else of it; who can write there cannot make up a value, change
/// one, move one in from another key or place, or bring one in that another source of key material sealed than the key declares
/// (``StorageKey/security``, ``StorageKey/formerSecurity``). Not as long as a former policy, or the source of the key's migration, takes plain values: who can write
/// there gives the key a value.
/// What it does not promise: that a value is the latest. Who kept an earlier envelope of the same record, such as in a backup, can put it back, and it
/// opens. Nothing on the device outside of such a person's reach counts versions. Where that matters, put a number into the value and compare
/// it with what a server knows.
public enum SecurityPolicy: Sendable, Hashable {
    /// Stored as serialized.
    case none
    /// Secured by the keychain item's own protection. For keys of ``StorageDomain/keychain(service:)``.
    case keychain(accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?)
    /// Sealed in an authenticated envelope before it is stored, in any domain.
    case encrypted(EncryptionPolicy)

    /// ChaCha20-Poly1305 with a key derived by HKDF-SHA256 from the master key.
    public static let recommended: SecurityPolicy = .encrypted(.recommended)

    /// The cipher and where its key comes from.
    public enum EncryptionPolicy: Sendable, Hashable {
        /// AES-256-GCM under a key derived from the master key.
        case aes256(keyDerivation: KeyDerivation)
        /// ChaCha20-Poly1305 (RFC 8439) under a key derived from the master key.
        case chacha20Poly1305(keyDerivation: KeyDerivation)
        /// ChaCha20-Poly1305 under a key derived from what the provider registered for `source` supplies.
        case external(source: KeyMaterialSource, keyDerivation: KeyDerivation)

        /// ChaCha20-Poly1305 with a key derived by HKDF-SHA256, with a fresh salt for each write.
        public static let recommended: EncryptionPolicy = .chacha20Poly1305(keyDerivation: .hkdf())
    }

    /// How the key of one envelope is derived from the key material.
    ///
    /// Salt and info are stored in the envelope, so changing them here leaves earlier values readable. They are not secret.
    public enum KeyDerivation: Sendable, Hashable {
        /// PBKDF2-HMAC-SHA256 (RFC 8018), for key material that a person has chosen.
        ///
        /// `nil` iterations mean ``defaultPBKDF2Iterations``; 1,000 to 10,000,000 are accepted, here and in envelopes. With a `nil` salt
        /// the values of an app share a random one, drawn at the first write or taken over from the first value read, so that one
        /// derivation, which is kept for five minutes, opens all of them; each write has a random nonce of its own. A salt has at most 255 bytes.
        case pbkdf2(iterations: Int? = nil, salt: Data? = nil)
        /// HKDF-SHA256 (RFC 5869), for key material that is random already.
        ///
        /// With a `nil` salt each write draws a fresh one, and so has a key of its own. A salt has at most 255 bytes, an info at most
        /// 1,024.
        case hkdf(salt: Data? = nil, info: Data? = nil)

        /// 600,000: the number that OWASP's Password Storage Cheat Sheet gives for PBKDF2-HMAC-SHA256 (2023).
        public static let defaultPBKDF2Iterations = 600_000
    }
}

/// Names a provider of external key material. The identifier is stored in every envelope that needs it.
public struct KeyMaterialSource: Sendable, Hashable {
    /// Such as `remote.1`. A contract with stored values: new material needs a new identifier. Not secret.
    public let id: String

    /// A source of that identifier. Register its provider at launch, before its values are used.
    public init(id: String) {
        self.id = id
    }
}

/// Supplies key material that LocalData does not keep itself, such as a key held by a server.
///
/// Register one with ``EncryptionHelper/registerKeyMaterialProvider(_:for:)``.
public protocol KeyMaterialProviding: Sendable {
    /// The key material to use for `keyName`: at least 16 bytes, the same on every call.
    func keyMaterial(for keyName: String) async throws -> Data
}

extension SecurityPolicy {
    /// Whether reading may show a prompt, which nothing in the background may cause.
    var asksPerson: Bool {
        if case .keychain(_, let control) = self { control != nil } else { false }
    }
}
