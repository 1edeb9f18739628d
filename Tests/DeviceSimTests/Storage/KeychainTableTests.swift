import Foundation
import LocalData
import Testing

@testable import DeviceSim

/// Every cell of the specification's tables of keychain accessibility and operations.
@Suite struct KeychainTableTests {
    static let accessibility = SpecificationTable(
        """
        | class | before first unlock | locked | unlocked | no passcode | restored, same device | restored, other device | passcode removed |
        | whenUnlocked | -25308 | -25308 | ok | ok | ok | ok from an encrypted backup | kept |
        | afterFirstUnlock | -25308 | ok | ok | ok | ok | ok from an encrypted backup | kept |
        | always | ok | ok | ok | ok | ok | ok from an encrypted backup | kept |
        | whenUnlockedThisDeviceOnly | -25308 | -25308 | ok | ok | ok | missing | kept |
        | afterFirstUnlockThisDeviceOnly | -25308 | ok | ok | ok | ok | missing | kept |
        | alwaysThisDeviceOnly | ok | ok | ok | ok | ok | missing | kept |
        | whenPasscodeSetThisDeviceOnly | -25308 | -25308 | ok | add gives -25293 | missing | missing | deleted, for good |
        """)

    private let query = KeychainQuery(service: "service", account: "account")

    private func item(_ accessibility: KeychainAccessibility, account: String = "account") -> KeychainItem {
        KeychainItem(service: "service", account: account, data: Data("secret".utf8), accessibility: accessibility)
    }

    @Test(arguments: [StorageBackend.memory, .realFiles], accessibility.cells)
    func everyCellOfAccessibilityHolds(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        let scratch = backend == .memory ? nil : try ScratchFolder()
        let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
        let accessibility = try #require(KeychainAccessibility(rawValue: cell.row))
        switch cell.column {
        case "before first unlock", "locked", "unlocked":
            #expect(rig.keychain.add(item(accessibility)) == .success)
            if cell.column == "locked" { rig.lock() }
            if cell.column == "before first unlock" { rig.restart() }
            expect(rig, accessibility, cell.value == "ok" ? .success : .interactionNotAllowed)
        case "no passcode":
            rig.state.hasPasscode = false
            let expected: KeychainStatus = cell.value == "ok" ? .success : .authFailed
            #expect(rig.keychain.add(item(accessibility)) == expected)
            #expect(rig.keychain.copyMatching(query).status == (cell.value == "ok" ? .success : .itemNotFound))
        case "restored, same device", "restored, other device":
            let isSame = cell.column == "restored, same device"
            func survives(encrypted: Bool) -> Bool {
                KeychainRules.survivesRestore(accessibility, toSameDevice: isSame, backupIsEncrypted: encrypted, knobs: Knobs())
            }
            #expect(survives(encrypted: true) == (cell.value != "missing"))
            #expect(survives(encrypted: false) == (isSame && cell.value != "missing"), "an unencrypted backup is for the same device only")
        case "passcode removed":
            #expect(rig.keychain.add(item(accessibility)) == .success)
            rig.state.hasPasscode = false
            rig.storage.passcodeRemoved()
            rig.state.hasPasscode = true
            #expect(rig.keychain.copyMatching(query).status == (cell.value == "kept" ? .success : .itemNotFound))
        default: Issue.record("an unknown column")
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

    static let operations = SpecificationTable(
        """
        | situation | add | read | update | delete |
        | no such item | ok | -25300 | -25300 | -25300 |
        | item exists | -25299 | ok | ok | ok |
        | exists, the query names another accessibility | -25299 | -25300 | -25300 | -25300 |
        | its class is locked | -25308 | -25308 | -25308 | ok |
        | access-controlled, no interaction allowed | ok | -25308 | -25308 | ok |
        | access-controlled, user cancels | - | -128 | -128 | - |
        | access-controlled, authentication fails | - | -25293 | -25293 | - |
        | access-controlled, nothing enrolled | - | -25293 | -25293 | - |
        | access-controlled, nobody answers | - | -128 | -128 | - |
        | no entitlement | -34018 | -34018 | -34018 | -34018 |
        | a group without one | -34018 | -34018 | -34018 | -34018 |
        | store full | -25291 |  | -25291 |  |
        """)

    @Test(arguments: [StorageBackend.memory, .realFiles], operations.cells.filter { Int32($0.value) != nil || $0.value == "ok" })
    func everyCellOfTheOperationsHolds(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        let scratch = backend == .memory ? nil : try ScratchFolder()
        let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
        rig.state.editBiometry()
        var item = item(.whenUnlocked)
        var query = query
        if cell.row.hasPrefix("access-controlled") { item.accessControl = .userPresence }
        if cell.row.hasSuffix("nothing enrolled") { item.accessControl = .biometryAny }
        if cell.row == "a group without one" { item.accessGroup = "group" }
        let existsBefore = cell.row != "no such item" && !(cell.column == "add" && ["-25308", "ok", "-25291"].contains(cell.value))
        if existsBefore { #expect(rig.keychain.add(item) == .success) }
        switch cell.row {
        case "exists, the query names another accessibility":
            item.accessibility = .afterFirstUnlock
            query.accessibility = .afterFirstUnlock
        case "its class is locked": rig.lock()
        case "access-controlled, no interaction allowed": query.allowsInteraction = false
        case "access-controlled, user cancels": rig.storage.authenticationAnswer = .cancels
        case "access-controlled, authentication fails": rig.storage.authenticationAnswer = .fails
        case "access-controlled, nothing enrolled": rig.state.removeBiometry()
        case "access-controlled, nobody answers": rig.storage.authenticationAnswer = .away
        case "no entitlement": rig.storage.entitlements.hasKeychain = false
        case "a group without one":
            rig.storage.entitlements.keychainAccessGroups = ["another"]
            query.accessGroup = "group"
        case "store full": rig.storage.setFreeSpace(0)
        default: break
        }
        let status =
            switch cell.column {
            case "add": rig.keychain.add(item)
            case "read": rig.keychain.copyMatching(query).status
            case "update": rig.keychain.update(query, to: KeychainChange(data: Data("new and longer".utf8)))
            default: rig.keychain.delete(query)
            }
        #expect(status == (Int32(cell.value).map(KeychainStatus.init(rawValue:)) ?? .success))
    }

    static let accessControl = SpecificationTable(
        """
        | policy | something enrolled | nothing enrolled | enrolment edited | all biometry removed |
        | userPresence | works | passcode works | works | works |
        | biometryAny | works | -25293 | works | unreadable until enrolled again |
        | biometryCurrentSet | works | -25293 | invalid for ever | invalid for ever |
        | devicePasscode | works | works | works | works |
        | biometryAnyOrDevicePasscode | works | passcode | works | passcode |
        | biometryCurrentSetOrDevicePasscode | works | passcode | passcode only | passcode only |
        """)

    @Test(arguments: [StorageBackend.memory, .realFiles], accessControl.cells)
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
        switch cell.column {
        case "enrolment edited": rig.state.editBiometry()
        case "all biometry removed": rig.state.removeBiometry()
        default: break
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
        default:
            #expect(read() == .success)
            rig.storage.authenticationAnswer = .fails
            #expect(read() == .authFailed)
        }
    }

    @Test func attributesOfAProtectedItemNeedNobody() {
        let rig = StorageRig()
        rig.storage.authenticationAnswer = .away
        var item = item(.whenUnlocked)
        item.accessControl = .devicePasscode
        item.generic = Data("tag".utf8)
        #expect(rig.keychain.add(item) == .success)
        var query = query
        query.returnsData = false
        query.allowsInteraction = false
        let (status, items) = rig.keychain.copyMatching(query)
        #expect(status == .success)
        #expect(items.map(\.generic) == [Data("tag".utf8)])
        #expect(items.map(\.data) == [Data()])
    }

    @Test func nobodyCanAnswerOnALockedDevice() {
        let rig = StorageRig()
        var item = item(.afterFirstUnlock)
        item.accessControl = .userPresence
        #expect(rig.keychain.add(item) == .success)
        rig.lock()
        #expect(rig.keychain.copyMatching(query).status == .interactionNotAllowed)
        rig.unlock()
        #expect(rig.keychain.copyMatching(query).status == .success)
    }

    @Test func withoutAPasscodeNobodyCanAuthenticate() {
        let rig = StorageRig()
        rig.state.editBiometry()
        for policy in KeychainAccessControl.allCases {
            var item = item(.whenUnlocked, account: policy.rawValue)
            item.accessControl = policy
            #expect(rig.keychain.add(item) == .success)
        }
        rig.state.hasPasscode = false
        for policy in KeychainAccessControl.allCases {
            let query = KeychainQuery(service: "service", account: policy.rawValue)
            #expect(rig.keychain.copyMatching(query).status == .authFailed)
        }
    }

    @Test func anUpdateBindsToTheSetThatIsEnrolledThen() {
        let rig = StorageRig()
        rig.state.editBiometry()
        #expect(rig.keychain.add(item(.whenUnlocked)) == .success)
        rig.state.editBiometry()
        #expect(rig.keychain.update(query, to: KeychainChange(accessControl: .biometryCurrentSet)) == .success)
        #expect(rig.keychain.copyMatching(query).status == .success)
        rig.state.editBiometry()
        #expect(rig.keychain.copyMatching(query).status == .authFailed)
    }

    @Test func movingToAnotherClassNeedsBothKeys() {
        let rig = StorageRig()
        #expect(rig.keychain.add(item(.always)) == .success)
        rig.lock()
        #expect(rig.keychain.update(query, to: KeychainChange(accessibility: .whenUnlocked)) == .interactionNotAllowed)
        #expect(rig.keychain.update(query, to: KeychainChange(accessibility: .afterFirstUnlock)) == .success)
        rig.state.hasPasscode = false
        #expect(rig.keychain.update(query, to: KeychainChange(accessibility: .whenPasscodeSetThisDeviceOnly)) == .authFailed)
    }

    @Test(arguments: [false, true]) func aListingWithLockedItemsFailsOrLeavesThemOut(_ skips: Bool) {
        var knobs = Knobs()
        knobs.keychainListingSkipsLockedItems = skips
        let rig = StorageRig(knobs: knobs)
        #expect(rig.keychain.add(item(.whenUnlocked, account: "locked")) == .success)
        #expect(rig.keychain.add(item(.always, account: "open")) == .success)
        rig.lock()
        let (status, items) = rig.keychain.copyMatching(KeychainQuery(service: "service", matchesAll: true))
        #expect(status == (skips ? .success : .interactionNotAllowed))
        #expect(items.map(\.account) == (skips ? ["open"] : []))
    }

    @Test func itemsTakeSpaceAndGiveItBack() {
        let rig = StorageRig()
        rig.storage.setFreeSpace(40)
        #expect(rig.keychain.add(item(.always)) == .success)
        #expect(rig.storage.freeSpace == 40 - 20)
        #expect(rig.keychain.update(query, to: KeychainChange(data: Data(count: 100))) == .notAvailable)
        #expect(rig.keychain.copyMatching(query).items.first?.data == Data("secret".utf8))
        #expect(rig.keychain.delete(query) == .success)
        #expect(rig.storage.freeSpace == 40)
    }

    @Test func itemsOutliveTheAppUnlessTheKnobSaysOtherwise() {
        for survives in [true, false] {
            var knobs = Knobs()
            knobs.keychainSurvivesUninstall = survives
            let rig = StorageRig(knobs: knobs)
            #expect(rig.keychain.add(item(.always)) == .success)
            rig.end()
            rig.storage.uninstallApp()
            rig.start()
            #expect(rig.keychain.copyMatching(query).status == (survives ? .success : .itemNotFound))
        }
    }

    @Test func aDeadProcessReadsAndChangesNothing() {
        let rig = StorageRig()
        #expect(rig.keychain.add(item(.always)) == .success)
        let old = rig.keychain
        rig.relaunch(.crash)
        #expect(old.copyMatching(query).status == .inputOutput)
        #expect(old.add(item(.always, account: "late")) == .inputOutput)
        #expect(old.update(query, to: KeychainChange(data: Data())) == .inputOutput)
        #expect(old.delete(query) == .inputOutput)
        #expect(rig.keychain.copyMatching(KeychainQuery(matchesAll: true)).items == [item(.always)])
    }
}
