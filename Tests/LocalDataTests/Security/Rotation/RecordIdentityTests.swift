import Foundation
import Testing

@testable import LocalData

@Suite struct RecordIdentityTests {
    private static func custom(_ path: String) -> StorageDomain { .fileSystem(directory: .custom(URL(fileURLWithPath: path))) }

    private func identity(_ domain: StorageDomain, name: String = "n") throws -> RecordIdentity {
        try StorageLocation(name: name, domain: domain, security: .recommended)
            .recordIdentity(in: TestDevice().environment)
    }

    /// Authenticated by stored envelopes: these texts never change.
    @Test(
        arguments: [
            (StorageDomain.documents, "file/documents/n", nil),
            (.userDefaults(suite: nil), "defaults/standard/n", nil),
            (custom("/app/Documents/a/b"), "file/custom/n", "file/custom/documents/a/b/n"),
            (custom("/app/Documents"), "file/custom/n", "file/custom/documents/n"),
            (custom("/app/Library/Caches/a"), "file/custom/n", "file/custom/caches/a/n"),
            (custom("/app/Library/Application Support/a"), "file/custom/n", "file/custom/support/a/n"),
            (custom("/app/tmp/a"), "file/custom/n", "file/custom/temporary/a/n"),
            (custom("/app/DocumentsToo/a"), "file/custom/n", "file/custom/outside/a/n"),
            (custom("/elsewhere/deep/a"), "file/custom/n", "file/custom/outside/a/n"),
            (
                .appGroupFileSystem(identifier: "group.x", directory: .custom(URL(fileURLWithPath: "/groups/group.x/a"))),
                "group/group.x/custom/n", "group/group.x/custom/group/a/n"
            ),
        ] as [(StorageDomain, String, String?)]) func isStable(_ domain: StorageDomain, _ original: String, _ located: String?) throws
    {
        let found = try identity(domain)
        #expect(found.original == original)
        #expect(found.located == located)
    }

    /// Marks are about the place, by whichever name its folder is given.
    @Test func aFolderByItsPathIsTheFolder() throws {
        func exact(_ domain: StorageDomain) throws -> String { try identity(domain).exact }
        #expect(
            try exact(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents")))) == exact(.fileSystem(directory: .documents)))
        #expect(
            try exact(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Library/Caches"))))
                == exact(.fileSystem(directory: .caches)))
        let group = "group.x"
        for (path, directory) in [("/groups/group.x/Documents", FileDirectory.documents), ("/groups/group.x/Library/Caches", .caches)] {
            #expect(
                try exact(.appGroupFileSystem(identifier: group, directory: .custom(URL(fileURLWithPath: path))))
                    == exact(.appGroupFileSystem(identifier: group, directory: directory)))
        }
        #expect(try exact(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents/a")))) == "file/custom/documents/a/n")
        // Earlier versions of LocalData left their marks under the path.
        #expect(try identity(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents")))).isAmong(["file/custom/documents/n"]))
    }

    @Test func aNameKeepsItsSlashesToItself() throws {
        #expect(try identity(Self.custom("/app/Documents/a"), name: "\u{301}n").located == "file/custom/documents/a/\u{301}n")
    }

    /// Two files of one name in two directories are not to be swapped.
    @Test func aFileThatWasMovedToAnotherDirectoryDoesNotOpen() async throws {
        let device = TestDevice()
        let router = device.router()
        let a = ValueKey("v", of: String.self, in: Self.custom("/app/Documents/a"), security: .recommended)
        let b = ValueKey("v", of: String.self, in: Self.custom("/app/Documents/b"), security: .recommended)
        try await router.set("x", for: a)
        try await router.set("y", for: b)
        let bytes = try #require(try await router.storedBytes(of: .key(a)))
        try await router.overwriteStoredBytes(of: .key(b), with: bytes)
        #expect(await storageError { _ = try await router.get(b) }?.code == .decryptionFailed)
        #expect(try await router.get(a) == "x")
    }

    /// What an earlier version of LocalData sealed in a custom directory opens, and is sealed as this one seals by a sweep.
    @Test func anEnvelopeOfTheFirstVersionOpensAndIsSealedAnew() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = ValueKey("v", of: String.self, in: Self.custom("/app/Documents/a"), security: .recommended)
        let plain = Data("\"x\"".utf8)
        let earlier = try await router.encryption.encrypt(plain, policy: .recommended, identity: "file/custom/v", keyName: "v")
        #expect(earlier[4] == 1)
        try await router.set("other", for: key)
        try await router.overwriteStoredBytes(of: .key(key), with: earlier)
        try await router.registerCatalog(ListedKeys(allKeys: [.key(key)]))
        #expect(try await router.get(key) == "x")
        #expect(try await router.resealValues().map(\.summary) == ["v in fileSystem: resealed format"])
        #expect(try await router.storedBytes(of: .key(key))?[4] == 2)
        #expect(try await router.get(key) == "x")
    }

    /// Stored bytes of version 2 are a contract, like those in `EnvelopeFormatTests`, and were computed in the same way, apart from this code.
    @Test func theSecondVersionIsPinned() async throws {
        let identity = RecordIdentity(original: "file/custom/note", located: "file/custom/documents/drafts/note")
        let pinned = """
            894c4445020201010000000010100000000000133030303130323033303430353036303728292a2b2c2d2e2f3031323334
            35363738393a3b3c3d3e3f40414243dcff142e829331c10fc1ad7b39ed54a1e35b75bd37a3892b9d5c0ac948363431118465
            """
        let helper = SecurityTestEnvironment().helper
        let plain = Data("The quick brown fox".utf8)
        let envelope = try await helper.encrypt(plain, policy: .recommended, identity: identity, keyName: "note")
        #expect(envelope.hexText == pinned.filter { !$0.isWhitespace })
        let opened = try await helper.decrypt(
            Data(hexText: pinned), accepting: AcceptedPolicies(.recommended), identity: identity, keyName: "note")
        #expect(opened == plain)
        // The version takes part in what is authenticated.
        var earlier = envelope
        earlier[4] = 1
        for wrong in [earlier, envelope] {
            let other = RecordIdentity(original: identity.original, located: "file/custom/documents/other/note")
            let code = await storageErrorCode {
                _ = try await helper.decrypt(wrong, accepting: AcceptedPolicies(.recommended), identity: other, keyName: "note")
            }
            #expect(code == .decryptionFailed)
        }
    }

    /// A reinstall gives the container another path; the value comes along.
    @Test func anotherPathOfTheContainerChangesNothing() throws {
        struct Moved: FileSystem {
            let base = MemoryFileSystem()
            func path(of directory: ContainerDirectory) throws -> String { "/other" + (try base.path(of: directory)) }
            func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
                try base.createFile(at: path, protection: protection)
            }
            func contents(of path: String) throws -> Data { try base.contents(of: path) }
            func rename(_ source: String, to destination: String) throws { try base.rename(source, to: destination) }
            func rename(_ source: String, toNew destination: String) throws { try base.rename(source, toNew: destination) }
            func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: path, upTo: count) }
            func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }
            func removeFile(at path: String) throws { try base.removeFile(at: path) }
            func synchronizeDirectory(at path: String) throws { try base.synchronizeDirectory(at: path) }
            func createDirectory(at path: String) throws { try base.createDirectory(at: path) }
            func list(_ path: String) throws -> [String] { try base.list(path) }
            func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: path) }
            func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }
            func setExcludedFromBackup(_ excluded: Bool, at path: String) throws {
                try base.setExcludedFromBackup(excluded, at: path)
            }
        }
        var environment = TestDevice().environment
        environment.fileSystem = Moved()
        let moved = Self.custom("/other/app/Documents/a/b")
        let location = try StorageLocation(name: "n", domain: moved, security: .recommended)
        #expect(try location.recordIdentity(in: environment) == identity(Self.custom("/app/Documents/a/b")))
    }
}
