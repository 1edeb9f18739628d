import DeviceSim
import Foundation
import LocalData

@testable import DeviceSimCore

/// A phone and a watch with the app of the crash suite on them.
final class CrashWorld {
    let simulation: Simulation
    let operation: CrashOperation

    init(_ operation: CrashOperation, adapt: @escaping @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment = { $1 }) {
        self.operation = operation
        var options = SimulationOptions()
        let catalog = CrashCatalog(allKeys: operation.keys.map { .key($0) })
        let syncs = operation.syncs
        // Where the library is not to count on it, nothing but time makes preferences durable.
        options.knobs.synchronizedPreferencesAreDurable = !operation.settlesLater
        options.makeApp = { _ in CrashApp(catalog: catalog, syncs: syncs) }
        options.adaptEnvironment = adapt
        simulation = Simulation(options: options)
    }

    var phone: Device { simulation.phone }
    var watch: Device { simulation.watch }

    func shutDown() { simulation.shutDown() }

    /// Both apps launched, if both take part, what is there before the operation in place, and durable where only time makes it so.
    func prepare() throws {
        try simulation.finish(phone.launch())
        if operation.syncs { try simulation.finish(watch.launch()) }
        try simulation.settle()
        let prepare = operation.prepare
        try simulation.run(on: phone, "prepare") { try await prepare(.shared) }
        try operation.prepareWorld(self)
        try simulation.settle()
        if phone.process == nil { try simulation.finish(phone.launch()) }
        phone.storage.preferences.synchronizeAll()
    }

    /// What a person does after a crash: switches on, unlocks, opens the app. The app launches and comes to rest.
    /// - Returns: whether it did; not if a crash was armed and came.
    func relaunch() throws -> Bool {
        try phone.comeBack()
        let launch = try phone.launch()
        guard let process = phone.process else { return false }
        try simulation.finish(launch, in: process)
        try simulation.settle()
        return process.life.isAlive
    }

    /// What a person does another time: the app was ended, and is opened again when preferences are certainly on the disk.
    /// - Returns: What the keys of the facts read as; `nil` if a crash was armed and came.
    func comeAgainLater() throws -> [Reading]? {
        phone.terminate()
        try simulation.wait(.seconds(61))
        guard try relaunch() else { return nil }
        return try values(on: phone)
    }

    /// What the keys of the facts read as in the app, in order; `nil` if a crash came before the last was read.
    func values(on device: Device) throws -> [Reading]? {
        guard let process = device.process, process.life.isAlive else { return nil }
        let keys = operation.facts.map(\.key)
        let reading = process.start("read") { () async -> [Reading] in
            var readings: [Reading] = []
            for key in keys { readings.append(await Reading(of: key, with: .shared)) }
            return readings
        }
        try simulation.finish(reading, in: process)
        guard process.life.isAlive else { return nil }
        return try reading.result?.get()
    }
}

/// What a `get` gave.
enum Reading: Sendable, Hashable {
    case value(String)
    case missing
    case failed(String)

    init(of key: CrashKey, with router: StorageRouter) async {
        do {
            self = .value(try await router.get(key))
        } catch let error as StorageError where error.code == .notFound {
            self = .missing
        } catch {
            self = .failed(ErrorText.of(error))
        }
    }

    init(_ value: String?) {
        self = value.map { .value($0) } ?? .missing
    }
}

struct CrashCatalog: StorageKeyCatalog {
    let name = "Crash"
    let allKeys: [AnyStorageKey]
}

/// The reference app, with the provider of external key material that some keys want.
final class CrashApp: SimulatedApp {
    private let reference: ReferenceApp

    init(catalog: CrashCatalog, syncs: Bool) {
        reference = ReferenceApp(catalogs: [catalog], activatesSession: syncs)
    }

    func didFinishLaunching(inBackground: Bool) async {
        await StorageRouter.shared.encryption.registerKeyMaterialProvider(CrashKeyMaterial(), for: CrashPlace.external)
        await reference.start()
    }
}

extension Device {
    /// Brings the device back after a crash or a power loss: switched on and unlocked. The app is not launched.
    func comeBack() throws {
        powerOn()
        try unlock()
    }
}
