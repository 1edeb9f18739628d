import Foundation
import Testing

@testable import LocalData

/// The list of the places where LocalData kept values.
@Suite struct PlaceRecordTests {
    typealias Key = DeviceAuditTests.Key
    typealias Keys = DeviceAuditTests.Keys

    private static let drafts = StorageDomain.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Drafts", isDirectory: true)))
    private static let path = "/app/Library/Application Support/LocalData/places.json"

    private func findings(_ device: TestDevice) async throws -> [StorageFinding] {
        let router = device.router()
        try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "theme", domain: .userDefaults(suite: nil)))]))
        return try #require(await router.auditReport().findings)
    }

    @Test func placesWithoutKeysAreLookedInto() async throws {
        let device = TestDevice()
        let router = device.router()
        try await router.set("a", for: Key(name: "plain", domain: Self.drafts))
        try await router.set("a", for: Key(name: "sealed", domain: Self.drafts, security: .recommended))
        try await router.set("a", for: Key(name: "setting", domain: .userDefaults(suite: "old")))
        try await router.set("a", for: Key(name: "item", domain: .keychain(service: "gone"), security: DeviceAuditTests.item))
        let found = try await findings(device)
        #expect(found.filter { $0.kind == .abandoned }.map(\.name) == ["plain", "item", "setting"])
        #expect(found.filter { $0.kind == .orphanedValue }.map(\.name) == ["sealed"])
    }

    @Test func itsFormIsKept() async throws {
        let device = TestDevice()
        try await device.router().set("a", for: Key(name: "plain", domain: Self.drafts))
        try await device.router().set("a", for: Key(name: "setting", domain: .userDefaults(suite: "old")))
        let text = try #require(device.files.peek(Self.path).map { String(decoding: $0, as: UTF8.self) })
        #expect(
            text
                == #"{"places":[{"base":"container","kind":"directory","path":"/Drafts"},{"kind":"suite","name":"old"}],"version":1}"#)
    }

    @Test func aDamagedListIsSaidSoAndBegunAnew() async throws {
        let device = TestDevice()
        device.files.put(Data("{".utf8), at: Self.path)
        #expect(try await findings(device).contains { $0.kind == .damaged && $0.name == "places.json" })
        try await device.router().set("a", for: Key(name: "plain", domain: Self.drafts))
        #expect(try await findings(device).map(\.kind) == [.abandoned])
    }

    /// In it, so that a later process does not take it for all places either; and no old key goes on its word.
    @Test func aListThatWasDamagedSaysSoForGood() async throws {
        let device = TestDevice()
        device.files.put(Data("{".utf8), at: Self.path)
        try await device.router().set("a", for: Key(name: "plain", domain: Self.drafts))
        try await device.router().set("a", for: Key(name: "setting", domain: .userDefaults(suite: "old")))
        let text = try #require(device.files.peek(Self.path).map { String(decoding: $0, as: UTF8.self) })
        #expect(
            text
                == #"{"lacksSome":true,"places":[{"base":"container","kind":"directory","path":"/Drafts"},{"kind":"suite","name":"old"}],"version":1}"#
        )
        let router = device.router()
        let sealed = Key(name: "sealed", domain: .fileSystem(directory: .documents), security: .recommended)
        try await router.registerCatalog(Keys(allKeys: [.key(sealed)]))
        try await router.set("a", for: sealed)
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.kept.map(\.needs) == [[.unreadable(place: "LocalData/places.json", .corrupt)]])
    }

    @Test func aListOfANewerVersionStays() async throws {
        let device = TestDevice()
        let newer = Data(#"{"version":2,"places":7}"#.utf8)
        device.files.put(newer, at: Self.path)
        try await device.router().set("a", for: Key(name: "plain", domain: Self.drafts))
        #expect(device.files.peek(Self.path) == newer)
    }

    @Test func aPolicyChosenAtRunTimeIsTold() async throws {
        let router = TestDevice().router()
        let key = Key(name: "theme", domain: .userDefaults(suite: nil))
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        #expect(await router.auditReport().leaving.isEmpty)
        try await router.setSyncPolicyOverride(.automaticSmall, for: key)
        let report = await router.auditReport()
        #expect(report.leaving == ["theme"])
        #expect(report.text.contains("automaticSmall, chosen at run time; declared is never"))
        #expect(report.text.contains("as serialized, to the paired device"))
        #expect(report.json.contains("chosenSync"))
    }
}
