import Foundation

/// Seals and opens values under the policies of their keys.
///
/// An envelope can be opened by its key alone: everything else that is needed stands in it, authenticated. The work on the bytes runs off
/// the actor, so that values do not wait for each other; the actor keeps the registered providers and the keys derived by PBKDF2.
public actor EncryptionHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: EncryptionHelper { StorageRouter.shared.encryption }

    let environment: StorageEnvironment
    /// The process's own master keys.
    let ring: MasterKeyRing
    nonisolated let retiredKeys = RetiredKeys()

    private var providers: [KeyMaterialSource: any KeyMaterialProviding] = [:]
    var cache = DerivedKeyCache()
    /// Who waits for a key that somebody else is deriving already.
    var waiting: [DerivedKeyName: [CheckedContinuation<Result<SecretBytes, CryptographyFailure>, Never>]] = [:]
    /// Keys the fingerprints of the cache. Drawn at the first use of PBKDF2, never stored.
    var fingerprintKey: SecretBytes?

    init(environment: StorageEnvironment) {
        self.environment = environment
        ring = MasterKeyRing(environment: environment)
    }

    /// Registers where the key material of `source` comes from. Call it at launch; a later registration replaces an earlier one.
    public func registerKeyMaterialProvider(_ provider: any KeyMaterialProviding, for source: KeyMaterialSource) {
        providers[source] = provider
    }

    /// Releases the keys that were derived by PBKDF2, and overwrites their memory. The next use of each derives it again. One whose derivation is under
    /// way serves those who wait for it, and is not kept.
    ///
    /// Such keys are otherwise kept for up to five minutes after their derivation, and released when one is used after that. Call it where what a person
    /// typed should not outlive their presence: when the app enters the background, or in `applicationProtectedDataWillBecomeUnavailable(_:)`.
    /// Master keys and the material of providers are never kept.
    public func forgetDerivedKeys() { cache.removeAllKeys() }

    /// Seals `data` in an envelope that opens only as the record `identity`.
    ///
    /// Each call draws a fresh nonce. With HKDF it also draws a fresh salt, unless the policy gives one, so each envelope has a key of its
    /// own. With PBKDF2 and no salt given, the writes of a process share one random salt, and so one costly derivation.
    /// The first call that needs a master key mints it, if the keychain says that there is none.
    /// - Parameters:
    ///   - data: What to seal, at most 1 GiB.
    ///   - policy: The cipher, and where its key comes from.
    ///   - identity: Names the record. Not secret, not stored; opening needs the same text.
    ///   - keyName: What an external provider is asked for; the identity, if `nil`. Give the same to
    ///     ``decrypt(_:policy:formerPolicies:identity:keyName:)``.
    /// - Throws: ``StorageError``: `locked`, `lockedBeforeFirstUnlock`, `providerMissing`, `keyMissing` (unusable material of a provider),
    ///   `invalidKey` (a policy out of the envelope's bounds), `encodingFailed` (more than 1 GiB).
    public nonisolated func encrypt(
        _ data: Data, policy: SecurityPolicy.EncryptionPolicy, identity: String, keyName: String? = nil
    ) async throws -> Data {
        try await encrypt(data, policy: policy, identity: RecordIdentity(original: identity), keyName: keyName ?? identity)
    }

    nonisolated func encrypt(
        _ data: Data, policy: SecurityPolicy.EncryptionPolicy, identity: RecordIdentity, keyName: String, accessGroup: String? = nil
    ) async throws -> Data {
        let plan = try SealingPlan(policy)
        let (source, material) = try await sealingMaterial(for: plan, keyName: keyName, accessGroup: accessGroup)
        let random = try environment.entropy.exactly(plan.randomLength)
        var header = EnvelopeHeader(
            cipher: plan.cipher, derivation: plan.derivation(salt: random.prefix(plan.saltLength)), keySource: source,
            nonce: random.suffix(AEADCipher.nonceLength), version: identity.version)
        let key = try await key(for: &header, from: material, keyName: keyName, mayChooseSalt: plan.saltLength > 0)
        return try Envelope.seal(data, header: header, key: key, identity: identity.text(for: header.version))
    }

    /// Opens an envelope. The algorithm and parameters are read from the envelope, and may be others than those of `policy`. Its source of key
    /// material must be the one of `policy` or of one of `formerPolicies`: else an envelope of the app's weakest source would open as any record.
    ///
    /// Mints nothing and changes nothing. An envelope opens as often as it is put there: an earlier one of the same record is genuine too, and nothing
    /// in it tells that a later one was made (see ``SecurityPolicy``).
    /// - Parameters:
    ///   - envelope: All bytes of the envelope, and no more.
    ///   - policy: What seals the record today.
    ///   - formerPolicies: What else may have sealed it, in earlier versions of the app.
    ///   - identity: What it was sealed as.
    ///   - keyName: What an external provider is asked for; the identity, if `nil`.
    /// - Throws: ``StorageError``: `corrupt` (not an envelope, truncated, or with something after it), `superseded` (of a newer
    ///   version), `undeclaredPolicy` (sealed by another source), `keyMissing`, `providerMissing`, `decryptionFailed` (changed, or sealed as another
    ///   record), `locked`, `lockedBeforeFirstUnlock`.
    public nonisolated func decrypt(
        _ envelope: Data, policy: SecurityPolicy.EncryptionPolicy, formerPolicies: [SecurityPolicy.EncryptionPolicy] = [], identity: String,
        keyName: String? = nil
    ) async throws -> Data {
        let accepted = AcceptedPolicies(.encrypted(policy), former: formerPolicies.map { .encrypted($0) })
        return try await decrypt(
            envelope, accepting: accepted, identity: RecordIdentity(original: identity), keyName: keyName ?? identity)
    }

    nonisolated func decrypt(
        _ envelope: Data, accepting accepted: AcceptedPolicies, identity: RecordIdentity, keyName: String, accessGroup: String? = nil
    ) async throws -> Data {
        let parsed: Envelope
        do { parsed = try Envelope(parsing: envelope) } catch { throw error.storageError }
        try accepted.require(parsed.header.keySource)
        let material = try await openingMaterial(for: parsed.header.keySource, keyName: keyName, accessGroup: accessGroup)
        var header = parsed.header
        let key = try await key(for: &header, from: material, keyName: keyName, mayChooseSalt: false)
        let plain = try parsed.open(envelope, key: key, identity: identity.text(for: header.version))
        await adoptSalt(of: header, material: material, keyName: keyName)
        return plain
    }
}

/// Where key material comes from.
extension EncryptionHelper {
    private nonisolated func sealingMaterial(
        for plan: SealingPlan, keyName: String, accessGroup: String?
    ) async throws -> (source: EnvelopeKeySource, material: SecretBytes) {
        if let source = plan.externalSource {
            return (.external(id: source.id), try await externalMaterial(of: source, keyName: keyName))
        }
        // Minting is left to the actor: one at a time, so that nothing is minted in vain.
        let key = if let primary = try ring(of: accessGroup).primary() { primary } else { try await mintMasterKey(of: accessGroup) }
        return (.master(id: key.id), key.material)
    }

    private nonisolated func openingMaterial(
        for source: EnvelopeKeySource, keyName: String, accessGroup: String?
    ) async throws -> SecretBytes {
        switch source {
        case .master(let id): try masterKey(id, accessGroup: accessGroup).material
        case .external(let id): try await externalMaterial(of: KeyMaterialSource(id: id), keyName: keyName)
        }
    }

    /// Finds out whether a value could be sealed now. Mints nothing.
    nonisolated func requireSealing(by policy: SecurityPolicy.EncryptionPolicy, keyName: String, accessGroup: String?) async throws {
        if let source = try SealingPlan(policy).externalSource {
            _ = try await externalMaterial(of: source, keyName: keyName)
        } else {
            _ = try ring(of: accessGroup).primary()
        }
    }

    private func mintMasterKey(of accessGroup: String?) throws -> MasterKey {
        try ring(of: accessGroup).primaryMintingIfAbsent(adoptingFrom: accessGroup == nil ? nil : ring)
    }

    private func provider(for source: KeyMaterialSource) -> (any KeyMaterialProviding)? {
        providers[source]
    }

    private nonisolated func externalMaterial(of source: KeyMaterialSource, keyName: String) async throws -> SecretBytes {
        guard let provider = await provider(for: source) else {
            throw StorageError(.providerMissing, facts: ["key material source '\(source.id)'"])
        }
        var material: Data
        do {
            material = try await provider.keyMaterial(for: keyName)
        } catch let error as StorageError {
            throw error
        } catch let error as CancellationError where Task.isCancelled {
            throw error
        } catch {
            // A provider may wait for a task of its own that somebody cancelled: that is a failure like any other. Only the type: the provider's error may hold anything.
            throw StorageError(.inputOutput, facts: ["the provider of key material source '\(source.id)' failed with \(type(of: error))"])
        }
        guard material.count >= Self.minimumMaterialLength else {
            let problem = "gave \(material.count) bytes; at least \(Self.minimumMaterialLength) are needed"
            throw StorageError(.keyMissing, facts: ["the provider of key material source '\(source.id)' \(problem)"])
        }
        return .consuming(&material)
    }

    /// 128 bits: less is guessed sooner than the cipher is broken.
    static let minimumMaterialLength = 16
}

/// Providers hold key material of their own: nothing of them shows in dumps.
extension EncryptionHelper: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .class) }
}

/// Derives the keys of envelopes: those of HKDF at once, those of PBKDF2 once for all who need them.
extension EncryptionHelper {
    /// The key of an envelope.
    /// - Parameter mayChooseSalt: whether a PBKDF2 salt in `header` may give way to the one that this process uses already.
    nonisolated func key(
        for header: inout EnvelopeHeader, from material: SecretBytes, keyName: String, mayChooseSalt: Bool
    ) async throws -> SecretBytes {
        do { try header.check() } catch { throw StorageError(.invalidKey, facts: error.storageError.facts) }
        do {
            guard case .pbkdf2(let salt, let iterations) = header.derivation else {
                return try header.derivation.key(from: material, for: header.cipher)
            }
            let family = try await family(of: header, iterations: iterations, material: material, keyName: keyName)
            let name = await name(in: family, salt: salt, mayChooseSalt: mayChooseSalt)
            header.derivation = .pbkdf2(salt: name.salt, iterations: iterations)
            return try await derivedKey(name, derivation: header.derivation, material: material)
        } catch let failure as CryptographyFailure {
            throw failure.storageError
        }
    }

    /// Lets writes share the salt of an envelope that opened. One that did not open may be forged, and is not followed.
    nonisolated func adoptSalt(of header: EnvelopeHeader, material: SecretBytes, keyName: String) async {
        guard case .pbkdf2(let salt, let iterations) = header.derivation, salt.count == SealingPlan.saltLength else { return }
        guard let family = try? await family(of: header, iterations: iterations, material: material, keyName: keyName) else { return }
        _ = await name(in: family, salt: salt, mayChooseSalt: true)
    }

    private func family(
        of header: EnvelopeHeader, iterations: UInt32, material: SecretBytes, keyName: String
    ) throws -> DerivedKeyFamily {
        let fingerprint = try fingerprintKeyDrawnOnce().withUnsafeBytes { key in
            try material.withUnsafeBytes { try Cryptography.authenticationCode(for: $0, key: key) }
        }
        let asked: String? =
            switch header.keySource {
            case .master: nil
            case .external: keyName
            }
        return DerivedKeyFamily(
            keySource: header.keySource, keyName: asked, fingerprint: fingerprint, cipher: header.cipher, iterations: iterations)
    }

    private func fingerprintKeyDrawnOnce() throws -> SecretBytes {
        if let fingerprintKey { return fingerprintKey }
        var drawn = try environment.entropy.exactly(SHA256Digest.length)
        let key = SecretBytes.consuming(&drawn)
        fingerprintKey = key
        return key
    }

    private func name(in family: DerivedKeyFamily, salt: Data, mayChooseSalt: Bool) -> DerivedKeyName {
        guard mayChooseSalt else { return DerivedKeyName(family: family, salt: salt) }
        cache.setCurrentSaltIfNone(salt, of: family)
        return DerivedKeyName(family: family, salt: cache.currentSalt(of: family) ?? salt)
    }

    private func derivedKey(
        _ name: DerivedKeyName, derivation: EnvelopeDerivation, material: SecretBytes
    ) async throws -> SecretBytes {
        if let key = cache.key(for: name, at: environment.clock.now) { return key }
        if waiting[name] != nil {
            return try await withCheckedContinuation { waiting[name]?.append($0) }.get()
        }
        waiting[name] = []
        let generation = cache.generation
        let outcome = await Self.derive(derivation, from: material, for: name.family.cipher)
        if case .success(let key) = outcome { cache.insert(key, for: name, at: environment.clock.now, derivedIn: generation) }
        for waiter in waiting.removeValue(forKey: name) ?? [] { waiter.resume(returning: outcome) }
        return try outcome.get()
    }

    /// Off the actor: a derivation takes hundreds of milliseconds.
    @concurrent
    private nonisolated static func derive(
        _ derivation: EnvelopeDerivation, from material: SecretBytes, for cipher: AEADCipher
    ) async -> Result<SecretBytes, CryptographyFailure> {
        Result { () throws(CryptographyFailure) in try derivation.key(from: material, for: cipher) }
    }
}

/// The master keys of the process and those that it shares.
extension EncryptionHelper {
    /// The ring that seals the values of keys with that ``StorageKey/accessGroup``.
    nonisolated func ring(of accessGroup: String?) -> MasterKeyRing {
        accessGroup.map { MasterKeyRing(environment: environment, accessGroup: $0) } ?? ring
    }

    /// The rings that the values of some keys are sealed with, the process's own first.
    nonisolated func rings(of keys: [any StorageKey]) -> [MasterKeyRing] {
        [ring] + Set(keys.filter(\.security.isSealedByMasterKey).compactMap(\.accessGroup)).sorted().map { ring(of: $0) }
    }

    /// A master key by its id: of the access group, or of this process alone or of another group, which is then handed on to the group, except by who only
    /// looks. Another version of the app may have declared another group for the value, or none.
    /// - Throws: ``StorageError/Code/keyMissing`` on its verified absence from all rings that this process can look into.
    nonisolated func masterKey(_ id: String, accessGroup: String?) throws(StorageError) -> MasterKey {
        let declared = ring(of: accessGroup)
        if let key = try declared.keyIfPresent(id) { return key }
        let key = try masterKeyOfAnyRing(id)
        guard accessGroup != nil, !ReadOnly.isOn else { return key }
        // Where that fails the value opens all the same, and the next reading tries again.
        do throws(StorageError) { try declared.take(key) } catch {}
        return key
    }

    /// - Throws: ``StorageError/Code/keyMissing`` on its verified absence from all rings that this process can look into.
    nonisolated func masterKeyOfAnyRing(_ id: String) throws(StorageError) -> MasterKey {
        if let key = try ring.keyIfPresent(id) { return key }
        for group in try ring.groups(having: id) {
            if let key = try ring(of: group).keyIfPresent(id) { return key }
        }
        return try ring.key(id)
    }

    /// Hands the key that seals an envelope on to an access group, if only this process has it; and with it the one that seals, since nothing says in a group
    /// that has its first key which one that is, and a rotation would rotate none.
    nonisolated func shareMasterKey(of header: EnvelopeHeader, with accessGroup: String) throws {
        guard case .master(let id) = header.keySource else { return }
        _ = try masterKey(id, accessGroup: accessGroup)
        let group = ring(of: accessGroup)
        guard try group.pointer() == nil, try !group.keyIDs().isEmpty else { return }
        _ = try group.primaryMintingIfAbsent(adoptingFrom: ring)
    }
}
