import Foundation

/// Keys derived by PBKDF2, so that each costs its iterations once in the life of a process and not at every read.
///
/// Bounded: the least recently used key goes first.
struct DerivedKeyCache {
    static let capacity = 32

    private var keys: [DerivedKeyName: SecretBytes] = [:]
    /// From the least to the most recently used.
    private var order: [DerivedKeyName] = []
    private var currentSalts: [DerivedKeyFamily: Data] = [:]

    var count: Int { keys.count }

    mutating func key(for name: DerivedKeyName) -> SecretBytes? {
        guard let key = keys[name] else { return nil }
        touch(name)
        return key
    }

    mutating func insert(_ key: SecretBytes, for name: DerivedKeyName) {
        keys[name] = key
        touch(name)
        if order.count > Self.capacity { keys[order.removeFirst()] = nil }
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
        keys = keys.filter { $0.key.family.keySource != source }
        order.removeAll { $0.family.keySource == source }
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
