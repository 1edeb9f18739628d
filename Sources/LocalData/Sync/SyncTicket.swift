import Foundation

/// A change of a synced value that is announced in the ledger and not yet confirmed.
struct SyncTicket: Sendable {
    let location: StorageLocation
    let keyName: String
    let stamp: SyncStamp
    /// What to store with the value in one step: for keychain items as ``KeychainItem/generic``, for files as the ``SyncFileNote/attribute``. A file whose
    /// version is recorded has none.
    let tag: Data?
    /// False where the ledger could not be read. The change is then found and stamped like an edit made outside LocalData.
    let isRecorded: Bool
}
