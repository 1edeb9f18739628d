import Foundation
import LocalData

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
