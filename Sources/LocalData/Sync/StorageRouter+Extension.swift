import Foundation

/// What an extension of the app, such as a widget, does differently: it has no session with the counterpart, and the versions of synced values are the
/// app's to give. Two processes that wrote one ledger would take each other's versions back.
///
/// What an extension sets counts as an edit made outside the app: the app finds it when it syncs, at the latest at its next launch, gives it the next
/// version and sends it.
extension StorageRouter {
    /// Bytes for an extension to store with a secret, so that the app can tell it from the one before, as a file's digest does.
    nonisolated func tagOfExtension(for key: any StorageKey) throws -> Data? {
        guard environment.device.isAppExtension, key.domain.isKeychain, key.syncPolicy != .never else { return nil }
        return SyncRevision.tag(try environment.entropy.exactly(SyncRevision.tagLength), counter: 0)
    }

    /// Refuses an extension's removal that the app could not tell from a loss: it would bring the value back, from the counterpart or from where an
    /// earlier version of the app left it.
    nonisolated func requireRemovalIsKnown(of key: any StorageKey) throws {
        guard environment.device.isAppExtension, key.syncPolicy != .never || key.migration != nil else { return }
        let what = key.syncPolicy == .never ? "has a migration" : "syncs"
        throw StorageError(
            .unsupported,
            facts: ["the key \(what), so only the app can remove its value; an extension can set a value that stands for none"])
    }
}
