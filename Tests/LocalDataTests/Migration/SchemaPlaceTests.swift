import Foundation
import Testing

@testable import LocalData

/// Where the version of a value's form lies: with the value, so that neither a reinstallation nor a power loss parts the two.
@Suite struct SchemaPlaceTests {
    private func key(_ domain: StorageDomain, schema: Int) -> ValueKey<String> {
        let security: SecurityPolicy =
            if case .keychain = domain { .keychain(accessibility: .afterFirstUnlock, accessControl: nil) } else { .none }
        var key = ValueKey("card", of: String.self, in: domain, security: security)
        key.schemaVersion = schema
        return key
    }

    @Test func anItemThatOutlivesItsAppKeepsTheVersionOfItsForm() async throws {
        let device = TestDevice()
        let (old, new) = (key(.keychain(service: nil), schema: 1), key(.keychain(service: nil), schema: 2))
        try await device.router().set("new", for: new)
        // The app is removed, and an older version of it installed.
        let again = TestDevice(keychain: device.keychain)
        #expect(await storageError { _ = try await again.router().get(old) }?.code == .superseded)
        #expect(await storageError { try await again.router().set("old", for: old) }?.code == .superseded)
        #expect(try await again.router().get(new) == "new")
        try await again.router().remove(old)
        try await again.router().set("old", for: old)
        #expect(try await TestDevice(keychain: device.keychain).router().get(old) == "old")
    }

    @Test func aPowerLossBringsNoNewerFormBackWithoutItsVersion() async throws {
        let device = TestDevice()
        let (old, new) = (key(.userDefaults(suite: nil), schema: 1), key(.userDefaults(suite: nil), schema: 2))
        try await device.router().set("new", for: new)
        let durable = device.defaults.copy()
        try await device.router().remove(old)
        try await device.router().set("old", for: old)
        #expect(try await device.router().get(old) == "old")
        let after = TestDevice(files: device.files.afterPowerLoss(keepingPending: false), defaults: durable)
        #expect(await storageError { _ = try await after.router().get(old) }?.code == .superseded)
        #expect(try await after.router().get(new) == "new")
    }

    @Test func aMarkOfAnEarlierVersionOfLocalDataStillCounts() async throws {
        let device = TestDevice()
        let (old, new) = (key(.userDefaults(suite: nil), schema: 1), key(.userDefaults(suite: nil), schema: 2))
        try await device.router().set("new", for: new)
        try device.defaults.set(nil, forKey: "com.localdata.schema.card", in: .standard)
        #expect(await storageError { _ = try await device.router().get(old) }?.code == .superseded)
        try await device.router().remove(old)
        try await device.router().set("old", for: old)
        #expect(try await device.router().get(old) == "old")
    }

    @Test func aNoteSaysTheVersion() {
        let note = KeychainItemMetadata(tag: Data([1]), schema: 258)
        #expect(note.stored == Data([0x89, 0x4C, 0x44, 0x4E, 1, 1, 1, 1, 4, 4, 0, 0, 1, 2]))
        #expect(note.stored.map(KeychainItemMetadata.init(stored:)) == note)
        // Not a version that any app has: nobody's note, so not believed.
        #expect(KeychainItemMetadata(stored: Data([0x89, 0x4C, 0x44, 0x4E, 1, 4, 4, 0xFF, 0xFF, 0xFF, 0xFF])).schema == 1)
    }
}
