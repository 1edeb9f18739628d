import Foundation

/// What a policy asks for, checked, with its defaults filled in.
struct SealingPlan: Sendable {
    /// The length of a salt that is drawn: with the nonce, 224 random bits an envelope.
    static let saltLength = 16

    let cipher: AEADCipher
    /// `nil` for the master key.
    let externalSource: KeyMaterialSource?
    let keyDerivation: SecurityPolicy.KeyDerivation
    let iterations: UInt32

    init(_ policy: SecurityPolicy.EncryptionPolicy) throws(StorageError) {
        switch policy {
        case .aes256(let derivation): (cipher, externalSource, keyDerivation) = (.aes256GCM, nil, derivation)
        case .chacha20Poly1305(let derivation): (cipher, externalSource, keyDerivation) = (.chacha20Poly1305, nil, derivation)
        case .external(let source, let derivation): (cipher, externalSource, keyDerivation) = (.chacha20Poly1305, source, derivation)
        }
        guard case .pbkdf2(let asked, _) = keyDerivation else {
            iterations = 0
            return
        }
        let count = asked ?? SecurityPolicy.KeyDerivation.defaultPBKDF2Iterations
        guard let exact = UInt32(exactly: count), EnvelopeFormat.iterations.contains(exact) else {
            let range = EnvelopeFormat.iterations
            throw StorageError(.invalidKey, facts: ["\(count) iterations of PBKDF2, not \(range.lowerBound)…\(range.upperBound)"])
        }
        iterations = exact
    }

    /// - Throws: ``StorageError/Code/invalidKey`` where no envelope can hold what the policy gives.
    fileprivate func check() throws(StorageError) {
        do throws(EnvelopeError) {
            try derivation(salt: Data()).check()
            if let externalSource { try EnvelopeKeySource.external(id: externalSource.id).check() }
        } catch {
            throw StorageError(.invalidKey, facts: error.storageError.facts)
        }
    }

    /// How many random bytes are to be drawn for the salt: none where the policy gives it.
    var saltLength: Int {
        switch keyDerivation {
        case .pbkdf2(_, .some), .hkdf(.some, _): 0
        case .pbkdf2(_, .none), .hkdf(.none, _): Self.saltLength
        }
    }

    /// Salt, then nonce.
    var randomLength: Int { saltLength + AEADCipher.nonceLength }

    /// The derivation with the policy's salt, or with the one that was drawn.
    func derivation(salt drawn: Data) -> EnvelopeDerivation {
        switch keyDerivation {
        case .pbkdf2(_, let salt): .pbkdf2(salt: salt ?? drawn, iterations: iterations)
        case .hkdf(let salt, let info): .hkdf(salt: salt ?? drawn, info: info ?? Data())
        }
    }
}

extension SecurityPolicy {
    /// - Throws: ``StorageError/Code/invalidKey`` where no envelope can hold what the policy gives: no value could ever be stored.
    package func requireEnvelopeCanHold() throws(StorageError) {
        switch self {
        case .none, .keychain: return
        // What most keys declare gives nothing.
        case .encrypted(.aes256(.hkdf(.none, .none))), .encrypted(.chacha20Poly1305(.hkdf(.none, .none))): return
        case .encrypted(let policy): try SealingPlan(policy).check()
        }
    }
}
