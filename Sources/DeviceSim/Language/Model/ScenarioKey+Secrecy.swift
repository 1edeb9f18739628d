import LocalData

extension ScenarioKey {
    /// Whether the key's values are to be told to nobody: they are sealed, or in the keychain.
    package var isSecret: Bool {
        switch origin {
        case .declared(let declaration): declaration.security.keepsSecrets(in: declaration.domain)
        case .registered(_, let key): key.isSecret
        }
    }
}

extension AnyStorageKey {
    /// Whether the key's values are to be told to nobody: they are sealed, or in the keychain.
    package var isSecret: Bool { security.keepsSecrets(in: domain) }
}

extension SecurityPolicy {
    fileprivate func keepsSecrets(in domain: StorageDomain) -> Bool {
        guard case .none = self else { return true }
        if case .keychain = domain { return true }
        return false
    }
}
