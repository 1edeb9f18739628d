import Foundation

/// Sync policies that the app chose at run time, such as a person's setting. They survive relaunches and are backed up.
extension SyncLedger {
    /// The policy in force: the override, that of a key whose value is this one's by now, else what the key declares. While the list of overrides cannot be
    /// read it is ``SyncPolicy/never``: what a person switched off must not leave the device because a file is damaged.
    func policy(of key: any StorageKey) -> SyncPolicy {
        guard !key.isSwitchedByDeclarationAlone else { return .never }
        do {
            let choices = try overrides()
            return choices.chosen(for: choices.names.isEmpty ? key : declared(key)) ?? key.syncPolicy
        } catch {
            return .never
        }
    }

    /// Whether somebody ever chose a policy for the key, be it the one that it declares. What a damaged list may have said of it before another took its
    /// place is no choice.
    /// - Throws: Why the list cannot be read.
    func isChosen(_ key: any StorageKey) throws -> Bool {
        guard !key.isSwitchedByDeclarationAlone else { return false }
        let choices = try overrides()
        guard !choices.names.isEmpty else { return false }
        return choices.names[key.name] != nil || (!choices.isIncomplete && choices.chosen(for: declared(key)) != nil)
    }

    /// The key as the app registered it: what a migration writes to may be declared without that migration.
    private func declared(_ key: any StorageKey) -> any StorageKey { knownKey(key.name) ?? key }

    /// - Throws: Why it cannot be read. It is then noted as a problem of the ledger.
    func overrides() throws -> SyncPolicyChoices {
        if let known = withState({ $0.overrides.known }) { return try known.get() }
        do {
            let stored = try store.overrides()
            let overrides = try stored.list.map { try SyncPolicyChoices(encoded: $0) } ?? SyncPolicyChoices()
            return try withState { try $0.overrides.wasRead(overrides, isSettled: stored.isSettled).get() }
        } catch {
            let problem = Self.storageError(error).at(operation: "sync")
            withState { $0.overrides.couldNotBeRead(problem) }
            throw problem
        }
    }

    /// Writes the list with one policy changed; `nil` returns to what the key declares. A damaged list is replaced by one that says
    /// ``SyncPolicy/never`` of all other keys.
    /// - Throws: also `unsupported` for a key that no choice switches on.
    func setOverride(_ policy: SyncPolicy?, of key: any StorageKey) throws {
        let current: SyncPolicyChoices
        do {
            current = try overrides()
        } catch let error as StorageError where error.code == .corrupt {
            current = SyncPolicyChoices(isIncomplete: true)
        }
        let known = declared(key)
        if let policy, policy != .never, known.isSwitchedByDeclarationAlone {
            throw StorageError(
                .unsupported,
                facts: [
                    "extensions of the app may have the key too, and see what it declares, not what is chosen: declare a sync policy for it, and choose 'never' until it is to sync"
                ])
        }
        try change(current) { $0.choose(policy, for: known) }
    }

    private func change(_ current: SyncPolicyChoices, _ body: (inout SyncPolicyChoices) -> Void) throws {
        try writing {
            var overrides = (try? withState { try $0.overrides.known?.get() }) ?? current
            body(&overrides)
            try write(overrides)
        }
        copyOverrides()
    }

    /// Writes down, for the key that a value has moved to, what was chosen for the one that it came from: a later version of the app may declare neither that
    /// nor the migration. What cannot be written now is found by the migration's declaration, and written when that is asked for again.
    func keepChoice(of destination: any StorageKey) {
        guard let choices = try? overrides(), !choices.names.isEmpty, choices.names[destination.name] == nil else { return }
        let key = declared(destination)
        if let policy = choices.chosen(for: key) {
            try? setOverride(policy, of: destination)
            return
        }
        var kept = choices
        kept.keepForLaterKeys(at: key)
        if kept != choices { try? change(choices) { $0.keepForLaterKeys(at: key) } }
    }

    /// Writes down what keys inherit from what no catalog lists any more: values may come to them by other ways than their migration, and a later version of the app
    /// may not declare that.
    func keepInheritedChoices() {
        guard let choices = try? overrides(), !choices.names.isEmpty else { return }
        for key in withState({ $0.keys.keysByName() }) where choices.names[key.name] == nil && key.migration != nil {
            if key.allSources.allSatisfy({ receivingKey($0.name) == nil }) { keepChoice(of: key) }
        }
    }

    /// Writes the list where it is missing: into the preferences, for a backup that holds no files, and into a file, also where nothing was chosen. A
    /// process that began before the first unlock sees no preferences, and nothing leaves the device that does not know what was chosen.
    func settleOverrides(on role: DeviceRole) {
        guard let choices = try? overrides(), !choices.names.isEmpty || !syncedKeys(on: role).isEmpty else { return }
        guard case .read(_, _, isSettled: false) = withState({ $0.overrides }) else { return }
        writing {
            guard case .read(let latest, _, isSettled: false) = withState({ $0.overrides }) else { return }
            try? write(latest)
        }
        copyOverrides()
    }

    /// Forgets all that was chosen, also what a damaged list said.
    func removeOverrides() throws {
        var current = SyncPolicyChoices()
        do {
            current = try overrides()
        } catch let error as StorageError where error.code == .corrupt {}
        try writing { try write(current.cleared(of: withState { $0.keys.keysByName() })) }
        copyOverrides()
    }

    private func write(_ overrides: SyncPolicyChoices) throws {
        try store.setOverrides(Data(overrides.encoded.utf8))
        withState { $0.overrides.wasWritten(overrides) }
    }

    /// Copies the list into the preferences after it was written, outside of the locks: what observes preferences runs within that, and may ask for a policy. What
    /// another task wrote meanwhile is copied last.
    private func copyOverrides() {
        var copied: Data?
        while let latest = withState({ try? $0.overrides.known?.get() }) {
            let data = Data(latest.encoded.utf8)
            guard data != copied else { return }
            store.copyOverrides(data)
            copied = data
        }
    }
}

extension StorageKey {
    /// Whether an extension of the app may have the key as well, and it declares no sync. No choice switches it on: the extension cannot see the app's
    /// choices, so it would remove the value as one that the app alone has, and what the counterpart holds would come back.
    fileprivate var isSwitchedByDeclarationAlone: Bool { syncPolicy == .never && domain.mayBeOfExtension(accessGroup: accessGroup) }
}

extension StorageDomain {
    /// Whether an extension of the app may have what lies there.
    func mayBeOfExtension(accessGroup: String?) -> Bool {
        switch self {
        case .appGroupUserDefaults, .appGroupFileSystem: true
        // What begins like this may be an App Group's.
        case .userDefaults(let suite): suite?.hasPrefix("group.") ?? false
        case .keychain: accessGroup != nil
        case .fileSystem, .encryptedFileSystem: false
        }
    }
}

extension SyncLedger {
    /// Whether nothing of that name may leave a device of this role, be it a value that was handed to the session before: its sync was switched off, or this
    /// version of the app declares that it stays. A name that no catalog of this process lists goes on as it was sent, unless it was switched off, or what its value
    /// became is, or was removed, or no catalog has named it for ``SyncInstallation/termOfUnclaimed``.
    func keepsBack(_ name: String, on role: DeviceRole) -> Bool {
        if let key = receivingKey(name) { return !syncs(key, on: role) }
        guard let overrides = try? overrides() else { return true }
        if overrides[name] == .never { return true }
        if withState({ $0.keys.keysByName() }).contains(where: { key in
            key.allSources.contains { $0.name == name } && isGivenUp(key, on: role)
        }) {
            return true
        }
        // By the names that versions of the app between gave it. What cannot be read for now says nothing.
        var names = [name]
        let installation = try? installation()
        if installation?.isGivenUp(name, at: environment.clock.now) == true { return true }
        let former = installation?.former ?? [:]
        while let last = names.last, let next = former[last], !names.contains(next) {
            if overrides[next] == .never { return true }
            if let key = receivingKey(next) { return isGivenUp(key, on: role) }
            names.append(next)
        }
        return false
    }

    private func isGivenUp(_ key: any StorageKey, on role: DeviceRole) -> Bool {
        !syncs(key, on: role) || (try? record(of: key.name, in: key.domain))?.committed.content == .deleted
    }

    /// Writes down which of these names no catalog names any more, and for how long: what an update drops is not sent for ever.
    /// - Parameter isListed: Whether a catalog lists the name, or a kind that it is one of.
    func noteUnclaimed(among names: some Collection<String>, isListed: (String) -> Bool) {
        guard let known = try? installation() else { return }
        let unknown = names.filter { receivingKey($0) == nil && !isListed($0) }
        guard !unknown.isEmpty || !known.unclaimed.isEmpty else { return }
        let keys = unknown.isEmpty ? [] : withState { $0.keys.keysByName() }
        // What a value became goes by that.
        let unclaimed = unknown.filter { name in
            known.former[name] == nil && !keys.contains { key in key.allSources.contains { $0.name == name } }
        }
        let now = environment.clock.now
        try? updateInstallation { $0.noteUnclaimed(unclaimed, at: now) }
    }

    /// Writes down whose value it is that the session holds under these names: the next version of the app may not say any more where its values came from.
    /// - Parameter names: Of what an earlier process has sent and the session holds.
    func keepFormerNames(among names: some Collection<String>) {
        guard let known = (try? installation())?.former else { return }
        let unknown = names.filter { receivingKey($0) == nil }
        guard !unknown.isEmpty || !known.isEmpty else { return }
        let keys = unknown.isEmpty ? [] : withState { $0.keys.keysByName() }
        var former: [String: String] = [:]
        // And those that lead on from there.
        var due = unknown
        while let name = due.popLast() {
            guard former[name] == nil else { continue }
            let made = receivingKey(name) == nil ? keys.first { $0.name != name && $0.allSources.contains { $0.name == name } } : nil
            guard let next = made?.name ?? known[name] else { continue }
            former[name] = next
            due.append(next)
        }
        guard former != known else { return }
        try? updateInstallation { $0.former = former }
    }
}

/// What a process knows of the policies that the app chose.
enum SyncPolicyMemory: Sendable {
    /// Not read yet, or not to be read for a moment: it is tried again.
    case unread(problem: StorageError?)
    /// - Parameters:
    ///   - problem: Of an earlier try to read them.
    ///   - isSettled: Whether the file and the preferences say the same, as far as that can be told.
    case read(SyncPolicyChoices, problem: StorageError?, isSettled: Bool)
    /// Damaged, or of a newer format. It does not get better by itself.
    case broken(StorageError)

    init() { self = .unread(problem: nil) }

    /// `nil`: to be read.
    var known: Result<SyncPolicyChoices, StorageError>? {
        switch self {
        case .unread: nil
        case .read(let choices, _, _): .success(choices)
        case .broken(let error): .failure(error)
        }
    }

    var problem: StorageError? {
        switch self {
        case .unread(let problem), .read(_, let problem, _): problem
        case .broken(let error): error
        }
    }

    /// - Returns: What is known: another task may have read or changed it first.
    mutating func wasRead(_ choices: SyncPolicyChoices, isSettled: Bool) -> Result<SyncPolicyChoices, StorageError> {
        if let known { return known }
        self = .read(choices, problem: problem, isSettled: isSettled)
        return .success(choices)
    }

    mutating func couldNotBeRead(_ error: StorageError) {
        if error.code == .corrupt || error.code == .superseded {
            self = .broken(error)
        } else if case .unread = self {
            self = .unread(problem: error)
        }
    }

    mutating func wasWritten(_ choices: SyncPolicyChoices) { self = .read(choices, problem: nil, isSettled: true) }
}
