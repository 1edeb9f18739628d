import Foundation
import Testing

@testable import LocalData

@Suite struct LocationCacheTests {
    struct Key: StorageKey {
        typealias Value = String

        let name: String
        let domain: StorageDomain
        let owner = "Tests"
    }

    /// What is equal as text and differs in bytes has identities of its own, whichever comes first.
    @Test(arguments: [
        ("caf\u{E9}", "cafe\u{301}", StorageDomain.keychain(service: nil), StorageDomain.keychain(service: nil)),
        ("K", "\u{212A}", .keychain(service: nil), .keychain(service: nil)),
        ("key", "key", .keychain(service: "K"), .keychain(service: "\u{212A}")),
        ("key", "key", .fileSystem(directory: .documents), .fileSystem(directory: .caches)),
    ])
    func eachDeclarationHasItsOwnPlace(_ name: String, _ otherName: String, _ domain: StorageDomain, _ otherDomain: StorageDomain) throws {
        let keys = [Key(name: name, domain: domain), Key(name: otherName, domain: otherDomain)]
        for order in [keys, keys.reversed()] {
            let cache = LocationCache()
            for key in order + order {
                let expected = try StorageLocation(of: key)
                let found = try cache.location(of: key)
                #expect(found.identity.utf8.elementsEqual(expected.identity.utf8))
                #expect(found.physical.utf8.elementsEqual(expected.physical.utf8))
            }
        }
    }

    @Test func refusesWhatIsRefusedWithoutIt() {
        let cache = LocationCache()
        for _ in 1...2 {
            #expect(throws: StorageError.self) { try cache.location(of: Key(name: "", domain: .keychain(service: nil))) }
        }
    }
}
