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

    /// What is equal as text and differs in bytes, or lies elsewhere, is told apart, whichever comes first: also where one of the two is refused.
    @Test(arguments: [
        ("caf\u{E9}", "cafe\u{301}", StorageDomain.keychain(service: nil), StorageDomain.keychain(service: nil)),
        ("K", "\u{212A}", .keychain(service: nil), .keychain(service: nil)),
        ("key", "key", .keychain(service: "K"), .keychain(service: "\u{212A}")),
        ("key", "key", .fileSystem(directory: .documents), .fileSystem(directory: .caches)),
    ])
    func eachDeclarationIsAnswered(_ name: String, _ otherName: String, _ domain: StorageDomain, _ otherDomain: StorageDomain) {
        let keys = [Key(name: name, domain: domain), Key(name: otherName, domain: otherDomain)]
        for order in [keys, keys.reversed()] {
            let cache = LocationCache()
            for key in order + order {
                let expected = Result { try StorageLocation(of: key) }
                let found = Result { try cache.location(of: key) }
                switch (expected, found) {
                case (.success(let expected), .success(let found)):
                    #expect(found.identity.utf8.elementsEqual(expected.identity.utf8))
                    #expect(found.physical.utf8.elementsEqual(expected.physical.utf8))
                case (.failure, .failure): break
                default: Issue.record("\(key.name.utf8.count) bytes: \(expected) and \(found)")
                }
            }
        }
    }

    /// Of a name that Unicode spells in several ways one is taken.
    @Test(arguments: ["cafe\u{301}", "\u{212A}", "a\u{323}\u{301}\u{302}".decomposedStringWithCanonicalMapping])
    func aNameThatIsNotComposedIsRefused(name: String) throws {
        let error = #expect(throws: StorageError.self) { try StorageLocation(of: Key(name: name, domain: .keychain(service: nil))) }
        #expect(error?.code == .invalidKey && "\(error?.facts ?? [])".contains("precomposedStringWithCanonicalMapping"))
        #expect(throws: Never.self) {
            try StorageLocation(of: Key(name: name.precomposedStringWithCanonicalMapping, domain: .keychain(service: nil)))
        }
        #expect(throws: StorageError.self) { try StorageLocation(of: Key(name: "key", domain: .keychain(service: name))) }
    }

    @Test func refusesWhatIsRefusedWithoutIt() {
        let cache = LocationCache()
        for _ in 1...2 {
            #expect(throws: StorageError.self) { try cache.location(of: Key(name: "", domain: .keychain(service: nil))) }
        }
    }
}
