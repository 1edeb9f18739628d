import Foundation

/// A change of a synced value that is announced in the ledger and not yet confirmed.
struct SyncTicket: Sendable {
    let location: StorageLocation
    let keyName: String
    let stamp: SyncStamp
    /// For keychain items: what to store as ``KeychainItem/generic`` together with the secret.
    let tag: Data?
    /// False where the ledger could not be read. The change is then found and stamped like an edit made outside LocalData.
    let isRecorded: Bool
}
