import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// Every cell of the specification's tables of keychain accessibility and operations.
@Suite struct KeychainTableTests {
    private let query = KeychainQuery(service: "service", account: "account")

    private func item(_ accessibility: KeychainAccessibility, account: String = "account") -> KeychainItem {
        KeychainItem(service: "service", account: account, data: Data("secret".utf8), accessibility: accessibility)
    }

    @Test(arguments: StorageBackend.simulated, SpecificationTable.keychainAccessibility.cells)
    func everyCellOfAccessibilityHolds(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        let accessibility = try #require(KeychainAccessibility(rawValue: cell.row("(deprecated)", "(default)")))
        if cell.column.hasPrefix("restored") { return try expectRestored(backend, cell, accessibility) }
        let scratch = backend == .memory ? nil : try ScratchFolder()
        let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
        switch cell.column {
        case "before first unlock", "locked", "unlocked":
            #expect(rig.keychain.add(item(accessibility)) == .success)
            if cell.column == "locked" { rig.lock() }
            if cell.column == "before first unlock" { rig.restart() }
            expect(rig, accessibility, try cell.status)
        case "no passcode":
            rig.state.hasPasscode = false
            let expected = cell.value == "ok" ? KeychainStatus.success : try cell.status(after: "add gives ")
            #expect(rig.keychain.add(item(accessibility)) == expected)
            #expect(rig.keychain.copyMatching(query).status == (cell.value == "ok" ? .success : .itemNotFound))
        case "passcode removed":
            #expect(rig.keychain.add(item(accessibility)) == .success)
            rig.state.hasPasscode = false
            rig.storage.passcodeRemoved()
            rig.state.hasPasscode = true
            try #require(["kept", "deleted, for good"].contains(cell.value))
            #expect(rig.keychain.copyMatching(query).status == (cell.value == "kept" ? .success : .itemNotFound))
        default: Issue.record("an unknown column")
        }
    }

    /// On a whole device, from a real backup. That an unencrypted one is for the same device only stands below the table.
    private func expectRestored(
        _ backend: StorageBackend, _ cell: SpecificationTable.Cell, _ accessibility: KeychainAccessibility
    ) throws {
        let isSame = cell.column == "restored, same device"
        try #require(["ok", "ok from an encrypted backup", "missing", "missing (K)"].contains(cell.value))
        for isEncrypted in [false, true] {
            let scratch = backend == .memory ? nil : try ScratchFolder()
            var options = SimulationOptions()
            options.root = scratch?.url
            let phone = Simulation(options: options).phone
            let keychain = phone.storage.keychain(for: ProcessLife(device: .phone, number: 1, startedBeforeFirstUnlock: false))
            #expect(keychain.add(item(accessibility)) == .success)
            let backup = try phone.makeBackup(encrypted: isEncrypted)
            #expect(keychain.delete(query) == .success)
            #expect(keychain.add(item(.always, account: "since")) == .success)
            try phone.restore(backup, ontoNewHardware: !isSame)
            try phone.unlock()
            let returns = cell.value.hasPrefix("ok") && (isSame || isEncrypted)
            #expect(keychain.matches(query) == (returns ? [item(accessibility)] : []), "encrypted: \(isEncrypted)")
            let since = KeychainQuery(service: "service", account: "since")
            #expect(keychain.copyMatching(since).status == .itemNotFound, "a restore replaces, it does not merge")
        }
    }

    /// Writing needs the class key as much as reading; deleting needs none.
    private func expect(_ rig: StorageRig, _ accessibility: KeychainAccessibility, _ expected: KeychainStatus) {
        var existence = query
        existence.returnsData = false
        #expect(rig.keychain.copyMatching(query).status == expected)
        #expect(rig.keychain.copyMatching(query).items.isEmpty == (expected != .success))
        #expect(rig.keychain.copyMatching(existence).status == expected, "also for a mere existence query")
        #expect(rig.keychain.update(query, to: KeychainChange(data: Data("new".utf8))) == expected)
        #expect(rig.keychain.add(item(accessibility, account: "second")) == expected)
        #expect(rig.keychain.delete(query) == .success)
        #expect(rig.keychain.copyMatching(query).status == .itemNotFound)
    }

    @Test(arguments: StorageBackend.simulated, SpecificationTable.keychainOperations.cells)
    func everyCellOfTheOperationsHolds(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        // Rows that name two situations are tried in both.
        let situations =
            switch cell.row {
            case "access-controlled, authentication fails or nothing enrolled": ["authentication fails", "nothing enrolled"]
            case "no entitlement, or a group without one": ["no entitlement", "a group without one"]
            default: [cell.row]
            }
        for situation in situations { try expectOperation(backend, cell, situation) }
    }

    private func expectOperation(_ backend: StorageBackend, _ cell: SpecificationTable.Cell, _ situation: String) throws {
        let scratch = backend == .memory ? nil : try ScratchFolder()
        let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
        rig.state.editBiometry()
        var item = item(.whenUnlocked)
        var query = query
        if cell.row.hasPrefix("access-controlled") { item.accessControl = .userPresence }
        if situation == "nothing enrolled" { item.accessControl = .biometryAny }
        if situation == "a group without one" { item.accessGroup = "group" }
        // Adding meets the situation with an item that is not there yet, but where the row speaks of one that is.
        let isThere =
            situation != "no such item" && (cell.column != "add" || situation.hasPrefix("item exists") || situation.hasPrefix("exists"))
        if isThere { #expect(rig.keychain.add(item) == .success) }
        switch situation {
        case "no such item", "item exists": break
        case "exists, the query names another accessibility":
            item.accessibility = .afterFirstUnlock
            query.accessibility = .afterFirstUnlock
        case "its class is locked": rig.lock()
        case "access-controlled, no interaction allowed": query.allowsInteraction = false
        case "access-controlled, user cancels": rig.storage.authenticationAnswer = .cancels
        case "authentication fails": rig.storage.authenticationAnswer = .fails
        case "nothing enrolled": rig.state.removeBiometry()
        case "no entitlement": rig.storage.entitlements.hasKeychain = false
        case "a group without one":
            rig.storage.entitlements.keychainAccessGroups = ["another"]
            query.accessGroup = "group"
        case "store full": rig.storage.setFreeSpace(0)
        default: Issue.record("an unknown row")
        }
        let expected = try cell.status
        switch cell.column {
        case "add": #expect(rig.keychain.add(item) == expected)
        case "read":
            #expect(rig.keychain.copyMatching(query).status == expected)
            if cell.value.hasSuffix("also for a mere existence query") {
                query.returnsData = false
                #expect(rig.keychain.copyMatching(query).status == expected)
            }
        case "update": #expect(rig.keychain.update(query, to: KeychainChange(data: Data("new and longer".utf8))) == expected)
        case "delete": #expect(rig.keychain.delete(query) == expected)
        default: Issue.record("an unknown column")
        }
    }

    @Test(arguments: StorageBackend.simulated, SpecificationTable.accessControl.cells)
    func everyCellOfAccessControlHolds(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        for invalidated in [KeychainStatus.authFailed, .itemNotFound] { try expectAccessControl(backend, cell, invalidated) }
    }

    private func expectAccessControl(
        _ backend: StorageBackend, _ cell: SpecificationTable.Cell, _ invalidated: KeychainStatus
    ) throws {
        let scratch = backend == .memory ? nil : try ScratchFolder()
        var knobs = Knobs()
        knobs.invalidatedItemStatus = Int(invalidated.rawValue)
        let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory, knobs: knobs)
        if cell.column != "nothing enrolled" { rig.state.editBiometry() }
        var item = item(.whenUnlocked)
        item.accessControl = KeychainAccessControl(rawValue: cell.row)
        #expect(item.accessControl != nil)
        #expect(rig.keychain.add(item) == .success)
        if cell.column != "nothing enrolled" { #expect(rig.keychain.copyMatching(query).status == .success, "it works before") }
        switch cell.column {
        case "satisfied by", "nothing enrolled": break
        case "enrolment edited": rig.state.editBiometry()
        case "all biometry removed": rig.state.removeBiometry()
        default: Issue.record("an unknown column")
        }
        let read = { rig.keychain.copyMatching(query).status }
        switch cell.value {
        case "-25293": #expect(read() == .authFailed)
        case "unreadable until enrolled again":
            #expect(read() == .authFailed)
            rig.state.editBiometry()
            #expect(read() == .success)
        case "invalid for ever":
            #expect(read() == invalidated)
            rig.state.editBiometry()
            #expect(read() == invalidated)
            #expect(rig.keychain.update(query, to: KeychainChange(data: Data())) == invalidated)
            #expect(rig.keychain.add(item) == .duplicateItem, "it is still there")
            #expect(rig.keychain.delete(query) == .success)
        case "works", "passcode", "passcode works", "passcode only": expectAnswersDecide(rig)
        case "biometry or passcode", "either":
            expectAnswersDecide(rig)
            rig.state.removeBiometry()
            expectAnswersDecide(rig)
        case "any enrolled biometry":
            rig.state.editBiometry()
            expectAnswersDecide(rig)
            rig.state.removeBiometry()
            #expect(read() == .authFailed)
        case "the same set as at creation":
            expectAnswersDecide(rig)
            rig.state.editBiometry()
            #expect(read() == invalidated)
        default: Issue.record("an unknown cell")
        }
    }

    /// The item can be had, and what the person does decides.
    private func expectAnswersDecide(_ rig: StorageRig) {
        for (answer, status) in [
            (AuthenticationAnswer.fails, KeychainStatus.authFailed), (.cancels, .userCanceled), (.away, .userCanceled),
            (.succeeds, .success),
        ] {
            rig.storage.authenticationAnswer = answer
            #expect(rig.keychain.copyMatching(query).status == status, "\(answer)")
        }
    }
}
