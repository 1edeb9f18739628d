import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Which catalogs an app registers, and when.
extension ScenarioRun {
    /// The app registers those of this version from its next launch on.
    func useCatalogs(of version: AppVersion, on device: Device) {
        behaviours[device.id]?.catalogs = keys.catalogs(for: version, without: scenario.start[device.id].lateCatalogs)
    }

    /// Starts what registers a catalog in the process that runs.
    func register(_ name: String, on device: Device) throws -> AppOperation<Void> {
        let version = version(of: device)
        guard let catalog = keys.catalog(name, in: version) else {
            throw StepFailure("version \(version) of the app has no catalog '\(name)', since it has none of its keys")
        }
        let app = try app(on: device)
        let process = try device.requireProcess().life.number
        let earlier = registrations[device.id].map { $0.process == process ? $0.catalogs : [] } ?? []
        registrations[device.id] = (process, earlier.union([name]))
        return try device.start("register \(name)") { try await app.reference.register(catalog) }
    }

    /// The names of the catalogs that the app which runs has not begun to register, though its version has them.
    package func unregisteredCatalogs(on device: Device) -> Set<String> {
        let late = scenario.start[device.id].lateCatalogs
        guard !late.isEmpty, let process = device.process?.life.number else { return [] }
        let version = version(of: device)
        let registered = registrations[device.id].map { $0.process == process ? $0.catalogs : [] } ?? []
        return Set(late.filter { keys.catalog($0, in: version) != nil }).subtracting(registered)
    }
}
