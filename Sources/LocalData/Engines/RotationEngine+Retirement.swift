import Foundation

extension RotationEngine {
    /// Deletes the old master keys that nothing needs. Called in the rotation's turn.
    ///
    /// A key is first noted as retired, so that from then on a value that is stored sealed by it, by an operation that began before the rotation,
    /// is sealed anew by that operation. Then those operations are waited for, also of keys whose names no catalog lists as they are: a crash between the two
    /// would leave what nobody opens in the place of an earlier value. Then everything is looked at. Only then the key goes, if nothing needs it; where sealed
    /// values lie in preferences, in a later process: see ``UnneededKeys``.
    func retire(whileOthersAreQuiet: Bool) async throws -> KeyRetirementReport {
        try requireUnlocked()
        let candidates = try oldKeys()
        let keys = sealedKeys()
        guard !candidates.isEmpty else {
            // Left by a process that died when the keys had gone.
            _ = try unneededKeys.settled([], mayBeInPreferences: false, suites: [])
            return KeyRetirementReport(retired: [], kept: try oldKeysOfGroups(keys).map(\.use))
        }
        for id in candidates { encryption.retiredKeys.insert(id) }
        var retired: [String] = []
        defer { for id in candidates where !retired.contains(id) { encryption.retiredKeys.remove(id) } }
        try await turns.access.waitForTurnsUnderWay()

        let scan = try await scanEnvelopes(of: keys, whileOthersAreQuiet: whileOthersAreQuiet)
        // A power loss may take the last sets of a suite, and with them what was sealed anew there. This makes that less likely, no more.
        let suites = suites(of: keys)
        for suite in suites { try defaults.handOver(suite) }
        // A device that was locked meanwhile may have kept something from being listed.
        try requireUnlocked()

        let stillOld = Set(try oldKeys())
        let found = candidates.filter(stillOld.contains).map { (id: $0, needs: scan.needs(of: .master($0))) }
        let settled = try unneededKeys.settled(
            found.filter(\.needs.isEmpty).map(\.id), mayBeInPreferences: mayHaveSealedPreferences(keys, found: scan),
            suites: suites)
        let doubtful = settled.isEmpty ? [] : scan.settle(in: environment)
        var kept: [KeyUse] = []
        for (id, needs) in found {
            if settled.contains(id), doubtful.isEmpty {
                try encryption.ring.delete(id)
                retired.append(id)
                await encryption.forgetKeys(of: .master(id: id))
            } else {
                let unsettled = settled.contains(id) ? doubtful : [.unsettledPreferences]
                kept.append(KeyUse(key: .master(id), isCurrent: false, needs: needs.isEmpty ? unsettled : needs))
            }
        }
        try unneededKeys.forget(Set(retired), in: suites)
        kept += try oldKeysOfGroups(keys).map(\.use)
        return KeyRetirementReport(retired: retired, kept: kept)
    }

    /// Which of the old keys that nothing was found to need are needed by nothing after a power loss either. Looks at what is noted, and notes nothing.
    /// - Parameter mayBeInPreferences: Whether something sealed lies in preferences besides the values of registered keys.
    func settled(_ ids: [String], mayBeInPreferences: Bool) throws -> [String] {
        let keys = sealedKeys()
        let mayBe = mayBeInPreferences || mayHaveSealedPreferences(keys, found: EnvelopeScan())
        return try ids.filter { try unneededKeys.isSettled($0, mayBeInPreferences: mayBe, suites: suites(of: keys)) }
    }

    /// The ids of the process's own master keys that do not seal, sorted. Those of an access group stay: other apps of the group may keep what they seal
    /// where this one cannot look (``oldKeysOfGroups(_:)``); so does a key of this process that lies in such a group, as an app with Keychain Sharing has it
    /// from earlier versions of LocalData. A successor of the primary key is about to, and is none of them.
    func oldKeys() throws -> [String] {
        guard let primary = try encryption.ring.primary()?.id else { return [] }
        let successors = try encryption.ring.successors(of: primary)
        let own = environment.keychain.ownAccessGroup
        // Where the process's own group is not known, no key of a group is known to be its own.
        let keys = try encryption.ring.keys().filter { $0.accessGroup == nil || $0.accessGroup == own }
        return keys.map(\.account).filter { $0 != primary && !successors.contains($0) }
    }

    /// An old master key of an access group, which stays.
    struct GroupKey {
        let id: String
        let group: String

        var use: KeyUse { KeyUse(key: .master(id), isCurrent: false, needs: [.accessGroup(group)]) }
    }

    /// The master keys of access groups that do not seal, as far as these keys name the groups, sorted by group and id.
    func oldKeysOfGroups(_ keys: [any StorageKey]) throws -> [GroupKey] {
        var found: [GroupKey] = []
        for ring in encryption.rings(of: keys) {
            guard let group = ring.accessGroup, let primary = try ring.pointer()?.primary else { continue }
            let successors = try ring.successors(of: primary)
            found += try ring.keyIDs().filter { $0 != primary && !successors.contains($0) }.sorted().map { GroupKey(id: $0, group: group) }
        }
        return found
    }

    private func requireUnlocked() throws {
        switch environment.device.lockState {
        case .unlocked: return
        case .locked: throw StorageError(.locked)
        case .beforeFirstUnlock: throw StorageError(.lockedBeforeFirstUnlock)
        }
    }
}

extension EncryptionHelper {
    /// Forgets what was derived from a key that is gone.
    func forgetKeys(of source: EnvelopeKeySource) { cache.removeAll(of: source) }

    /// See ``StorageRouter/rememberedMasterKeys()``.
    func rememberedMasterKeys() -> [String] {
        cache.sources.compactMap { if case .master(let id) = $0 { id } else { nil } }.sorted()
    }
}
