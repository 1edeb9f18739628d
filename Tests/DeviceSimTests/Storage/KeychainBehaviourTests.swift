import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// What the keychain does beside the specification's tables, see ``KeychainTableTests``.
@Suite struct KeychainBehaviourTests {
    private let query = KeychainQuery(service: "service", account: "account")

    private func item(_ accessibility: KeychainAccessibility, account: String = "account") -> KeychainItem {
        KeychainItem(service: "service", account: account, data: Data("secret".utf8), accessibility: accessibility)
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

    /// As of SecItem: an app is told of each item in which group it lies, and finds out by one of its own which group that is.
    @Test func anItemNamesItsGroup() {
        let rig = StorageRig()
        #expect(rig.keychain.add(item(.afterFirstUnlock)) == .success)
        let own = rig.keychain.ownAccessGroup
        #expect(own == "com.example.app")
        #expect(rig.keychain.copyMatching(query).items.map(\.accessGroup) == [own])
        rig.state.wasUnlockedSinceBoot = false
        #expect(rig.keychain.ownAccessGroup == nil)
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
        #expect(rig.keychain.matches(KeychainQuery(matchesAll: true)) == [item(.always)])
    }
}
