import Foundation

/// Keys derived by PBKDF2, so that each costs its iterations once in a while and not at every read.
///
/// Bounded in number: the least recently used key goes first. Bounded in time: a key is used for ``lifetime`` from its derivation on, and released at
/// the first use of the cache after that; the app can have all of them released at once (``EncryptionHelper/forgetDerivedKeys()``).
struct DerivedKeyCache {
    static let capacity = 32
    /// In seconds. The clock is the device's: where it was put back, all keys go.
    static let lifetime: TimeInterval = 300

    private var keys: [DerivedKeyName: SecretBytes] = [:]
    private var derived: [DerivedKeyName: Date] = [:]
    /// From the least to the most recently used.
    private var order: [DerivedKeyName] = []
    private var currentSalts: [DerivedKeyFamily: Data] = [:]

    /// How often keys were to be forgotten. A key whose derivation began before the last time is not kept.
    private(set) var generation = 0

    var count: Int { keys.count }
    /// What the keys were derived from, in no order.
    var sources: [EnvelopeKeySource] { keys.keys.map(\.family.keySource) }

    mutating func key(for name: DerivedKeyName, at now: Date = .distantPast) -> SecretBytes? {
        release(at: now)
        guard let key = keys[name] else { return nil }
        touch(name)
        return key
    }

    /// - Parameter generation: The ``generation`` when the derivation began; `nil` for now.
    mutating func insert(_ key: SecretBytes, for name: DerivedKeyName, at now: Date = .distantPast, derivedIn generation: Int? = nil) {
        release(at: now)
        guard generation ?? self.generation == self.generation else { return }
        keys[name] = key
        derived[name] = now
        touch(name)
        if order.count > Self.capacity { remove(order[0]) }
    }

    /// Forgets all keys. The salts stay: they are no secret, and lie in every envelope.
    mutating func removeAllKeys() {
        generation += 1
        keys = [:]
        derived = [:]
        order = []
    }

    private mutating func release(at now: Date) {
        for (name, date) in derived where now < date || now > date + Self.lifetime { remove(name) }
    }

    private mutating func remove(_ name: DerivedKeyName) {
        keys[name] = nil
        derived[name] = nil
        order.removeAll { $0 == name }
    }

    /// The salt that writes of a family use when their policy gives none: that of the family's first write in this process, or of the first
    /// envelope that opened, so that an app's values come to share one salt, and one derivation a launch.
    func currentSalt(of family: DerivedKeyFamily) -> Data? {
        currentSalts[family]
    }

    mutating func setCurrentSaltIfNone(_ salt: Data, of family: DerivedKeyFamily) {
        guard currentSalts[family] == nil else { return }
        // Bounded like the keys; which families are forgotten does not matter, since any salt will do.
        if currentSalts.count >= Self.capacity { currentSalts.removeAll() }
        currentSalts[family] = salt
    }

    /// Forgets what was derived from a key that is gone.
    mutating func removeAll(of source: EnvelopeKeySource) {
        generation += 1
        for name in order where name.family.keySource == source { remove(name) }
        currentSalts = currentSalts.filter { $0.key.keySource != source }
    }

    private mutating func touch(_ name: DerivedKeyName) {
        order.removeAll { $0 == name }
        order.append(name)
    }
}

/// What a derived key depends on apart from the salt.
struct DerivedKeyFamily: Sendable, Hashable {
    var keySource: EnvelopeKeySource
    /// The name that an external provider was asked for.
    var keyName: String?
    /// A keyed digest of the material, so that changed material is never served an old key.
    var fingerprint: Data
    var cipher: AEADCipher
    var iterations: UInt32
}

/// What a derived key depends on.
struct DerivedKeyName: Sendable, Hashable {
    var family: DerivedKeyFamily
    var salt: Data
}

extension EnvelopeDerivation {
    /// The key of an envelope. With PBKDF2 this is hundreds of milliseconds of work: call it off every actor.
    ///
    /// The cipher takes part, so that key material and salt given by a caller never make one key for two ciphers: in the info of HKDF
    /// (RFC 5869 §3.2) and in front of the salt of PBKDF2 (RFC 8018 §4.1), as a label and a zero byte.
    func key(from material: SecretBytes, for cipher: AEADCipher) throws(CryptographyFailure) -> SecretBytes {
        let context = cipher.derivationLabel + [0]
        return try SecretBytes(count: AEADCipher.keyLength) { (output) throws(CryptographyFailure) in
            let outcome = material.withUnsafeBytes { material in
                switch self {
                case .hkdf(let salt, let info):
                    salt.withUnsafeBytes { salt in
                        (context + info).withUnsafeBytes { info in
                            Result { () throws(CryptographyFailure) in
                                try Cryptography.deriveHKDF(from: material, salt: salt, info: info, into: output)
                            }
                        }
                    }
                case .pbkdf2(let salt, let iterations):
                    (context + salt).withUnsafeBytes { salt in
                        Result { () throws(CryptographyFailure) in
                            try Cryptography.derivePBKDF2(from: material, salt: salt, iterations: iterations, into: output)
                        }
                    }
                }
            }
            try outcome.get()
        }
    }
}

extension AEADCipher {
    fileprivate var derivationLabel: [UInt8] {
        switch self {
        case .aes256GCM: Self.aesLabel
        case .chacha20Poly1305: Self.chachaLabel
        }
    }

    // Stored formats depend on these bytes.
    private static let aesLabel = Array("com.localdata.envelope.1.aes-256-gcm".utf8)
    private static let chachaLabel = Array("com.localdata.envelope.1.chacha20-poly1305".utf8)
}
