import Foundation
import Testing

@testable import LocalData

/// What the audit says of values that are not as their keys declare, and of values of keys that are not for this device.
@Suite struct AuditDifferenceTests {
    private struct Key: StorageKey {
        typealias Value = String
        var name = "letter"
        var domain: StorageDomain
        var security = SecurityPolicy.recommended
        var formerSecurity: [SecurityPolicy] = []
        var availability = PlatformAvailability.all
        let owner = "Tests"
        let description = "A key of the tests."
    }

    private let documents = StorageDomain.fileSystem(directory: .documents)

    private func report(_ keys: [Key], on device: TestDevice) async throws -> (StorageAuditReport, StorageRouter) {
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: keys.map { .key($0) }))
        return (await router.auditReport(), router)
    }

    @Test func theClassOfAFileIsTold() async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: Key(domain: documents))
        let strict = Key(domain: .encryptedFileSystem(directory: .documents))
        let (before, router) = try await report([strict], on: device)
        #expect(before.items.map(\.differences) == [[.protection]])
        #expect(before.text.contains("    differs in    protection\n"))
        #expect(before.json.contains("\"differences\" : [\n        \"protection\"\n      ]"))
        let outcomes = try await router.resealValues()
        #expect(outcomes.count == 1)
        guard case .resealed([.protection])? = outcomes.first?.result else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(device.files.protection(of: "/app/Documents/letter") == .complete)
        let after = await router.auditReport()
        #expect(after.items.map(\.differences) == [[]] && !after.json.contains("differences"))
        #expect(try await router.get(strict) == "dear")
    }

    @Test func aValueOfAKeyOfTheOtherDeviceIsTold() async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: Key(domain: documents, security: .none))
        try await device.router().set("sealed", for: Key(name: "token", domain: documents))
        let there = [
            Key(domain: documents, security: .none, availability: .watchOnly),
            Key(name: "token", domain: documents, availability: .watchOnly),
            Key(name: "absent", domain: documents, availability: .watchOnly),
            Key(name: "nowhere", domain: .appGroupFileSystem(identifier: "group.none", directory: .documents), availability: .watchOnly),
        ]
        let (report, _) = try await report(there, on: device)
        #expect(report.items.allSatisfy { $0.presence == .notApplicable })
        let stranded = report.findings?.filter { $0.kind == .strandedValue }.map { "\($0.place), \($0.name)" }
        #expect(stranded == ["fileSystem, documents, letter", "fileSystem, documents, token"])
        #expect(report.orphans.map(\.name) == ["letter", "token"])
        #expect(report.text.contains("Values of keys that this device does not have:\n"))
    }

    /// What a key of this device, or its migration, reads at the place is told there, and is not stranded.
    @Test func aValueThatAKeyOfThisDeviceReadsIsNotStranded() async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: ValueKey("oldest", in: documents))
        let old = ValueKey("old", of: String.self).replacing(ValueKey<String>("oldest", in: documents))
        let there = Key(name: "oldest", domain: documents, security: .none, availability: .watchOnly)
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: [.key(ValueKey("new", of: String.self).replacing(old)), .key(there)]))
        let report = await router.auditReport()
        #expect(report.items.first?.legacyCopies.map(\.name) == ["oldest"])
        #expect(report.findings?.filter { $0.kind == .strandedValue } == [])
    }

    private struct Drafts: StorageKeyCatalog {
        static let places: [StorageDomain] = [.fileSystem(directory: .documents), .keychain(service: "s"), .userDefaults(suite: nil)]
        let domain: StorageDomain
        var allKeys: [AnyStorageKey] { [.key(Key(name: "draft_<id>", domain: domain))] }
    }

    /// Nobody names the value, and its master key is needed all the same.
    @Test(arguments: Drafts.places) func theKeyOfAValueWhoseNameIsMadeAtRunTimeIsInUse(_ domain: StorageDomain) async throws {
        let device = TestDevice()
        let draft = Key(name: "draft_7", domain: domain)
        try await device.router().set("dear", for: draft)
        let router = device.router()
        try await router.registerCatalog(Drafts(domain: domain))
        // As a rotation leaves it that did not reach the value.
        let ring = await router.encryption.ring
        if let rotation = try ring.beginRotation() { try ring.finish(rotation) }
        #expect(await router.auditReport().orphans == [])
        #expect(await router.auditReport().items.map(\.differences) == [[.key]])
        #expect(try await router.get(draft) == "dear")
        try await router.remove(draft)
        // What was sealed in preferences a power loss may bring back.
        let orphans: [StorageFinding.Kind] = domain.defaultsSuite == nil ? [.orphanedKey] : []
        #expect(await router.auditReport().orphans.map(\.kind) == orphans)
    }

    /// Of a kind whose names are made at run time the audit tells in what a value differs, until it is sealed anew.
    @Test(arguments: [Drafts.places[0], Drafts.places[2]]) func whatAKindHasPlainIsTold(_ domain: StorageDomain) async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: Key(name: "draft_7", domain: domain, security: .none))
        var kind = Key(name: "draft_<id>", domain: domain)
        kind.formerSecurity = [.none]
        let (before, router) = try await report([kind], on: device)
        #expect(before.items.map(\.differences) == [[.form]])
        // Nothing says whose a plain value of such a name is.
        #expect(try await router.resealValues().map(\.key) == [])
        #expect(await router.auditReport().items.map(\.differences) == [[.form]])
        kind.name = "draft_7"
        _ = try await router.resealValue(of: kind)
        #expect(await router.auditReport().items.map(\.differences) == [[]])
        #expect(try await router.get(kind) == "dear")
    }

    /// What an earlier version stored asks for less than the key declares: the item is readable while the device is locked, or asks nobody.
    @Test(arguments: [nil, KeychainAccessControl.userPresence])
    func theProtectionOfAnItemIsTold(_ control: KeychainAccessControl?) async throws {
        let device = TestDevice()
        let domain = StorageDomain.keychain(service: "s")
        let former = SecurityPolicy.keychain(accessibility: .afterFirstUnlock, accessControl: nil)
        try await device.router().set("secret", for: Key(domain: domain, security: former))
        let strict = Key(domain: domain, security: .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: control))
        let (before, router) = try await report([strict], on: device)
        #expect(before.items.map(\.differences) == [[.protection]])
        _ = try await router.resealValues()
        #expect(await router.auditReport().items.map(\.differences) == [[]])
    }

    private struct Described: StorageKeyCatalog {
        static let documents = StorageDomain.fileSystem(directory: .documents)
        static var allKeys: [StorageKeyDescriptor] {
            let draft = ValueKey("draft_<id>", of: String.self, in: .documents)
            return [.from(ValueKey("note_<id>", of: String.self).replacing(draft.replacing(ValueKey<String>("sketch_<id>"))))]
        }
    }

    /// What a kind's migration is still to bring over belongs to the kind, also where the catalog has it in words alone.
    @Test func whatAKindIsToBringOverIsNoOrphan() async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: Key(name: "draft_7", domain: documents))
        try await device.router().set("dear", for: ValueKey<String>("sketch_7"))
        let router = device.router()
        try await router.registerCatalog(Described())
        #expect(await router.auditReport().findings == [])
        #expect(Described.allKeys.first?.sources.map(\.name) == ["draft_<id>", "sketch_<id>"])
    }
}
