import Foundation
import Testing

@testable import LocalData

@Suite struct SyncPolicyOverrideTests {
    let pair = SyncPair()

    @Test func neverStopsSendingAndSurvivesARelaunch() async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        pair.phone.relaunch()
        #expect(pair.phone.router.syncPolicy(of: ThemeKey()) == .never)
        try await pair.phone.set("private", for: ThemeKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        try await pair.watch.set("theirs", for: ThemeKey())
        try await pair.heal()
        #expect(try await pair.phone.value(ThemeKey()) == "private")
    }

    @Test func theDeclarationHoldsAgainAfterwards() async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        try await pair.phone.set("edited meanwhile", for: ThemeKey())
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) }
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "edited meanwhile")
    }

    /// What is removed while the key does not sync is not brought back by the counterpart when it syncs again.
    @Test(arguments: [false, true]) func aRemovalMeanwhileStays(relaunches: Bool) async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        try await pair.phone.remove(ThemeKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        if relaunches { pair.phone.relaunch() }
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) }
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == nil) }
    }

    /// An edit meanwhile keeps its place: what the counterpart set after it knew of it goes before, and a later edit here goes before that.
    @Test func editsMeanwhileKeepTheirOrder() async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        try await pair.phone.set("private", for: ThemeKey())
        for value in ["first", "second", "third"] { try await pair.watch.set(value, for: ThemeKey()) }
        try await pair.heal()
        #expect(try await pair.phone.value(ThemeKey()) == "private")
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) }
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == "third") }
    }

    @Test func automaticBecomesManual() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.manual, for: ThemeKey()) }
        try await pair.phone.set("dark", for: ThemeKey())
        #expect(pair.phone.session.sendCount == 0)
        #expect(await pair.phone.status().pending == [.init(key: "theme", obstacle: .notRequested)])
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
    }

    @Test func itDoesNotReachBeyondTheAvailability() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.automaticSmall, for: PhoneKey()) }
        try await pair.phone.set("private", for: PhoneKey())
        try await pair.heal()
        #expect(try pair.watch.storage.defaults.keys(in: .standard) == [])
    }

    @Test func theListsFormatIsPinned() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.manual, for: ThemeKey()) }
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: NotesKey()) }
        let path = try #require(pair.phone.storage.files.paths.first { $0.hasSuffix("Sync/policies.json") })
        #expect(
            pair.phone.storage.files.peek(path)
                == Data(#"{"policies":{"notes":"never","theme":"manual"},"version":1}"#.utf8))
    }

    @Test func aDamagedListMeansTheDeclarationsAndIsVisible() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        let path = try #require(pair.phone.storage.files.paths.first { $0.hasSuffix("Sync/policies.json") })
        pair.phone.storage.files.put(Data("{".utf8), at: path)
        pair.phone.relaunch()
        #expect(pair.phone.router.syncPolicy(of: ThemeKey()) == .automaticSmall)
        #expect(await pair.phone.status().problems["Sync/policies.json"]?.code == .corrupt)
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.manual, for: ThemeKey()) }
        #expect(await pair.phone.status().problems.isEmpty)
    }
}
