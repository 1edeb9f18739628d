import Foundation

/// How the stored bytes of a key are secured.
///
/// What sealing promises: who can read the place learns the value's length and nothing else of it; who can write there cannot make up a value, change
/// one, move one in from another key or place, or bring one in that another source of key material sealed than the key declares
/// (``StorageKey/security``, ``StorageKey/formerSecurity``).
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
        /// the values of an app share a random one, drawn at the first write or taken over from the first value read, so that a launch
        /// costs one derivation; each write has a random nonce of its own. A salt has at most 255 bytes.
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

/// Which stored forms are a key's value: those that its ``StorageKey/security`` makes, and those of its ``StorageKey/formerSecurity``.
///
/// An envelope says itself what opens it, and whoever can write at a place can put one there: sealed by the weakest source of the app, or no envelope
/// at all. So what a key does not declare is not opened, however well it would.
struct AcceptedPolicies: Sendable, Hashable {
    /// Whether values are sealed today.
    let isSealed: Bool
    /// Whether a plain value is one.
    let acceptsPlain: Bool
    private let acceptsMaster: Bool
    /// The ids of the external sources.
    private let sources: Set<String>

    init(_ security: SecurityPolicy, former: [SecurityPolicy] = []) {
        isSealed = security.isEncrypted
        let all = [security] + former
        acceptsPlain = all.contains { !$0.isEncrypted }
        acceptsMaster = all.contains(where: \.isSealedByMasterKey)
        sources = Set(all.compactMap(\.externalSource?.id))
    }

    /// Whether an envelope may be the value.
    var acceptsSealed: Bool { acceptsMaster || !sources.isEmpty }

    func accepts(_ source: EnvelopeKeySource) -> Bool {
        switch source {
        case .master: acceptsMaster
        case .external(let id): sources.contains(id)
        }
    }

    /// - Throws: `undeclaredPolicy`, with what sealed the envelope.
    func require(_ source: EnvelopeKeySource) throws(StorageError) {
        guard !accepts(source) else { return }
        let seal =
            switch source {
            case .master: "a master key of this app"
            case .external(let id): "key material source '\(id)'"
            }
        throw StorageError(.undeclaredPolicy, facts: ["sealed with \(seal)"])
    }
}

extension StorageKey {
    var acceptedPolicies: AcceptedPolicies { AcceptedPolicies(security, former: formerSecurity) }
}

extension SecurityPolicy {
    /// Whose key material seals, if not the app's own master key.
    var externalSource: KeyMaterialSource? {
        if case .encrypted(.external(let source, _)) = self { source } else { nil }
    }
}

extension StoredForm {
    /// The bytes, if they claim to be an envelope.
    var envelope: Data? {
        guard case .bytes(let bytes) = self, Envelope.isClaimed(by: bytes) else { return nil }
        return bytes
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

/// When a keychain item can be read: the seven values of `kSecAttrAccessible`.
public enum KeychainAccessibility: String, Sendable, Hashable, CaseIterable {
    /// While the device is unlocked. The system's default.
    case whenUnlocked
    /// From the first unlock after a restart.
    case afterFirstUnlock
    /// While the device is unlocked; never restored to another device.
    case whenUnlockedThisDeviceOnly
    /// From the first unlock after a restart; never restored to another device.
    case afterFirstUnlockThisDeviceOnly
    /// Always. Deprecated by Apple; the audit warns.
    case always
    /// Always, never restored to another device. Deprecated by Apple; the audit warns.
    case alwaysThisDeviceOnly
    /// While unlocked, on a device with a passcode; removing the passcode destroys the item.
    case whenPasscodeSetThisDeviceOnly
}

/// What a person must do before a keychain item is handed out: the flags of `SecAccessControlCreateFlags`.
public enum KeychainAccessControl: String, Sendable, Hashable, CaseIterable {
    /// Biometry or passcode.
    case userPresence
    /// Any enrolled biometry.
    case biometryAny
    /// The biometry enrolled when the item was stored; editing the enrolment invalidates the item.
    case biometryCurrentSet
    /// The device's passcode.
    case devicePasscode
    /// Any enrolled biometry; where that fails or there is none, the passcode.
    case biometryAnyOrDevicePasscode
    /// The biometry enrolled when the item was stored, or the passcode, which still opens the item after the enrolment was edited.
    case biometryCurrentSetOrDevicePasscode
}
