import Foundation
import Testing

@testable import LocalData

@Suite struct StorageLocationTests {
    private static func place(_ name: String, _ domain: StorageDomain, _ security: SecurityPolicy = .none) throws -> StorageLocation {
        try StorageLocation(name: name, domain: domain, security: security)
    }

    /// Stored in envelopes and ledgers: these texts never change.
    @Test(arguments: [
        (StorageDomain.userDefaults(suite: nil), "defaults/standard/n", "defaults/standard/n"),
        (.userDefaults(suite: "com.x"), "defaults/suite/com.x/n", "defaults/suite/com.x/n"),
        (.appGroupUserDefaults(identifier: "group.x"), "defaults/suite/group.x/n", "defaults/suite/group.x/n"),
        (.keychain(service: nil), "keychain//n", "keychain//n"),
        (.keychain(service: "a/b%"), "keychain/a%2Fb%25/n", "keychain/a%2Fb%25/n"),
        (.fileSystem(directory: .documents), "file/documents/n", "file/documents/n"),
        (.fileSystem(directory: .caches), "file/caches/n", "file/caches/n"),
        (.fileSystem(directory: .custom(URL(fileURLWithPath: "/var/a/../v//x/"))), "file/custom/var/v/x/n", "file/custom/n"),
        (.appGroupFileSystem(identifier: "group.x", directory: .documents), "group/group.x/documents/n", "group/group.x/documents/n"),
        (
            .appGroupFileSystem(identifier: "group.x", directory: .custom(URL(fileURLWithPath: "/g/x"))), "group/group.x/custom/g/x/n",
            "group/group.x/custom/n"
        ),
    ]) func isStable(_ domain: StorageDomain, _ physical: String, _ identity: String) throws {
        let location = try Self.place("n", domain)
        #expect(location.physical == physical)
        #expect(location.identity == identity)
    }

    @Test func fileDomainsMeetAtOnePlace() throws {
        for directory in [FileDirectory.documents, .caches, .custom(URL(fileURLWithPath: "/x"))] {
            let plain = try Self.place("n", .fileSystem(directory: directory))
            #expect(try Self.place("n", .encryptedFileSystem(directory: directory), .recommended) == plain)
        }
    }

    @Test func namesCannotImitateOtherPlaces() throws {
        let imitations = [
            try Self.place("b/n", .userDefaults(suite: "a")), try Self.place("n", .userDefaults(suite: "a%2Fb")),
            try Self.place("b%2Fn", .userDefaults(suite: "a")), try Self.place("n", .keychain(service: "a/b")),
            try Self.place("b/n", .keychain(service: "a")),
        ]
        #expect(Set(imitations.map(\.physical)).count == imitations.count)
    }

    @Test func onePlaceInTwoSpellingsIsOne() throws {
        let environment = TestDevice().environment
        func resolved(_ domain: StorageDomain) throws -> String { try Self.place("n", domain).resolved(in: environment) }
        #expect(try resolved(.keychain(service: nil)) == resolved(.keychain(service: "com.example.app")))
        #expect(try resolved(.userDefaults(suite: "com.example.app")) == resolved(.userDefaults(suite: nil)))
        #expect(try resolved(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/./Documents/")))) == resolved(.documents))
        #expect(
            try resolved(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Library/Caches"))))
                == resolved(.fileSystem(directory: .caches)))
        #expect(try resolved(.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents/sub")))) != resolved(.documents))
        #expect(try resolved(.keychain(service: "other")) != resolved(.keychain(service: nil)))
    }

    @Test(arguments: [
        ("", StorageDomain.userDefaults(suite: nil), "the name is empty"),
        ("a\u{0}b", .userDefaults(suite: nil), "control character"),
        ("a\nb", .documents, "control character"),
        ("com.localdata.sync.x", .userDefaults(suite: nil), "LocalData's own"),
        ("com.localdata.x", .keychain(service: nil), "LocalData's own"),
        (String(repeating: "n", count: 1025), .keychain(service: nil), "1025 bytes"),
        (String(repeating: "é", count: 128), .documents, "256 bytes"),
        ("../x", .documents, "path separator"),
        ("a/b", .documents, "path separator"),
        ("a\\b", .documents, "path separator"),
        ("..", .documents, "begins with a dot"),
        (".", .documents, "begins with a dot"),
        (".hidden", .documents, "begins with a dot"),
        ("x", .userDefaults(suite: ""), "the suite is empty"),
        ("x", .userDefaults(suite: "../other"), "the suite contains a path separator"),
        ("x", .appGroupUserDefaults(identifier: ""), "the App Group identifier is empty"),
        ("x", .keychain(service: ""), "the service is empty"),
        ("x", .keychain(service: "com.localdata.keys"), "LocalData's own"),
        ("x", .appGroupFileSystem(identifier: "../g", directory: .documents), "path separator"),
        ("x", .fileSystem(directory: .custom(URL(string: "https://example.com/x") ?? URL(fileURLWithPath: "/"))), "no absolute file URL"),
    ]) func whatCannotBeStoredIsRefused(_ name: String, _ domain: StorageDomain, _ fact: String) throws {
        let error = #expect(throws: StorageError.self) { try Self.place(name, domain) }
        #expect(error?.code == .invalidKey)
        #expect(error?.facts.contains { $0.contains(fact) } == true, "\(error?.facts ?? [])")
    }

    /// Where a place is looked for by what it may be called, it is found by what it is called.
    @Test(arguments: [
        StorageDomain.documents, .keychain(service: nil), .keychain(service: "s"), .userDefaults(suite: "x"),
        .fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents"))),
        .fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Library/Caches"))),
        .fileSystem(directory: .custom(URL(fileURLWithPath: "/app/elsewhere"))),
    ]) func whatAPlaceIsCalledIsAmongWhatItMayBeCalled(_ domain: StorageDomain) throws {
        let environment = TestDevice().environment
        let location = try StorageLocation(
            name: "n", domain: domain,
            security: domain.isKeychain ? .keychain(accessibility: .whenUnlocked, accessControl: nil) : .none)
        let names = location.resolutions(in: environment)
        #expect(names.contains(location.resolved(in: environment)))
        guard location.physical.hasPrefix("file/custom") else { return }
        // Another container may have that path.
        #expect(names.contains("file/documents/n") && names.contains("file/caches/n"), "\(names)")
    }

    @Test func allProblemsAreListedAtOnce() {
        let error = #expect(throws: StorageError.self) {
            try Self.place("../\u{0}", .encryptedFileSystem(directory: .documents))
        }
        #expect(error?.facts.count == 4)
    }

    @Test func ordinaryNamesAreFine() throws {
        for name in ["theme", "user.settings", "a b", "Größe", "日本", "a..b", "x.json", "<user>", String(repeating: "n", count: 255)] {
            for domain in [StorageDomain.userDefaults(suite: nil), .keychain(service: "s"), .documents] {
                #expect(throws: Never.self) { try Self.place(name, domain) }
            }
        }
        #expect(throws: Never.self) { try Self.place("a/b/.c", .userDefaults(suite: nil)) }
    }

    @Test func domainAndSecurityMustGoTogether() {
        let keychain = SecurityPolicy.keychain(accessibility: .whenUnlocked, accessControl: nil)
        let domains: [StorageDomain] = [
            .userDefaults(suite: nil), .appGroupUserDefaults(identifier: "g"), .documents, .encryptedFileSystem(directory: .documents),
            .appGroupFileSystem(identifier: "g", directory: .caches),
        ]
        for domain in domains {
            #expect(throws: StorageError.self) { try Self.place("n", domain, keychain) }
            #expect(throws: Never.self) { try Self.place("n", domain, .recommended) }
        }
        for policy in [keychain, .none, .recommended] {
            #expect(throws: Never.self) { try Self.place("n", .keychain(service: nil), policy) }
        }
        #expect(throws: StorageError.self) { try Self.place("n", .encryptedFileSystem(directory: .documents), .none) }
    }
}
