import Foundation

/// In what a stored envelope is not what its key's declaration, and the keychain, would make of the value today.
public enum SealingDifference: String, Sendable, Hashable, CaseIterable {
    /// It is plain where it should be sealed, or sealed where it should be plain.
    case form
    /// Another key seals it: a master key that is no longer primary, or other external key material than the policy names.
    case key
    /// Another cipher than the policy names.
    case cipher
    /// Another derivation, another number of iterations, or a salt or info that the policy does not give.
    case derivation
    /// Its keychain item has another accessibility or access control.
    case protection
    /// An earlier version of the envelope, which does not name the value's custom directory.
    case format
}

extension SealingPlan {
    /// In what an envelope differs from what this plan makes, sorted as declared.
    /// - Parameter primary: The id of the primary master key; `nil` where there is none.
    func differences(of header: EnvelopeHeader, primary: String?, version: EnvelopeFormat.Version) -> [SealingDifference] {
        var differences: [SealingDifference] = []
        switch (externalSource, header.keySource) {
        case (let source?, .external(let id)) where source.id == id: break
        case (nil, .master(let id)) where id == primary: break
        default: differences.append(.key)
        }
        if header.cipher != cipher { differences.append(.cipher) }
        if !makes(header.derivation) { differences.append(.derivation) }
        if header.version != version { differences.append(.format) }
        return differences
    }

    /// A salt that the policy leaves open has the length of those that are drawn, and is fine as it is.
    private func makes(_ derivation: EnvelopeDerivation) -> Bool {
        switch (keyDerivation, derivation) {
        case (.hkdf(let salt, let info), .hkdf(let usedSalt, let usedInfo)):
            salt.map { $0 == usedSalt } ?? (usedSalt.count == Self.saltLength) && usedInfo == info ?? Data()
        case (.pbkdf2(_, let salt), .pbkdf2(let usedSalt, let usedIterations)):
            salt.map { $0 == usedSalt } ?? (usedSalt.count == Self.saltLength) && usedIterations == iterations
        case (.hkdf, .pbkdf2), (.pbkdf2, .hkdf): false
        }
    }
}
