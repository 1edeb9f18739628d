import DeviceSim
import LocalData

/// A keychain that says of every change of one item that it was made, and keeps what the item had.
struct ForgetfulKeychain: KeychainStore {
    let base: any KeychainStore
    let account: String
    /// Whether the item is not even told of.
    var hides = false

    var ownAccessGroup: String? { base.ownAccessGroup }

    func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }
    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        guard hides else { return base.copyMatching(query) }
        let (status, items) = base.copyMatching(query)
        let told = items.filter { $0.account != account }
        return (told.isEmpty && !items.isEmpty ? .itemNotFound : status, told)
    }
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        query.account == account ? .success : base.update(query, to: change)
    }
    func delete(_ query: KeychainQuery) -> KeychainStatus { base.delete(query) }
}

extension RunOptions {
    /// The keychains of apps keep the first value of that name.
    static func keepingFirst(_ name: String) -> RunOptions {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            changed.keychain = ForgetfulKeychain(base: environment.keychain, account: name)
            return changed
        }
        return options
    }
}
