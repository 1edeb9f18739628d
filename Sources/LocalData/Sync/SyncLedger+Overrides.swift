import Foundation

/// Sync policies that the app chose at run time, such as a person's setting. They survive relaunches and are backed up.
extension SyncLedger {
    static let overridesVersion: Int64 = 1

    /// The policy in force: the override, else what the key declares.
    func policy(of key: any StorageKey) -> SyncPolicy {
        if let known = withState({ $0.overrides }) { return known[key.name] ?? key.syncPolicy }
        // Unreadable before the first unlock: the declaration holds until then.
        return (try? overrides())?[key.name] ?? key.syncPolicy
    }

    func overrides() throws -> [String: SyncPolicy] {
        if let known = withState({ $0.overrides }) { return known }
        do {
            // A policy of an unknown name cannot be meant by this version; the declaration holds.
            let overrides = try store.overrides().map(Self.policies).map { $0.compactMapValues(SyncPolicy.init(rawValue:)) } ?? [:]
            return withState { state in
                state.overrides = state.overrides ?? overrides
                return state.overrides ?? overrides
            }
        } catch {
            let problem = Self.storageError(error).at(operation: "sync")
            note(problem, about: SyncLedgerStore.overridesFile)
            if problem.code == .corrupt { withState { $0.overrides = [:] } }
            throw problem
        }
    }

    /// Writes the list with one policy changed; `nil` returns to what the key declares. A damaged list is replaced.
    func setOverride(_ policy: SyncPolicy?, of name: String) throws {
        do {
            _ = try overrides()
        } catch let error as StorageError where error.code == .corrupt {}
        try withState { state in
            var overrides = state.overrides ?? [:]
            overrides[name] = policy
            let list = overrides.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { "\(JSONText.quoted($0.key)):\"\($0.value.rawValue)\"" }.joined(separator: ",")
            try store.setOverrides(Data("{\"policies\":{\(list)},\"version\":\(Self.overridesVersion)}".utf8))
            state.overrides = overrides
            state.problems[SyncLedgerStore.overridesFile] = nil
        }
    }

    /// The names of policies in a stored list, by key name.
    static func policies(in data: Data) throws -> [String: String] {
        try SyncFile.decode(StoredOverrides.self, from: data, version: overridesVersion, what: "list of sync policies").policies
    }

    private struct StoredOverrides: SyncFileContent {
        var version: Int64
        var policies: [String: String]
    }
}
