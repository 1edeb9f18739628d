import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// A key that a scenario file declares, in whichever guise the app declares it.
protocol ScenarioStorageKey: StorageKey where Value: ScenarioRepresentable {
    /// The same key, with nothing but what every key has.
    var plain: DeclaredKey<Value> { get }
    /// The same guise of another key.
    func replacing(_ plain: DeclaredKey<Value>) -> Self
}

extension DeclaredKey: ScenarioStorageKey where Value: ScenarioRepresentable {
    var plain: DeclaredKey { self }
    func replacing(_ plain: DeclaredKey) -> DeclaredKey { plain }
}

/// A key with a smaller form for the watch (see ``WatchForm``).
struct WatchFormKey<Value: ScenarioRepresentable>: ScenarioStorageKey, WatchRepresentable {
    let plain: DeclaredKey<Value>
    private let form: WatchForm

    init(_ plain: DeclaredKey<Value>, form: WatchForm) {
        self.plain = plain
        self.form = form
    }

    func replacing(_ plain: DeclaredKey<Value>) -> WatchFormKey { WatchFormKey(plain, form: form) }

    func watchRepresentation(of value: Value) throws -> Value {
        guard let form = Value(form.applied(to: value.scenarioValue)) else { throw StorageError(.encodingFailed, key: name) }
        return form
    }

    var name: String { plain.name }
    var domain: StorageDomain { plain.domain }
    var security: SecurityPolicy { plain.security }
    var formerSecurity: [SecurityPolicy] { plain.formerSecurity }
    var serializer: Serializer<Value> { plain.serializer }
    var owner: String { plain.owner }
    var description: String { plain.description }
    var availability: PlatformAvailability { plain.availability }
    var syncPolicy: SyncPolicy { plain.syncPolicy }
    var migration: AnyStorageMigration? { plain.migration }
    var missingKeyPolicy: MissingKeyPolicy { plain.missingKeyPolicy }
    var schemaVersion: Int { plain.schemaVersion }
    var accessGroup: String? { plain.accessGroup }
}
