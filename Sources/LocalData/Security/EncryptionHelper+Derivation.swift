import Foundation

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
