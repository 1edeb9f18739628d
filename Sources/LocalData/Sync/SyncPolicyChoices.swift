import Foundation

/// The sync policies that were chosen at run time, as they are stored. A value with functions.
///
/// Whoever reads them decides what leaves the device, so doubt means ``SyncPolicy/never``: a policy that this version of LocalData does not know, and a
/// key of which a damaged list may have said something.
struct SyncPolicyChoices: Sendable, Hashable {
    /// By key name, as stored: what a newer version chose is kept as it is.
    private(set) var names: [String: String] = [:]
    /// Whether a damaged list was replaced by this one: nobody knows what was chosen for the keys that are not in it.
    private(set) var isIncomplete = false

    /// Stands for what the key declares: in an incomplete list, and of a key whose source has another choice.
    private static let declared = "declared"

    init(names: [String: String] = [:], isIncomplete: Bool = false) {
        self.names = names
        self.isIncomplete = isIncomplete
    }

    /// What was chosen for a key; `nil` where its declaration holds.
    subscript(name: String) -> SyncPolicy? {
        switch names[name] {
        case nil: isIncomplete ? .never : nil
        case Self.declared: nil
        case let chosen?: SyncPolicy(rawValue: chosen) ?? .never
        }
    }

    /// What was chosen for a key, or for what its migration makes its value of; `nil` where its declaration holds.
    ///
    /// A value does not change hands when an update gives it another name or place. So the choice for the one source counts for a key that declares the
    /// same policy. Where they declare others, or there are several sources, the strictest choice counts, if it is stricter than the declaration: a choice
    /// that let one value travel lets no other.
    func chosen(for key: any StorageKey) -> SyncPolicy? {
        guard !names.isEmpty else { return self[key.name] }
        var visited: Set<Source> = []
        switch choice(for: key, &visited) {
        case .policy(let policy): return policy
        case .declared: return nil
        case nil: return self[key.name]
        }
    }

    /// `nil` returns to what the key declares.
    ///
    /// Of a key that declares `never` it stays known that it was chosen once: what is removed from then on is not to come back with the next choice.
    mutating func choose(_ policy: SyncPolicy?, for key: any StorageKey) {
        let wasChosen = names[key.name] != nil && key.syncPolicy == .never
        names[key.name] = policy?.rawValue
        var visited: Set<Source> = []
        guard policy == nil, isIncomplete || wasChosen || choice(for: key, &visited) != nil else { return }
        names[key.name] = Self.declared
    }
}

extension SyncPolicyChoices {
    /// Of keys that declare `never` that they were chosen once, of others nothing. A name that is not among these keys, as one that is made at run time, may be that of
    /// such a key.
    /// - Parameter keys: Those that the process knows.
    func cleared(of keys: [any StorageKey]) -> SyncPolicyChoices {
        let syncing = Set(keys.map(\.name)).subtracting(keys.filter { $0.syncPolicy == .never }.map(\.name))
        return SyncPolicyChoices(names: names.filter { !syncing.contains($0.key) }.mapValues { _ in Self.declared })
    }

    private enum Choice: Hashable {
        case policy(SyncPolicy)
        /// What the key declares, and not what was chosen before, or for a source.
        case declared
    }

    /// A key that was looked at already.
    private struct Source: Hashable {
        let name: String
        let domain: StorageDomain
    }

    private func choice(for key: any StorageKey, _ visited: inout Set<Source>) -> Choice? {
        if let own = names[key.name] { return own == Self.declared ? .declared : .policy(SyncPolicy(rawValue: own) ?? .never) }
        // Sources may lead back, and have the same name at other places.
        guard visited.insert(Source(name: key.name, domain: key.domain)).inserted, let sources = key.migration?.base.sourceKeys.map(\.base)
        else { return nil }
        var inherited: [(source: any StorageKey, choice: Choice)] = []
        for source in sources { if let choice = choice(for: source, &visited) { inherited.append((source, choice)) } }
        if sources.count == 1, let only = inherited.first, only.source.syncPolicy == key.syncPolicy { return only.choice }
        let policies = inherited.map { inherited in
            if case .policy(let policy) = inherited.choice { policy } else { inherited.source.syncPolicy }
        }
        return policies.filter { $0.reach < key.syncPolicy.reach }.min { $0.reach < $1.reach }.map { .policy($0) }
    }
}

extension SyncPolicy {
    /// How far a value goes: the smaller, the stricter.
    fileprivate var reach: Int {
        switch self {
        case .never: 0
        case .manual: 1
        case .automaticSmall: 2
        }
    }
}

/// The stored form: one line of JSON with sorted keys, pinned by a test.
extension SyncPolicyChoices {
    static let formatVersion: Int64 = 1

    var encoded: String {
        let list = names.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))" }.joined(separator: ",")
        // Earlier versions of LocalData pass over it.
        let others = isIncomplete ? "\"others\":\"\(SyncPolicy.never.rawValue)\"," : ""
        return "{\(others)\"policies\":{\(list)},\"version\":\(Self.formatVersion)}"
    }

    /// - Throws: ``StorageError/Code/corrupt``, or ``StorageError/Code/superseded`` for a newer format.
    init(encoded data: Data) throws {
        let stored = try SyncFile.decode(Stored.self, from: data, version: Self.formatVersion, what: "list of sync policies")
        self.init(names: stored.policies, isIncomplete: stored.others != nil)
    }

    private struct Stored: SyncFileContent {
        var version: Int64
        /// Written only in the place of a damaged list.
        var others: String?
        var policies: [String: String]

        init?(canonical reader: inout CanonicalJSONReader) {
            guard reader.skip("{") else { return nil }
            if reader.skip("\"others\":") {
                guard let text = reader.text(), reader.skip(",") else { return nil }
                others = text
            }
            policies = [:]
            guard reader.skip("\"policies\":{") else { return nil }
            while !reader.skip("}") {
                guard policies.isEmpty || reader.skip(","), let name = reader.text(), reader.skip(":"), let policy = reader.text(),
                    policies.updateValue(policy, forKey: name) == nil
                else { return nil }
            }
            guard reader.skip(",\"version\":"), let version = reader.number(), reader.skip("}") else { return nil }
            self.version = Int64(clamping: version)
        }
    }
}
