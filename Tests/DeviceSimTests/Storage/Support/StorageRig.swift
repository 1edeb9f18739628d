import DeviceSim
import Foundation
import LocalData

@testable import DeviceSimCore

/// A device's storage and nothing around it: its state is set by hand, its app's processes are started by hand.
final class StorageRig {
    final class StateBox {
        var state = DeviceState()
    }

    let box = StateBox()
    let scheduler = Scheduler()
    let recorder: Recorder
    let storage: DeviceStorage
    private(set) var life: ProcessLife

    init(_ backing: DeviceStorage.Backing = .memory, knobs: Knobs = Knobs(), lockGrace: VirtualDuration = .zero) {
        recorder = Recorder(scheduler: scheduler)
        storage = DeviceStorage(
            device: .phone, backing: backing, state: { [box] in box.state }, recorder: recorder, knobs: knobs, lockGrace: lockGrace)
        life = ProcessLife(device: .phone, number: 1, startedBeforeFirstUnlock: false)
    }

    var state: DeviceState {
        get { box.state }
        set { box.state = newValue }
    }

    var files: any FileSystem { storage.fileSystem(for: life) }
    var defaults: any DefaultsStore { storage.defaults(for: life) }
    var keychain: any KeychainStore { storage.keychain(for: life) }

    /// Ends the process and starts another one.
    func relaunch(_ end: ProcessEnd = .terminate) {
        self.end(end)
        start()
    }

    func end(_ end: ProcessEnd = .terminate) {
        life.end()
        storage.processEnded(end)
    }

    func start() {
        life = ProcessLife(
            device: .phone, number: life.number + 1, startedBeforeFirstUnlock: state.lockState == .beforeFirstUnlock)
    }

    /// The battery is pulled, and the device comes back unlocked with the app running.
    func losePower(_ policy: PowerLossPolicy = .dropsAll) {
        end(.crash)
        storage.powerLoss(policy)
        start()
    }

    func lock() {
        state.isLocked = true
        storage.locked(at: scheduler.now)
    }

    func unlock() {
        state.isLocked = false
        state.wasUnlockedSinceBoot = true
        storage.unlocked()
    }

    /// As after a restart, with the app's process gone.
    func restart() {
        end()
        storage.reboot()
        state.isLocked = true
        state.wasUnlockedSinceBoot = false
        start()
    }

    var documents: String { "/Containers/Data/Application/com.example.app/Documents" }
}

extension FileSystem {
    /// A file in one go, without a promise of durability.
    func put(_ bytes: Data, at path: String, protection: FileProtection = .completeUntilFirstUserAuthentication) throws {
        let file = try createFile(at: path, protection: protection)
        try file.write(bytes)
        try file.close()
    }

    /// A file by all the steps of a durable replacement.
    func replaceDurably(_ path: String, with bytes: Data, protection: FileProtection = .completeUntilFirstUserAuthentication) throws {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let temporary = path + ".new"
        if try attributes(of: temporary) != nil { try removeFile(at: temporary) }
        let file = try createFile(at: temporary, protection: protection)
        try file.write(bytes)
        try file.synchronize()
        try file.close()
        try rename(temporary, to: path)
        try synchronizeDirectory(at: String(path[..<slash]))
    }
}

/// The errno that `body` fails with; `nil` if it succeeds.
func errnoOf(_ body: () throws -> Void) throws -> Int32? {
    do {
        try body()
        return nil
    } catch let error as FileSystemError {
        return error.errno
    }
}

extension KeychainStore {
    /// The items that a query matches. Those of the process's own group name none, as an item that is added without one: not every store tells the group.
    func matches(_ query: KeychainQuery) -> [KeychainItem] {
        // Before the first unlock it cannot be told which group that is.
        let own = ownAccessGroup ?? "com.example.app"
        return copyMatching(query).items.map { item in
            var item = item
            if item.accessGroup == own { item.accessGroup = nil }
            return item
        }
    }
}
