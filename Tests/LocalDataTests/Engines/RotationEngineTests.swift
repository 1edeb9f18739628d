import Foundation
import Testing

@testable import LocalData

/// Which keys a rotation is about, what needs an old master key, and when it goes: without a router.
@Suite struct RotationEngineTests {
    private let device = TestDevice()
    private let engines: Engines
    private let letter = ValueKey("letter", of: String.self, in: .documents, security: .recommended)

    init() { engines = Engines(environment: device.environment) }

    private var ring: MasterKeyRing { MasterKeyRing(environment: engines.environment) }

    private func register(_ keys: AnyStorageKey...) throws { try engines.admission.register(ListedKeys(allKeys: keys)) }

    private func store(_ key: ValueKey<String>) async throws {
        _ = try await engines.values.store(Data(#""dear""#.utf8), for: key, origin: .local)
    }

    /// The id of the key that seals, before another one takes its place.
    private func rotate() throws -> String {
        let old = try #require(try ring.primary()?.id)
        _ = try #require(try ring.beginRotation())
        return old
    }

    // MARK: Which keys

    @Test func sealedAreTheKeysOfThisDeviceAndTheSourcesOfTheirMigrations() throws {
        var elsewhere = ValueKey("steps", of: String.self, in: .documents, security: .recommended)
        elsewhere.availability = .watchOnly
        var formerly = ValueKey("draft", of: String.self, in: .documents)
        formerly.formerSecurity = [.recommended]
        let item = ValueKey(
            "pin", of: String.self, in: .keychain(service: "s"), security: .keychain(accessibility: .whenUnlocked, accessControl: nil))
        let old = ValueKey("old", of: String.self, in: .documents, security: .recommended)
        try register(
            .key(letter.replacing(old)), .key(elsewhere), .key(formerly), .key(ValueKey("plain", of: String.self)), .key(item),
            .key(ValueKey("copy_<id>", of: String.self, in: .documents, security: .recommended)))
        #expect(engines.rotation.sealedKeys().map(\.name) == ["draft", "letter", "old"])
        #expect(engines.rotation.sealedKeys(withKeychain: true).map(\.name) == ["draft", "letter", "old", "pin"])
    }

    @Test func onlyKeysInPreferencesMakeARetirementWait() throws {
        let none = EnvelopeScan()
        #expect(!engines.rotation.mayHaveSealedPreferences([letter], found: none))
        #expect(engines.rotation.mayHaveSealedPreferences([ValueKey("a", of: String.self, security: .recommended)], found: none))
        #expect(!engines.rotation.mayHaveSealedPreferences([ValueKey("a", of: String.self)], found: none))
    }

    // MARK: What needs a key

    @Test func thePlanNamesWhatARotationWouldSealAnewAndWhatNeedsTheOldKey() async throws {
        try register(.key(letter), .key(ValueKey("absent", of: String.self, in: .documents, security: .recommended)))
        try await store(letter)
        let before = try await engines.rotation.plan(whileOthersAreQuiet: true)
        #expect(!before.isUnderWay)
        #expect(before.values.map(\.state.summary) == ["absent", "current"])
        let old = try rotate()
        let plan = try await engines.rotation.plan(whileOthersAreQuiet: true)
        #expect(plan.isUnderWay)
        #expect(plan.values.map(\.state.summary) == ["absent", "due key"])
        let use = try #require(plan.keys.first { $0.key == .master(old) })
        #expect(!use.isCurrent)
        #expect(use.needs == [.value(key: "letter", domain: "fileSystem")])
        #expect(plan.keys.filter(\.isCurrent).count == 1)
    }

    @Test func aKeyStaysAsLongAsSomethingIsSealedByIt() async throws {
        try register(.key(letter))
        try await store(letter)
        let old = try rotate()
        let first = try await engines.rotation.retireInTurn(whileOthersAreQuiet: true)
        #expect(first.retired == [])
        #expect(first.kept.map(\.needs) == [[.value(key: "letter", domain: "fileSystem")]])
        #expect(try await engines.values.value(of: letter) == "dear")
        _ = try await engines.sealer.outcome(ofResealing: letter)
        #expect(try await engines.rotation.retireInTurn(whileOthersAreQuiet: true).retired == [old])
        #expect(try !ring.keyIDs().contains(old))
        #expect(try await engines.values.value(of: letter) == "dear")
    }

    /// The directory that the link leads to is looked into as well, and the value's file there has been looked at by its key.
    @Test func aValueBehindALinkIsNeededOnce() async throws {
        let folder = try TemporaryFolder()
        var environment = device.environment
        environment.fileSystem = PosixFileSystem(
            roots: .init(
                documents: folder("Documents"), caches: folder("Caches"), applicationSupport: folder("Support"), temporary: folder("tmp"),
                appGroup: { _ in nil }))
        for name in ["Documents", "Store"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(atPath: folder("Documents/current"), withDestinationPath: "../Store")
        let engines = Engines(environment: environment)
        let domain = StorageDomain.fileSystem(directory: .custom(URL(fileURLWithPath: folder("Documents/current"), isDirectory: true)))
        let draft = ValueKey("draft", of: String.self, in: domain, security: .recommended)
        try engines.admission.register(ListedKeys(allKeys: [.key(draft)]))
        _ = try await engines.values.store(Data(#""dear""#.utf8), for: draft, origin: .local)
        let ring = MasterKeyRing(environment: environment)
        let old = try #require(try ring.primary()?.id)
        _ = try #require(try ring.beginRotation())
        let plan = try await engines.rotation.plan(whileOthersAreQuiet: true)
        let use = try #require(plan.keys.first { $0.key == .master(old) })
        #expect(use.needs == [.value(key: "draft", domain: "fileSystem")])
    }

    @Test func whatNoKeyNamesAndWhatCannotBeReadKeepIt() async throws {
        try register(.key(letter))
        try await store(letter)
        try await store(ValueKey("stray", of: String.self, in: .documents, security: .recommended))
        _ = try rotate()
        _ = try await engines.sealer.outcome(ofResealing: letter)
        let strayed = try await engines.rotation.retireInTurn(whileOthersAreQuiet: true)
        #expect(strayed.kept.map(\.needs) == [[.unknownValue(place: "file/documents/stray")]])
        try engines.stored.remove(ValueKey("stray", of: String.self, in: .documents, security: .recommended))
        device.keychain.fail("copyMatching", with: KeychainStatus(rawValue: -25291))
        await #expect(throws: StorageError.self) { try await engines.rotation.retireInTurn(whileOthersAreQuiet: true) }
        device.keychain.fail("copyMatching", with: nil)
        #expect(try await engines.rotation.retireInTurn(whileOthersAreQuiet: true).retired.count == 1)
    }

    @Test func otherProcessesOfAGroupKeepItUntilTheyAreQuiet() async throws {
        let shared = ValueKey(
            "shared", of: String.self, in: .appGroupFileSystem(identifier: "group.x", directory: .documents), security: .recommended)
        try register(.key(shared))
        try await store(shared)
        let old = try rotate()
        _ = try await engines.sealer.outcome(ofResealing: shared)
        let busy = try await engines.rotation.retireInTurn(whileOthersAreQuiet: false)
        #expect(busy.kept.map(\.needs) == [[.sharedContainer("group.x")]])
        #expect(try await engines.rotation.retireInTurn(whileOthersAreQuiet: true).retired == [old])
    }

    @Test func aLockedDeviceRefusesARetirementAndDefersThatOfARotation() async throws {
        try register(.key(letter))
        try await store(letter)
        let old = try rotate()
        device.lockState = .locked
        let error = await storageError { _ = try await engines.rotation.retireInTurn(whileOthersAreQuiet: true) }
        #expect(error?.code == .locked)
        #expect(error?.operation == "retire keys")
        let report = try await engines.rotation.retireAfterRotation()
        #expect(report.kept.map(\.key) == [.master(old)])
        #expect(report.kept.map(\.needs) == [[.unreadable(place: "the device", .locked)]])
    }

    // MARK: Handing on

    @Test func whatOpensAValueIsHandedOnToTheGroupThatItsKeyDeclares() async throws {
        try await store(letter)
        let id = try #require(try ring.primary()?.id)
        var shared = letter
        shared.accessGroup = "group.x"
        await engines.rotation.shareMasterKeys(of: [.key(shared)])
        let theirs = MasterKeyRing(environment: engines.environment, accessGroup: "group.x")
        #expect(try theirs.keyIDs().contains(id))
    }
}

extension PlannedReseal.State {
    /// Such as `current` or `due key`.
    fileprivate var summary: String {
        switch self {
        case .absent: "absent"
        case .current: "current"
        case .due(let differences): "due \(differences.map(\.rawValue).joined(separator: " "))"
        case .deferred(let error): "deferred \(error.code.rawValue)"
        case .failed(let error): "failed \(error.code.rawValue)"
        }
    }
}
