import LocalData

/// A device's keychain as one app process sees it. After the process ended every call answers −36 and changes nothing.
struct SimulatedKeychainAccess: KeychainStore {
    let storage: DeviceStorage
    let life: ProcessLife

    /// As on a device whose app does not know its prefix: an item that names a group may lie where other processes use it.
    var ownAccessGroup: String? { nil }

    func add(_ item: KeychainItem) -> KeychainStatus {
        if let refusal = begin(.keychainAdd, item.service, item.account) { return refusal }
        let (status, growth) = storage.keychain.add(item, storage.circumstances(for: life))
        storage.keychainGrew(by: growth)
        return status
    }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        if let refusal = begin(.keychainRead, query.service, query.account) { return (refusal, []) }
        var (status, items) = storage.keychain.copyMatching(query, storage.circumstances(for: life))
        // SecItem gives an app no way to tell what an item's access control asks for.
        if life.isOfApp { for index in items.indices { items[index].accessControl = nil } }
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
            state: state(), keys: keys, answer: authenticationAnswer, ignoresAccessControl: !life.isOfApp,
            entitlements: entitlements,
            defaultGroup: life.part.bundleIdentifier(ofApp: bundleIdentifier), appGroup: bundleIdentifier,
            groupsOfOtherParts: Set(AppPart.allCases.filter { $0 != life.part }.map { $0.bundleIdentifier(ofApp: bundleIdentifier) }),
            freeBytes: disk.freeBytes, knobs: knobs)
    }

    func keychainGrew(by bytes: Int) {
        if let free = disk.freeBytes { disk.freeBytes = max(0, free - bytes) }
    }
}
