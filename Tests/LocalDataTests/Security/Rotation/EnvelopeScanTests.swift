import Foundation
import Testing

@testable import LocalData

/// What an item that cannot be read says of the keys that it may need.
@Suite struct EnvelopeScanTests {
    /// Answers the first reads of secrets as if a person were wanted.
    private final class WantsAPerson: KeychainStore, @unchecked Sendable {
        private let base: MemoryKeychain
        private let lock = NSLock()
        private var left: Int

        init(_ base: MemoryKeychain, times: Int) { (self.base, left) = (base, times) }

        func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
            let refuses = lock.withLock {
                guard query.returnsData, left > 0 else { return false }
                left -= 1
                return true
            }
            return refuses ? (.interactionNotAllowed, []) : base.copyMatching(query)
        }
        func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }
        func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { base.update(query, to: change) }
        func delete(_ query: KeychainQuery) -> KeychainStatus { base.delete(query) }
        var ownAccessGroup: String? { base.ownAccessGroup }
    }

    private func scan(wantingAPerson times: Int, note: KeychainItemMetadata?) async throws -> [KeyNeed] {
        let device = TestDevice()
        try await device.router().set("x", for: ValueKey("a", of: String.self, in: .keychain(service: "s"), security: .recommended))
        let (_, items) = device.keychain.copyMatching(KeychainQuery(service: "s", account: "a"))
        var item = try #require(items.first)
        item.generic = note?.stored
        device.keychain.put(item)
        guard case .master(let id) = try EnvelopePrefix(parsing: item.data).header.keySource else { return [] }
        var environment = device.environment
        environment.keychain = WantsAPerson(device.keychain, times: times)
        var scan = EnvelopeScan()
        scan.lookIntoKeychain(of: environment, besides: [])
        return scan.needs(of: .master(id))
    }

    private static let found = KeyNeed.unknownValue(place: "keychain/s/a")

    @Test func anItemThatIsReadSaysWhatItNeeds() async throws {
        #expect(try await scan(wantingAPerson: 0, note: nil) == [Self.found])
    }

    @Test func oneAnswerSaysNothing() async throws {
        #expect(try await scan(wantingAPerson: 1, note: nil) == [Self.found])
    }

    /// What LocalData binds to a person is sealed by nothing else.
    @Test func anItemUnderAccessControlNeedsNoKey() async throws {
        #expect(try await scan(wantingAPerson: 2, note: KeychainItemMetadata(tag: nil, accessControl: .biometryAny)) == [])
        #expect(try await scan(wantingAPerson: 2, note: nil) == [])
    }

    @Test func anItemThatIsKnownToAskNobodyIsUnreadable() async throws {
        let note = KeychainItemMetadata(tag: Data(count: 24))
        #expect(try await scan(wantingAPerson: 2, note: note) == [.unreadable(place: "keychain/s/a", .authenticationRequired)])
    }
}
