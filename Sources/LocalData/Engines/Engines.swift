/// The engines of one device's process, put together. Each names what it reaches, in the order in which they know each other; none knows ``StorageRouter``,
/// except where it is given one for an app's own migration.
struct Engines: Sendable {
    /// Its preferences and keychain refuse "not there" where a process cannot know that yet.
    let environment: StorageEnvironment
    let defaults: UserDefaultsHelper
    let keychain: KeychainHelper
    let files: FileStorageHelper
    let encryption: EncryptionHelper
    let sync: SyncHelper

    let turns: Turns
    let stored: StoredValues
    let admission: Admission
    let versions: ValueVersions
    let moves: MovedValues
    let sealer: Resealer
    let values: ValueEngine
    let migration: MigrationEngine
    let syncing: SyncEngine
    let rotation: RotationEngine
    let audit: AuditEngine

    /// - Parameter notesPlaces: Whether the places of values are noted for audits.
    init(environment: StorageEnvironment, notesPlaces: Bool = true) {
        files = FileStorageHelper(environment: environment)
        let believableDefaults = BelievableDefaults(environment.defaults, on: environment.device, files: files)
        var environment = environment
        environment.defaults = believableDefaults
        environment.keychain = BelievableKeychain.around(environment)
        self.environment = environment
        defaults = UserDefaultsHelper(environment: environment)
        keychain = KeychainHelper(environment: environment)
        encryption = EncryptionHelper(environment: environment)
        let marks = MigrationMarks(environment: environment, files: files)
        sync = SyncHelper(environment: environment, files: files) { key in
            guard let location = try? StorageLocation(of: key) else { return false }
            return marks.mayExist(.moved, at: location) || marks.mayExist(.cleared, at: location)
        }

        let processName = ProcessName()
        let unneededKeys = UnneededKeys(environment: environment, files: files, process: processName)
        let places = PlaceRecord(environment: environment, files: files, isNoting: notesPlaces)
        turns = Turns(environment: environment)
        stored = StoredValues(
            environment: environment, defaults: defaults, keychain: keychain, files: files, encryption: encryption, turns: turns,
            marks: marks,
            unneededKeys: unneededKeys)
        admission = Admission(
            environment: environment, files: files, places: places, witnesses: believableDefaults, ledger: sync.ledger, turns: turns,
            stored: stored)
        versions = ValueVersions(environment: environment, keychain: keychain, sync: sync, turns: turns, stored: stored)
        moves = MovedValues(
            environment: environment, files: files, marks: marks, processName: processName, catalogs: admission.catalogs, turns: turns,
            stored: stored, edits: sync.ledger.store)
        sealer = Resealer(
            defaults: defaults, keychain: keychain, files: files, encryption: encryption, ledger: sync.ledger, turns: turns, stored: stored,
            moves: moves, versions: versions, admission: admission)
        values = ValueEngine(
            environment: environment, places: places, turns: turns, stored: stored, moves: moves, versions: versions, sealer: sealer)
        migration = MigrationEngine(
            environment: environment, files: files, encryption: encryption, marks: marks, sync: sync, turns: turns, stored: stored,
            admission: admission, versions: versions, moves: moves, values: values)
        syncing = SyncEngine(
            environment: environment, sync: sync, turns: turns, stored: stored, admission: admission, versions: versions, moves: moves,
            values: values, migration: migration)
        rotation = RotationEngine(
            environment: environment, defaults: defaults, files: files, encryption: encryption, catalogs: admission.catalogs,
            places: places, unneededKeys: unneededKeys, turns: turns, stored: stored, sealer: sealer)
        audit = AuditEngine(
            environment: environment, keychain: keychain, files: files, encryption: encryption, catalogs: admission.catalogs,
            places: places,
            ledger: sync.ledger, turns: turns, stored: stored, moves: moves, rotation: rotation)
    }
}
