import Foundation

/// For tools that look at a device from outside the app. Nothing is read that an app would have read, and nothing is written.
extension StorageRouter {
    /// The version of a synced value, as the ledger on the device has it.
    package struct RecordedVersion: Sendable, Hashable {
        /// What the ledger says of the place.
        package enum Content: String, Sendable {
            case value, deleted, lost
        }

        /// Counts the writes of the key.
        package let counter: UInt64
        /// Who wrote it: the device, and which installation of the app.
        package let writer: String
        package let content: Content
        /// Whether the value is the smaller form for the watch.
        package let isReduced: Bool
        /// The version of a change that was announced, and is not known to be stored; and who makes it.
        package let announcedCounter: UInt64?
        package let announcedWriter: String?
    }

    /// The version of the key's value; `nil` where the ledger knows none.
    /// - Throws: ``StorageError`` where it cannot be read.
    package nonisolated func recordedVersion(of key: AnyStorageKey) throws -> RecordedVersion? {
        guard let record = try sync.ledger.record(of: key.name, in: key.domain) else { return nil }
        let content: RecordedVersion.Content =
            switch record.committed.content {
            case .value: .value
            case .deleted: .deleted
            case .lost: .lost
            }
        return RecordedVersion(
            counter: record.committed.stamp.counter, writer: record.committed.stamp.device, content: content,
            isReduced: record.committed.isReduced, announcedCounter: record.pending?.stamp.counter,
            announcedWriter: record.pending?.stamp.device)
    }

    /// What waits to be sent, and why, as far as the process has found out by itself. Does not look for more, as ``syncStatus()`` does.
    package nonisolated func rememberedPending() async -> [SyncStatus.Pending] {
        await sync.statusAsRemembered().pending
    }
}
