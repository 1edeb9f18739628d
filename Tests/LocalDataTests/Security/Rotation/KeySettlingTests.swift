import Foundation
import Testing

@testable import LocalData

/// The system writes preferences in its own time: an old key goes when a power loss can bring back nothing that it sealed.
@Suite struct KeySettlingTests {
    private static let path = "/app/Library/Application Support/LocalData/Keys/Unneeded.json"
    private let test = RotationDevice(domains: [.userDefaults(suite: nil), .documents])

    private func retire() async throws -> [String] { try await test.router().retireUnneededKeys().retired }

    /// What lies in preferences, as a power loss that comes before the system has written leaves it.
    private func sealedByTheOldKey() throws -> PropertyListValue { try #require(test.device.defaults.peek("value0")) }

    @Test func aLaterProcessRetiresItAfterAMinute() async throws {
        test.device.clock.uptime = 1_000
        let router = try await test.filled()
        let old = try #require(try test.ring.primary()?.id)
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.kept == [KeyUse(key: .master(old), isCurrent: false, needs: [.unsettledPreferences])])
        #expect(KeyNeed.unsettledPreferences.text == "preferences that the system may not have written yet")
        test.device.clock.uptime = 5_000
        #expect(try await router.retireUnneededKeys().retired == [], "the same process")
        test.device.clock.uptime = 1_059
        #expect(try await retire() == [], "too early")
        #expect(try await test.router().keyRotationPlan().keys.map(\.needs).contains([.unsettledPreferences]))
        test.device.clock.uptime = 1_060
        let later = try await test.router()
        #expect(try await later.keyRotationPlan().keys.first { $0.key == .master(old) }?.needs == [])
        #expect(try await later.retireUnneededKeys().retired == [old])
        #expect(test.device.files.peek(Self.path) == nil)
    }

    @Test func aRestartIsAsGoodAsAMinute() async throws {
        test.device.clock.uptime = 1_000
        try await test.filled().rotateKeys(retiringOldKeys: true)
        test.device.clock.uptime = 10
        #expect(try await retire().count == 1)
    }

    /// After a power loss the values lie there as before the rotation. What the next process does to them is as young as the rotation was.
    @Test(arguments: ["set", "reseal", "remove"]) func aProcessThatReplacesAnEnvelopeBeginsAnew(_ what: String) async throws {
        let first = try await test.filled()
        let before = try sealedByTheOldKey()
        try await first.rotateKeys(retiringOldKeys: true)
        test.device.defaults.put(before, forKey: "value0")
        let second = try await test.router()
        switch what {
        case "set": try await second.set("value0", for: test.keys[0])
        case "reseal": try await second.resealValues()
        default: try await second.remove(test.keys[0])
        }
        #expect(test.device.files.peek(Self.path) == nil, "also if this process dies, and another one asks")
        #expect(try await second.retireUnneededKeys().kept.map(\.needs) == [[.unsettledPreferences]])
        test.device.defaults.put(before, forKey: "value0")
        #expect(try await test.router().get(test.keys[0]) == "value0")
        try await test.router().resealValues()
        #expect(try await test.retiredForGood().count == 1)
    }

    /// Where the note could not be taken away, and the process is gone that knew, such as an app extension: the suite itself says what was replaced in it.
    @Test(arguments: ["set", "reseal", "remove"]) func aReplacementIsKnownFromTheSuite(_ what: String) async throws {
        test.device.clock.uptime = 1_000
        let first = try await test.filled()
        let before = try sealedByTheOldKey()
        try await first.rotateKeys(retiringOldKeys: true)
        let note = try #require(test.device.files.peek(Self.path))
        test.device.defaults.put(before, forKey: "value0")
        test.device.clock.uptime = 2_000
        let second = try await test.router()
        switch what {
        case "set": try await second.set("value0", for: test.keys[0])
        case "reseal": try await second.resealValues()
        default: try await second.remove(test.keys[0])
        }
        test.device.files.put(note, at: Self.path)
        test.device.clock.uptime = 2_059
        #expect(try await retire() == [])
        test.device.clock.uptime = 2_060
        #expect(test.device.defaults.peek(UnneededKeys.mark) != nil)
        #expect(try await retire().count == 1)
        #expect(test.device.defaults.peek(UnneededKeys.mark) == nil)
    }

    /// What a key in use seals again leaves no mark: nothing of it is ever to go.
    @Test func whatIsSealedByTheSameKeyAgainLeavesNoMark() async throws {
        let router = try await test.filled()
        try await router.set("other", for: test.keys[0])
        try await router.remove(test.keys[0])
        #expect(test.device.defaults.peek(UnneededKeys.mark) == nil)
    }

    @Test func aKeyThatIsNeededAgainWaitsAgain() async throws {
        let router = try await test.filled()
        let before = try sealedByTheOldKey()
        try await router.rotateKeys(retiringOldKeys: true)
        let after = try sealedByTheOldKey()
        test.device.defaults.put(before, forKey: "value0")
        #expect(
            try await test.router().retireUnneededKeys().kept.map(\.needs) == [[.value(key: "value0", domain: "userDefaults")]])
        test.device.defaults.put(after, forKey: "value0")
        #expect(try await test.retiredForGood().count == 1)
    }

    @Test(arguments: ["{", #"{"keys":7,"version":2}"#, ""]) func whatCannotBeReadCountsAsNothing(_ contents: String) async throws {
        try await test.filled().rotateKeys(retiringOldKeys: true)
        test.device.files.put(Data(contents.utf8), at: Self.path)
        let findings = try #require(await test.router().auditReport().findings)
        #expect(findings.contains { $0.kind == .damaged && $0.name == UnneededKeys.file })
        #expect(try await test.retiredForGood().count == 1)
    }

    @Test func theAuditKnowsTheNotes() async throws {
        try await test.filled().rotateKeys(retiringOldKeys: true)
        #expect(test.device.files.peek(Self.path) != nil)
        let findings = try #require(await test.router().auditReport().findings)
        #expect(!findings.contains { $0.name == UnneededKeys.file })
    }

    @Test func aNoteOfAKeyThatIsGoneGoesToo() async throws {
        test.device.files.put(Data(#"{"keys":{"0123456789abcdef":{"process":"a"}},"version":1}"#.utf8), at: Self.path)
        _ = try await test.filled().retireUnneededKeys()
        #expect(test.device.files.peek(Self.path) == nil)
    }

    /// A key whose names are made at run time is registered by its pattern.
    @Test func aPatternInPreferencesWaitsToo() async throws {
        let test = RotationDevice(domains: [.documents])
        let pattern = ValueKey("user.<id>", of: String.self, in: .userDefaults(suite: nil), security: .recommended)
        let router = try await test.filled([.key(pattern)])
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.kept.map(\.needs) == [[.unsettledPreferences]])
    }

    @Test func withoutSealedPreferencesItGoesAtOnce() async throws {
        let test = RotationDevice(domains: [.documents, .keychain(service: nil)])
        #expect(try await test.filled().rotateKeys(retiringOldKeys: true).retirement?.retired.count == 1)
        #expect(test.device.files.peek(Self.path) == nil)
    }
}
