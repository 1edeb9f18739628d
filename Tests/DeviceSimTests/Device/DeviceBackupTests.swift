import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct DeviceBackupTests {
    private static let life = ProcessLife(device: .phone, number: 1, startedBeforeFirstUnlock: false)

    private func phone(_ backend: StorageBackend, _ scratch: ScratchFolder?, knobs: Knobs = Knobs()) -> Device {
        var options = SimulationOptions()
        options.root = scratch?.url
        options.knobs = knobs
        return Simulation(options: options).phone
    }

    private func scratch(_ backend: StorageBackend) throws -> ScratchFolder? { backend == .memory ? nil : try ScratchFolder() }

    @Test(arguments: StorageBackend.simulated) func whatABackupHolds(_ backend: StorageBackend) throws {
        let scratch = try scratch(backend)
        let phone = phone(backend, scratch)
        let files = phone.storage.fileSystem(for: Self.life)
        let paths = try [ContainerDirectory.documents, .caches, .temporary, .applicationSupport, .appGroup("group.a")].map(files.path)
        let (documents, support, group) = (paths[0], paths[3], paths[4])
        for directory in [support + "/kept", support + "/excluded/below", group + "/Library/Caches"] {
            try files.createDirectory(at: directory)
        }
        let kept = [documents + "/a", support + "/kept/b", group + "/c"]
        let left = [
            paths[1] + "/d", paths[2] + "/e", documents + "/f", support + "/excluded/g", support + "/excluded/below/h",
            group + "/Library/Caches/i",
        ]
        for path in kept + left { try files.put(Data(path.utf8.suffix(1)), at: path, protection: .completeUnlessOpen) }
        for path in [documents + "/f", support + "/excluded"] { try files.setExcludedFromBackup(true, at: path) }
        let defaults = phone.storage.defaults(for: Self.life)
        try defaults.set(.string("dark"), forKey: "theme", in: .standard)
        try defaults.set(.integer(3), forKey: "count", in: .appGroup("group.a"))

        let backup = try phone.makeBackup(encrypted: false)
        try files.put(Data("later".utf8), at: documents + "/later")
        try defaults.set(.string("light"), forKey: "theme", in: .standard)
        try defaults.set(.string("later"), forKey: "later", in: .named("own"))
        try phone.restore(backup)
        try phone.unlock()

        let stored = try phone.storage.storedFiles()
        #expect(
            stored.map(\.path) == ["Documents/a", "Library/Application Support/kept/b", "AppGroup/group.a/c"].sortedByContainer(stored))
        #expect(stored.allSatisfy { $0.protection == .completeUnlessOpen && $0.isSynchronized && !$0.isExcludedFromBackup })
        #expect(try phone.storage.storedBytes(ofFile: "Documents/a") == Data("a".utf8))
        let preferences = try phone.storage.storedPreferences().map { "\($0.key)=\($0.value)" }
        #expect(preferences.sorted() == ["count=\(PropertyListValue.integer(3))", "theme=\(PropertyListValue.string("dark"))"])
        #expect(try files.path(of: .documents) != documents, "the container has another path")
    }

    /// What an app reads after a restore that found no room is a value or absent.
    @Test(arguments: StorageBackend.simulated) func aRestoreWithoutRoomLeavesWholeFilesOnly(_ backend: StorageBackend) throws {
        let scratch = try scratch(backend)
        let phone = phone(backend, scratch)
        let files = phone.storage.fileSystem(for: Self.life)
        let documents = try files.path(of: .documents)
        for name in ["a", "b", "c"] { try files.put(Data(repeating: 7, count: 10), at: "\(documents)/\(name)") }
        let backup = try phone.makeBackup(encrypted: false)
        try phone.unlock()
        phone.storage.setFreeSpace(0)
        for name in ["a", "b", "c"] { try files.removeFile(at: "\(documents)/\(name)") }
        phone.storage.setFreeSpace(15)
        #expect(throws: FileSystemError.self) { try phone.restore(backup) }
        phone.storage.setFreeSpace(nil)
        let restored = try phone.storage.storedFiles().filter { $0.path.hasPrefix("Documents/") }
        #expect(restored.count < 3)
        for file in restored { #expect(try phone.storage.storedBytes(ofFile: file.path)?.count == 10) }
    }

    @Test(arguments: StorageBackend.simulated) func whatWasRestoredSurvivesAPowerLoss(_ backend: StorageBackend) throws {
        let scratch = try scratch(backend)
        let phone = phone(backend, scratch)
        let files = phone.storage.fileSystem(for: Self.life)
        try files.put(Data("a".utf8), at: files.path(of: .documents) + "/a")
        try phone.storage.defaults(for: Self.life).set(.string("dark"), forKey: "theme", in: .standard)
        try phone.restore(phone.makeBackup(encrypted: true))
        phone.losePower()
        #expect(try phone.storage.storedFiles().map(\.path) == ["Documents/a"])
        #expect(try phone.storage.storedPreferences().map(\.key) == ["theme"])
    }

    @Test func whatCannotBeDoneIsRefusedWithTheReason() throws {
        let simulation = Simulation()
        let backup = try simulation.phone.makeBackup(encrypted: false)
        #expect(throws: SimulationError.self) { try simulation.watch.restore(backup) }
        simulation.phone.reboot()
        #expect(throws: SimulationError.self) { try simulation.phone.makeBackup(encrypted: false) }
        simulation.phone.powerOff()
        #expect(throws: SimulationError.self) { try simulation.phone.restore(backup) }
    }

    @Test func biometryIsEnrolledAnewAndTheOldSetNeverComesBack() throws {
        let phone = phone(.memory, nil)
        phone.changeBiometry(.enrolled)
        let set = phone.state.biometry.set
        try phone.restore(phone.makeBackup(encrypted: true))
        #expect(phone.state.biometry == .none)
        phone.changeBiometry(.enrolled)
        #expect(phone.state.biometry.set != set)
    }

    @Test(arguments: [false, true]) func thePairingEndsOnNewHardwareUnlessTheKnobSaysOtherwise(_ keeps: Bool) throws {
        var options = SimulationOptions()
        options.knobs.restoreKeepsPairing = keeps
        let simulation = Simulation(options: options)
        let backup = try simulation.phone.makeBackup(encrypted: true)
        try simulation.phone.restore(backup)
        #expect(simulation.network.isPaired)
        try simulation.phone.restore(backup, ontoNewHardware: true)
        #expect(simulation.network.isPaired == keeps)
    }
}

extension [String] {
    /// In the order in which the device lists its containers.
    fileprivate func sortedByContainer(_ listed: [DeviceStorage.StoredFile]) -> [String] {
        sorted { left, right in
            (listed.firstIndex { $0.path == left } ?? .max) < (listed.firstIndex { $0.path == right } ?? .max)
        }
    }
}
