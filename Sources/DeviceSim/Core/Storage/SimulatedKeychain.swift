import Foundation
import LocalData

/// A device's keychain: the items, and the four calls by the tables of the specification. It outlives the app.
///
/// A call that succeeded is durable. With ``files``, the items are also a property list there.
///
/// Confined to the simulation's thread.
package final class SimulatedKeychain {
    package struct Stored: Equatable {
        package var item: KeychainItem
        /// The biometry set that was enrolled when an access-controlled item was stored.
        var biometrySet: Int?
    }

    /// What a call finds: the device, the person, the app's signature.
    struct Circumstances {
        var state: DeviceState
        var keys: ClassKeys
        var answer: AuthenticationAnswer
        /// Whether access control is passed over: for a look at the device from outside the app.
        var ignoresAccessControl = false
        var entitlements: StorageEntitlements
        /// The process's own access group, which its new items get.
        var defaultGroup: String
        /// The app's own access group: that of items which name none.
        var appGroup: String
        /// Which part of the app the process is.
        var part = AppPart.app
        var freeBytes: Int?
        var knobs: Knobs

        /// Whether another part of the app has that access group for itself.
        func isOfOtherPart(_ group: String) -> Bool {
            AppPart.allCases.contains { $0 != part && $0.bundleIdentifier(ofApp: appGroup) == group }
        }
    }

    struct Name: Hashable {
        let service: String
        let account: String
    }

    var items: [Name: [Stored]] = [:]
    var files: KeychainFile?

    // MARK: The four calls

    /// - Returns: the status, and by how many bytes what is stored grew.
    func add(_ item: KeychainItem, _ now: Circumstances) -> (status: KeychainStatus, growth: Int) {
        if let refusal = missingEntitlement(item.accessGroup, now) { return (refusal, 0) }
        if let failure = load() { return (failure, 0) }
        if let refusal = KeychainRules.refusalToStore(item.accessibility, hasPasscode: now.state.hasPasscode, with: now.keys) {
            return (refusal, 0)
        }
        let name = Name(service: item.service, account: item.account)
        let group = item.accessGroup ?? now.defaultGroup
        let isTaken = items[name, default: []].contains {
            ($0.item.accessGroup ?? now.appGroup) == group && $0.item.isSynchronizable == item.isSynchronizable
        }
        if isTaken { return (.duplicateItem, 0) }
        if let freeBytes = now.freeBytes, item.size > freeBytes { return (full(now), 0) }
        var item = item
        item.data = item.data.rebased
        if group != now.appGroup { item.accessGroup = group }
        let stored = Stored(item: item, biometrySet: item.accessControl == nil ? nil : now.state.biometry.set)
        let failure = changing { items in items[name, default: []].append(stored) }
        return failure.map { ($0, 0) } ?? (.success, item.size)
    }

    func copyMatching(_ query: KeychainQuery, _ now: Circumstances) -> (status: KeychainStatus, items: [KeychainItem]) {
        if let refusal = missingEntitlement(query.accessGroup, now) { return (refusal, []) }
        if let failure = load() { return (failure, []) }
        var matches = matches(query, now)
        if query.matchesAll, now.knobs.keychainListingSkipsLockedItems {
            matches.removeAll { KeychainRules.refusal($0.item.accessibility, with: now.keys) != nil }
        } else if !query.matchesAll, matches.count > 1 {
            matches = Array(matches.prefix(1))
        }
        if matches.isEmpty { return (.itemNotFound, []) }
        for match in matches {
            if let refusal = refusal(match, query, now, needsPerson: query.returnsData) { return (refusal, []) }
        }
        return (
            .success,
            matches.map { match in
                var item = match.item
                if !query.returnsData { item.data = Data() }
                return item
            }
        )
    }

    func update(_ query: KeychainQuery, to change: KeychainChange, _ now: Circumstances) -> (status: KeychainStatus, growth: Int) {
        if let refusal = missingEntitlement(query.accessGroup, now) ?? missingEntitlement(change.accessGroup, now) { return (refusal, 0) }
        if let failure = load() { return (failure, 0) }
        let matches = matches(query, now)
        if matches.isEmpty { return (.itemNotFound, 0) }
        if let group = change.accessGroup, !canMove(matches, to: group, now) { return (.duplicateItem, 0) }
        var growth = 0
        var changed: [(old: Stored, new: Stored)] = []
        for match in matches {
            if let refusal = refusal(match, query, now, needsPerson: true) { return (refusal, 0) }
            if let accessibility = change.accessibility,
                let refusal = KeychainRules.refusalToStore(accessibility, hasPasscode: now.state.hasPasscode, with: now.keys)
            {
                return (refusal, 0)
            }
            let new = match.changed(by: change, biometry: now.state.biometry, appGroup: now.appGroup)
            growth += new.item.size - match.item.size
            changed.append((match, new))
        }
        if let freeBytes = now.freeBytes, growth > freeBytes || freeBytes <= 0 { return (full(now), 0) }
        let failure = changing { items in
            for (old, new) in changed {
                let name = Name(service: old.item.service, account: old.item.account)
                guard let index = items[name]?.firstIndex(of: old) else { continue }
                items[name]?[index] = new
            }
        }
        return failure.map { ($0, 0) } ?? (.success, growth)
    }

    /// Works on a locked device, and without a person.
    func delete(_ query: KeychainQuery, _ now: Circumstances) -> (status: KeychainStatus, growth: Int) {
        if let refusal = missingEntitlement(query.accessGroup, now) { return (refusal, 0) }
        if let failure = load() { return (failure, 0) }
        let matches = matches(query, now)
        if matches.isEmpty { return (.itemNotFound, 0) }
        let failure = remove(matches)
        return failure.map { ($0, 0) } ?? (.success, -matches.reduce(0) { $0 + $1.item.size })
    }

    // MARK: What happens to the device

    /// - Returns: by how many bytes what is stored grew.
    func passcodeRemoved() -> Int {
        removeAll { !KeychainRules.survivesPasscodeRemoval($0.item.accessibility) }
    }

    /// - Returns: by how many bytes what is stored grew.
    func removeAll(where condition: (Stored) -> Bool = { _ in true }) -> Int {
        guard load() == nil else { return 0 }
        let removed = items.values.joined().filter(condition)
        return remove(removed) == nil ? -removed.reduce(0) { $0 + $1.item.size } : 0
    }

    // MARK: Inside

    private func missingEntitlement(_ group: String?, _ now: Circumstances) -> KeychainStatus? {
        guard now.entitlements.hasKeychain else { return .missingEntitlement }
        guard let group, !isEntitled(to: group, now) else { return nil }
        return .missingEntitlement
    }

    /// App Groups are access groups too (Apple: "Sharing access to keychain items among a collection of apps").
    private func isEntitled(to group: String, _ now: Circumstances) -> Bool {
        if group == now.defaultGroup || now.ignoresAccessControl { return true }
        guard !now.isOfOtherPart(group) else { return false }
        guard let groups = now.entitlements.keychainAccessGroups else { return true }
        return groups.contains(group) || now.entitlements.appGroups?.contains(group) == true
    }

    /// Whether no two items of a name are in the group afterwards.
    private func canMove(_ matches: [Stored], to group: String, _ now: Circumstances) -> Bool {
        var names: Set<Name> = []
        return matches.allSatisfy { match in
            let name = Name(service: match.item.service, account: match.item.account)
            let isTaken = items[name, default: []].contains { other in
                !matches.contains(other) && (other.item.accessGroup ?? now.appGroup) == group
                    && other.item.isSynchronizable == match.item.isSynchronizable
            }
            return !isTaken && names.insert(name).inserted
        }
    }

    private func full(_ now: Circumstances) -> KeychainStatus {
        KeychainStatus(rawValue: Int32(truncatingIfNeeded: now.knobs.fullKeychainStatus))
    }

    private func refusal(
        _ stored: Stored, _ query: KeychainQuery, _ now: Circumstances, needsPerson: Bool
    ) -> KeychainStatus? {
        if let refusal = KeychainRules.refusal(stored.item.accessibility, with: now.keys) { return refusal }
        guard needsPerson, !now.ignoresAccessControl, let policy = stored.item.accessControl else { return nil }
        let situation = AccessControlRules.Situation(
            hasPasscode: now.state.hasPasscode, biometry: now.state.biometry, biometrySetAtCreation: stored.biometrySet,
            allowsInteraction: query.allowsInteraction && now.state.lockState == .unlocked, answer: now.answer)
        return AccessControlRules.refusal(policy, in: situation, knobs: now.knobs)
    }

    private func matches(_ query: KeychainQuery, _ now: Circumstances) -> [Stored] {
        func isMatch(_ stored: Stored) -> Bool {
            let item = stored.item
            return item.isSynchronizable == query.isSynchronizable
                && query.accessibility.map { $0 == item.accessibility } ?? true
                && query.accessGroup.map { $0 == item.accessGroup ?? now.appGroup } ?? isEntitled(to: item.accessGroup ?? now.appGroup, now)
                && query.service.map { $0 == item.service } ?? true
                && query.account.map { $0 == item.account } ?? true
        }
        // What some devices were seen to do instead of refusing.
        let hidesLocked = now.knobs.keychainReadsAsAbsentBeforeFirstUnlock && now.state.lockState == .beforeFirstUnlock
        func isSeen(_ stored: Stored) -> Bool {
            !hidesLocked || KeychainRules.refusal(stored.item.accessibility, with: now.keys) == nil
        }
        if let service = query.service, let account = query.account {
            let named = items[Name(service: service, account: account), default: []].filter { isMatch($0) && isSeen($0) }
            return named.count > 1 ? sorted(named, defaultGroup: now.appGroup) : named
        }
        return sorted(items.values.joined().filter { isMatch($0) && isSeen($0) }, defaultGroup: now.appGroup)
    }

    func sorted(_ items: some Sequence<Stored>, defaultGroup: String) -> [Stored] {
        items.sorted { lhs, rhs in
            for (left, right) in [
                (lhs.item.service, rhs.item.service), (lhs.item.account, rhs.item.account),
                (lhs.item.accessGroup ?? defaultGroup, rhs.item.accessGroup ?? defaultGroup),
            ] where left != right {
                return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
            return !lhs.item.isSynchronizable && rhs.item.isSynchronizable
        }
    }

    private func remove(_ removed: [Stored]) -> KeychainStatus? {
        guard !removed.isEmpty else { return nil }
        return changing { items in
            for stored in removed {
                let name = Name(service: stored.item.service, account: stored.item.account)
                items[name]?.removeAll { $0 == stored }
                if items[name]?.isEmpty == true { items[name] = nil }
            }
        }
    }

    /// Changes the items, with files only if the change could be saved.
    func changing(_ change: (inout [Name: [Stored]]) -> Void) -> KeychainStatus? {
        guard let files else {
            change(&items)
            return nil
        }
        var changed = items
        change(&changed)
        if let failure = files.save(sorted(changed.values.joined(), defaultGroup: "")) { return failure }
        items = changed
        return nil
    }

    /// With files: notices what became of the file.
    func load() -> KeychainStatus? {
        guard let files else { return nil }
        switch files.load() {
        case .unchanged: return nil
        case .failed(let status): return status
        case .items(let loaded):
            items = Dictionary(grouping: loaded) { Name(service: $0.item.service, account: $0.item.account) }
            return nil
        }
    }
}

extension SimulatedKeychain.Stored {
    func changed(by change: KeychainChange, biometry: Biometry, appGroup: String) -> Self {
        var new = self
        if let data = change.data { new.item.data = data.rebased }
        if let generic = change.generic { new.item.generic = generic }
        if let accessGroup = change.accessGroup { new.item.accessGroup = accessGroup == appGroup ? nil : accessGroup }
        if let accessibility = change.accessibility { new.item.accessibility = accessibility }
        new.item.accessControl = change.accessControl(from: item.accessControl)
        if new.item.accessControl == nil {
            new.biometrySet = nil
        } else if change.accessControl != nil {
            new.biometrySet = biometry.set
        }
        return new
    }
}

extension KeychainItem {
    /// The bytes that an item takes.
    var size: Int { data.count + (generic?.count ?? 0) + service.utf8.count + account.utf8.count }
}

extension Data {
    /// The same bytes, counted from 0.
    var rebased: Data { startIndex == 0 ? self : Data(self) }
}

/// The keychain as a whole: for looking into it, and for backups.
extension SimulatedKeychain {
    /// Replaces all items, as a restore does.
    /// - Returns: by how many bytes what is stored grew.
    func replaceAll(with restored: [Stored]) throws -> Int {
        let before = items.values.joined().reduce(0) { $0 + $1.item.size }
        let failure = changing { items in
            items = Dictionary(grouping: restored) { Name(service: $0.item.service, account: $0.item.account) }
        }
        if let failure { throw Self.unusable(failure) }
        return restored.reduce(-before) { $0 + $1.item.size }
    }

    /// All items, sorted.
    func contents() throws -> [KeychainItem] { try storedItems().map(\.item) }

    /// All items with what they are bound to, sorted.
    func storedItems() throws -> [Stored] {
        if let failure = load() { throw Self.unusable(failure) }
        return sorted(items.values.joined(), defaultGroup: "")
    }

    private static func unusable(_ failure: KeychainStatus) -> StorageError {
        StorageError(.corrupt, facts: ["the keychain file cannot be read or written (OSStatus \(failure.rawValue))"])
    }
}

/// A device's keychain as one app process sees it. After the process ended every call answers −36 and changes nothing.
struct SimulatedKeychainAccess: KeychainStore {
    let storage: DeviceStorage
    let life: ProcessLife

    /// An app learns it from an item of its own, which there is none of before the first unlock.
    var ownAccessGroup: String? {
        let now = storage.circumstances(for: life)
        return now.state.lockState == .beforeFirstUnlock ? nil : now.defaultGroup
    }

    func add(_ item: KeychainItem) -> KeychainStatus {
        if let refusal = begin(.keychainAdd, item.service, item.account) { return refusal }
        let (status, growth) = storage.keychain.add(item, storage.circumstances(for: life))
        storage.keychainGrew(by: growth)
        return status
    }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        if let refusal = begin(.keychainRead, query.service, query.account) { return (refusal, []) }
        let now = storage.circumstances(for: life)
        var (status, items) = storage.keychain.copyMatching(query, now)
        guard life.isOfApp else { return (status, items) }
        for index in items.indices {
            // SecItem gives an app no way to tell what an item's access control asks for.
            items[index].accessControl = nil
            // It names the group of each item.
            items[index].accessGroup = items[index].accessGroup ?? now.appGroup
        }
        return (status, items)
    }

    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        if let refusal = begin(.keychainUpdate, query.service, query.account) { return refusal }
        let (status, growth) = storage.keychain.update(query, to: change, storage.circumstances(for: life))
        storage.keychainGrew(by: growth)
        return status
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        if let refusal = begin(.keychainDelete, query.service, query.account) { return refusal }
        let (status, growth) = storage.keychain.delete(query, storage.circumstances(for: life))
        storage.keychainGrew(by: growth)
        return status
    }

    private func begin(_ operation: StorageOperation, _ service: String?, _ account: String?) -> KeychainStatus? {
        do {
            return try storage.begin(operation, life, at: "\(service ?? "*")/\(account ?? "*")")?.status
        } catch let error as StorageError where [.corrupt, .unsupportedFormat].contains(error.code) {
            return .decode
        } catch {
            return .inputOutput
        }
    }
}

extension DeviceStorage {
    func circumstances(for life: ProcessLife) -> SimulatedKeychain.Circumstances {
        SimulatedKeychain.Circumstances(
            state: state(), keys: keys, answer: authenticationAnswer, ignoresAccessControl: life.passesAccessControl,
            entitlements: entitlements,
            defaultGroup: life.part.bundleIdentifier(ofApp: bundleIdentifier), appGroup: bundleIdentifier,
            part: life.part, freeBytes: disk.freeBytes, knobs: knobs)
    }

    func keychainGrew(by bytes: Int) {
        if let free = disk.freeBytes { disk.freeBytes = max(0, free - bytes) }
    }
}
