import LocalData

/// A keychain as many wrappers have one.
package final class CarelessKeychain: KeychainStore, @unchecked Sendable {
    package enum Flaw: Sendable {
        /// An item is replaced by deleting it and adding another.
        case deleteThenAdd
        /// A keychain that cannot be read, as before the first unlock, counts as broken: it is cleared, and begun anew.
        case clearsWhatItCannotRead
    }

    private let base: any KeychainStore
    private let flaw: Flaw

    package init(_ base: any KeychainStore, _ flaw: Flaw) {
        self.base = base
        self.flaw = flaw
    }

    package func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }

    package func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        let found = base.copyMatching(query)
        guard case .clearsWhatItCannotRead = flaw, found.status != .success, found.status != .itemNotFound else { return found }
        _ = base.delete(KeychainQuery(matchesAll: true))
        return (.itemNotFound, [])
    }

    package func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        guard case .deleteThenAdd = flaw else { return base.update(query, to: change) }
        let (status, items) = base.copyMatching(query)
        guard status == .success, var item = items.first else { return status }
        _ = base.delete(query)
        item.data = change.data ?? item.data
        item.generic = change.generic ?? item.generic
        return base.add(item)
    }

    package func delete(_ query: KeychainQuery) -> KeychainStatus { base.delete(query) }
}
