import Foundation

/// Sync policies that the app chose at run time, such as a person's setting. They survive relaunches and are backed up.
extension SyncLedger {
    /// The policy in force: the override, that of a key whose value is this one's by now, else what the key declares. While the list of overrides cannot be
    /// read it is ``SyncPolicy/never``: what a person switched off must not leave the device because a file is damaged.
    func policy(of key: any StorageKey) -> SyncPolicy {
        do {
            let choices = try overrides()
            return choices.chosen(for: choices.names.isEmpty ? key : declared(key)) ?? key.syncPolicy
        } catch {
            return .never
        }
    }

    /// The key as the app registered it: what a migration writes to may be declared without that migration.
    private func declared(_ key: any StorageKey) -> any StorageKey { knownKey(key.name) ?? key }

    /// - Throws: Why it cannot be read. It is then noted as a problem of the ledger.
    func overrides() throws -> SyncPolicyChoices {
        if let known = withState({ $0.overrides }) { return try known.get() }
        do {
            let overrides = try store.overrides().map { try SyncPolicyChoices(encoded: $0) } ?? SyncPolicyChoices()
            return try withState { state in
                let known = state.overrides ?? .success(overrides)
                state.overrides = known
                return try known.get()
            }
        } catch {
            let problem = Self.storageError(error).at(operation: "sync")
            note(problem, about: SyncLedgerStore.overridesFile)
            // It does not get better by itself. What may pass is tried again.
            if problem.code == .corrupt || problem.code == .superseded { withState { $0.overrides = .failure(problem) } }
            throw problem
        }
    }

    /// Writes the list with one policy changed; `nil` returns to what the key declares. A damaged list is replaced by one that says
    /// ``SyncPolicy/never`` of all other keys.
    func setOverride(_ policy: SyncPolicy?, of key: any StorageKey) throws {
        let current: SyncPolicyChoices
        do {
            current = try overrides()
        } catch let error as StorageError where error.code == .corrupt {
            current = SyncPolicyChoices(isIncomplete: true)
        }
        let known = declared(key)
        try withState { state in
            var overrides = (try? state.overrides?.get()) ?? current
            overrides.choose(policy, for: known)
            try write(overrides, to: &state)
        }
    }

    /// Forgets all that was chosen, also what a damaged list said.
    func removeOverrides() throws {
        do {
            _ = try overrides()
        } catch let error as StorageError where error.code == .corrupt {}
        try withState { try write(SyncPolicyChoices(), to: &$0) }
    }

    private func write(_ overrides: SyncPolicyChoices, to state: inout State) throws {
        try store.setOverrides(Data(overrides.encoded.utf8))
        state.overrides = .success(overrides)
        state.problems[SyncLedgerStore.overridesFile] = nil
    }
}

extension SyncLedger {
    /// Whether nothing of that name may leave a device of this role, be it a value that was handed to the session before: its sync was switched off, or this
    /// version of the app declares that it stays. A name that no catalog of this process lists goes on as it was sent, unless it was switched off.
    func keepsBack(_ name: String, on role: DeviceRole) -> Bool {
        if let key = knownKey(name) { return !syncs(key, on: role) }
        guard let overrides = try? overrides() else { return true }
        return overrides[name] == .never
    }
}
