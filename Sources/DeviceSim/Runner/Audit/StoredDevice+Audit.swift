import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

extension StoredDevice {
    /// The audit report of the app whose keys a scenario declares, on what the device holds now.
    ///
    /// The keys are those of the newest version of the app that the scenario has on this device. The device is looked at as if it were unlocked.
    /// - Parameter catalogs: Those that the scenario was compiled with.
    /// - Throws: `StorageError` if the keys cannot be registered together.
    public func auditReport(for scenario: Scenario, catalogs given: [String: any StorageKeyCatalog] = [:]) throws -> StorageAuditReport {
        let router = StorageRouter(environment: readOnlyEnvironment)
        let catalogs = ScenarioKeys(scenario, catalogs: given).catalogs(for: scenario.newestVersion(on: id))
        let operation = AppOperation<StorageAuditReport>(name: "audit")
        let scheduler = Scheduler()
        Task(executorPreference: scheduler.worldExecutor) {
            do {
                for catalog in catalogs { try await router.registerCatalog(catalog) }
                operation.finish(.success(await router.auditReport()))
            } catch {
                operation.finish(.failure(error))
            }
        }
        while operation.result == nil, scheduler.runReady(limit: 1_000_000), scheduler.fireNextInstant() {}
        guard let result = operation.result else { throw SimulationError.deadlock(at: scheduler.now, operation: operation.name) }
        return try result.get()
    }

    private var readOnlyEnvironment: StorageEnvironment {
        let container = applicationPath ?? "/Containers/Data/Application/none"
        let (application, groups) = (root + container, root + groupsPath)
        let roots = PosixFileSystem.Roots(
            documents: container + "/Documents", caches: container + "/Library/Caches",
            applicationSupport: container + "/Library/Application Support", temporary: container + "/tmp",
            appGroup: { [groupsPath] in groupsPath + "/" + $0 })
        let preferences = FileDefaultsStore(
            directory: application + "/Library/Preferences", standardName: bundleIdentifier,
            appGroupDirectory: { "\(groups)/\($0)/Library/Preferences" })
        return StorageEnvironment(
            fileSystem: ReadOnlyFileSystem(base: PosixFileSystem(roots: roots), root: root), defaults: ReadOnlyDefaults(base: preferences),
            keychain: ReadOnlyKeychain(base: FileKeychainStore(file: root + "/" + KeychainFile.path)), clock: NoClock(),
            entropy: NoEntropy(),
            device: StoredDescription(role: id.isPhone ? .phone : .watch, identifier: id.description, bundleIdentifier: bundleIdentifier))
    }
}

extension Scenario {
    /// The newest version of the app that is ever on the device.
    fileprivate func newestVersion(on id: DeviceID) -> AppVersion {
        func versions(_ steps: [ScenarioStep]) -> [AppVersion] {
            steps.flatMap { step in
                switch step.action {
                case .device(let step): if case .update(let version) = step.action, step.device == id { [version] } else { [AppVersion]() }
                case .together(let steps): versions(steps)
                default: [AppVersion]()
                }
            }
        }
        return versions(steps).reduce(start[id].appVersion) { max($0, $1) }
    }
}
