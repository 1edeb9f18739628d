import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// Every row of the specification's table of device states, and the number of cells of all its tables.
@Suite struct DeviceStateTableTests {
    @Test func allCellsOfAllTablesAreTried() {
        let counts: [(String, Int)] = [
            ("device states", SpecificationTable.deviceStates.cells.count),
            ("keychain accessibility", SpecificationTable.keychainAccessibility.cells.count),
            ("keychain operations", SpecificationTable.keychainOperations.cells.count),
            ("access control", SpecificationTable.accessControl.cells.count),
            ("files", SpecificationTable.files.cells.count),
        ]
        #expect(counts.map(\.1) == [7, 49, 36, 24, 20])
        let total = counts.reduce(0) { $0 + $1.1 }
        print(
            "Tables of data protection: \(total) cells, in memory and with real files:",
            counts.map { "\($0) \($1)" }.joined(separator: ", "))
    }

    @Test(arguments: StorageBackend.simulated, SpecificationTable.deviceStates.cells)
    func everyStateThereIs(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        let scratch = backend == .memory ? nil : try ScratchFolder()
        var options = SimulationOptions()
        options.root = scratch?.url
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        let phone = simulation.phone
        switch cell.row {
        case "power":
            phone.powerOff()
            #expect(!phone.state.isPoweredOn)
            #expect(throws: SimulationError.self) { try phone.launchInBackground() }
            phone.powerOn()
            #expect(phone.state.isPoweredOn)
        case "boot phase":
            phone.reboot()
            #expect(phone.state.lockState == .beforeFirstUnlock)
            try phone.unlock()
            try phone.lock()
            #expect(phone.state.lockState == .locked)
        case "lock":
            try phone.lock()
            #expect(phone.state.lockState == .locked)
            try phone.unlock()
            #expect(phone.state.lockState == .unlocked)
            phone.removePasscode()
            phone.reboot()
            #expect(phone.state.lockState == .unlocked, "without a passcode always")
        case "passcode":
            phone.removePasscode()
            #expect(throws: SimulationError.self) { try phone.lock() }
            phone.setPasscode()
            #expect(throws: Never.self) { try phone.lock() }
        case "biometry":
            var sets: Set<Int?> = [phone.state.biometry.set]
            for change in [Biometry.Change.enrolled, .changed, .changed] {
                phone.changeBiometry(change)
                sets.insert(phone.state.biometry.set)
            }
            #expect(sets.count == 4)
            phone.changeBiometry(.removed)
            #expect(phone.state.biometry == .none)
        case "device identity": try expectIdentityDecides(phone)
        case "grace": try expectGrace(simulation)
        default: Issue.record("an unknown row")
        }
    }

    private func expectIdentityDecides(_ phone: Device) throws {
        let keychain = phone.storage.keychain(for: ProcessLife(device: .phone, number: 1, startedBeforeFirstUnlock: false))
        let query = KeychainQuery(service: "service", account: "account")
        #expect(
            keychain.add(.init(service: "service", account: "account", data: Data([1]), accessibility: .alwaysThisDeviceOnly)) == .success)
        let backup = try phone.makeBackup(encrypted: true)
        try phone.restore(backup)
        #expect(keychain.copyMatching(query).status == .success)
        try phone.restore(backup, ontoNewHardware: true)
        #expect(keychain.copyMatching(query).status == .itemNotFound)
        // The old hardware is gone: what it made is foreign to the new one.
        try phone.restore(backup)
        #expect(keychain.copyMatching(query).status == .itemNotFound)
    }

    private func expectGrace(_ simulation: Simulation) throws {
        let phone = simulation.phone
        let keychain = phone.storage.keychain(for: ProcessLife(device: .phone, number: 1, startedBeforeFirstUnlock: false))
        let query = KeychainQuery(service: "service", account: "account")
        #expect(keychain.add(.init(service: "service", account: "account", data: Data([1]))) == .success)
        try phone.lock()
        try simulation.wait(.milliseconds(9_999))
        #expect(keychain.copyMatching(query).status == .success)
        try simulation.wait(.milliseconds(1))
        #expect(keychain.copyMatching(query).status == .interactionNotAllowed)
    }
}
