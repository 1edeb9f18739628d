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
    /// Stands before a choice for what the value was that is no stricter than the key's declaration: it is kept for the key that the value moves to.
    private static let within = "within "

    init(names: [String: String] = [:], isIncomplete: Bool = false) {
        self.names = names
        self.isIncomplete = isIncomplete
    }

    /// What was chosen for a key; `nil` where its declaration holds.
    subscript(name: String) -> SyncPolicy? {
        switch names[name] {
        case nil: return isIncomplete ? .never : nil
        case let stored?:
            switch Choice(stored: stored) {
            case .policy(let policy): return policy
            case .within(.never): return .never
            case .within, .declared: return nil
            }
        }
    }

    /// What was chosen for a key, or for what its migration makes its value of; `nil` where its declaration holds.
    ///
    /// A value does not change hands when an update gives it another name or place. So the choice for the one source counts for a key that declares the
    /// same policy. Where they declare others, or there are several sources, the strictest choice counts, if it is stricter than the declaration: a choice
    /// that let one value travel lets no other. One that is no stricter changes nothing here, and counts for the keys that the value moves to after this
    /// one: a version of the app that does not sync it makes nobody's choice forgotten.
    func chosen(for key: any StorageKey) -> SyncPolicy? {
        guard !names.isEmpty else { return self[key.name] }
        var visited: Set<Source> = []
        switch choice(for: key, &visited) {
        case .policy(let policy): return policy
        case .declared: return nil
        case .within, nil: return names[key.name] == nil ? self[key.name] : nil
        }
    }

    /// `nil` returns to what the key declares.
    ///
    /// Of a key that declares `never` it stays known that it was chosen once: what is removed from then on is not to come back with the next choice.
    mutating func choose(_ policy: SyncPolicy?, for key: any StorageKey) {
        let wasChosen = names[key.name] != nil && key.syncPolicy == .never
        names[key.name] = policy?.rawValue
        var visited: Set<Source> = []
        guard policy == nil, isIncomplete || wasChosen || choice(for: key, &visited).map({ !$0.isWithin }) ?? false else { return }
        names[key.name] = Self.declared
    }

    /// Writes down under a key's name a choice for what its value was, and that is no stricter than what the key declares: a later version of the app
    /// may know no more than this name.
    mutating func keepForLaterKeys(at key: any StorageKey) {
        var visited: Set<Source> = []
        guard names[key.name] == nil, let choice = choice(for: key, &visited), choice.isWithin else { return }
        names[key.name] = choice.stored
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
        /// What was chosen for what its value was, and is no stricter than what the key declares.
        case within(SyncPolicy)

        init(stored: String) {
            let within = stored.hasPrefix(SyncPolicyChoices.within) ? String(stored.dropFirst(SyncPolicyChoices.within.count)) : ""
            if let policy = SyncPolicy(rawValue: within) {
                self = .within(policy)
            } else {
                self = stored == SyncPolicyChoices.declared ? .declared : .policy(SyncPolicy(rawValue: stored) ?? .never)
            }
        }

        var stored: String {
            switch self {
            case .policy(let policy): policy.rawValue
            case .declared: SyncPolicyChoices.declared
            case .within(let policy): SyncPolicyChoices.within + policy.rawValue
            }
        }

        var isWithin: Bool { if case .within = self { true } else { false } }

        /// What a choice for another key comes to for one that declares a policy.
        init?(_ policy: SyncPolicy, for declared: SyncPolicy) {
            // Which keeps nothing back, here or later.
            guard policy != .automaticSmall else { return nil }
            self = policy.reach < declared.reach ? .policy(policy) : .within(policy)
        }
    }

    /// A key that was looked at already.
    private struct Source: Hashable {
        let name: String
        let domain: StorageDomain
    }

    private func choice(for key: any StorageKey, _ visited: inout Set<Source>) -> Choice? {
        if let own = names[key.name].map(Choice.init(stored:)) {
            if case .within(let policy) = own { return Choice(policy, for: key.syncPolicy) }
            return own
        }
        // Sources may lead back, and have the same name at other places.
        guard visited.insert(Source(name: key.name, domain: key.domain)).inserted, let sources = key.migration?.base.sourceKeys.map(\.base)
        else { return nil }
        var inherited: [(source: any StorageKey, choice: Choice)] = []
        for source in sources { if let choice = choice(for: source, &visited) { inherited.append((source, choice)) } }
        if sources.count == 1, let only = inherited.first, only.source.syncPolicy == key.syncPolicy { return only.choice }
        let policies = inherited.compactMap { inherited in
            switch inherited.choice {
            case .policy(let policy), .within(let policy): policy
            // Who went back to what the source declares has chosen nothing for a key that declares otherwise.
            case .declared: nil
            }
        }
        return policies.min { $0.reach < $1.reach }.flatMap { Choice($0, for: key.syncPolicy) }
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
