/// Reports what is on a device, against what is registered. It reads, and changes nothing.
///
/// It has no state of its own: each report is one ``DeviceAudit``, which has what it has seen so far.
final class AuditEngine: Sendable {
    let environment: StorageEnvironment
    let keychain: KeychainHelper
    let files: FileStorageHelper
    let encryption: EncryptionHelper
    let catalogs: CatalogRegistry
    let places: PlaceRecord
    let ledger: SyncLedger
    let turns: Turns
    let stored: StoredValues
    let moves: MovedValues
    /// Which keys seal no more, and whether a power loss may bring back what they sealed.
    let rotation: RotationEngine

    init(
        environment: StorageEnvironment, keychain: KeychainHelper, files: FileStorageHelper, encryption: EncryptionHelper,
        catalogs: CatalogRegistry, places: PlaceRecord, ledger: SyncLedger, turns: Turns, stored: StoredValues, moves: MovedValues,
        rotation: RotationEngine
    ) {
        self.environment = environment
        self.keychain = keychain
        self.files = files
        self.encryption = encryption
        self.catalogs = catalogs
        self.places = places
        self.ledger = ledger
        self.turns = turns
        self.stored = stored
        self.moves = moves
        self.rotation = rotation
    }

    /// See ``StorageRouter/auditReport(opensValues:)``.
    func report(opensValues: Bool) async -> StorageAuditReport {
        await ReadOnly.whileLooking {
            var audit = DeviceAudit(engine: self, opensValues: opensValues)
            return await audit.report()
        }
    }
}
