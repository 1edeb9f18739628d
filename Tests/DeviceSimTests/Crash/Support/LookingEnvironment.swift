import DeviceSim
import DeviceSimRunner
import LocalData

@testable import DeviceSimCore

extension StorageEnvironment {
    /// What lies on a device, to look at with LocalData and without changing it: not even leftovers are collected.
    static func looking(at device: Device) -> StorageEnvironment {
        let life = ProcessLife(device: device.id, number: 0, startedBeforeFirstUnlock: false)
        var environment = device.options.adaptEnvironment(device.id, device.environment(for: life))
        environment.fileSystem = ReadOnlyFileSystem(base: environment.fileSystem)
        environment.defaults = ReadOnlyDefaults(base: environment.defaults)
        environment.keychain = ReadOnlyKeychain(base: environment.keychain)
        return environment
    }
}
