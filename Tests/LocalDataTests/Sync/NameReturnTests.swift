import Foundation
import Testing

@testable import LocalData

/// The versions of a value that gets a name again which it had before.
@Suite struct NameReturnTests {
    /// The names that a value had, the latest first.
    private static func returned(_ names: String...) -> NameReturn? {
        var key: ValueKey<String>?
        for name in names.reversed() {
            let source = key
            key = ValueKey(name, of: String.self) { destination in
                source.map { AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: .key($0))) }
            }
        }
        return key?.nameReturn
    }

    private static func moved(_ stamp: SyncStamp, _ name: NameReturn?, isSameName: Bool = false) -> SyncStamp {
        .found(as: LegacyVersion(stamp: stamp, isSameName: isSameName, nameReturn: name), on: "here")
    }

    private static let set = SyncStamp(counter: 3, device: "phone")

    @Test func aNameComesBackOnceItWasAnother() {
        #expect(Self.returned("a") == nil)
        #expect(Self.returned("a", "b") == nil)
        #expect(Self.returned("a", "a", "a") == nil)
        #expect(Self.returned("a", "b", "c") == nil)
        #expect(Self.returned("a", "b", "b") == nil)
        #expect(Self.returned("a", "b", "a").map { [$0.generation, UInt64($0.renames)] } == [1, 2])
        #expect(Self.returned("a", "a", "b", "b", "a").map { [$0.generation, UInt64($0.renames)] } == [1, 2])
        #expect(Self.returned("a", "b", "c", "a").map { [$0.generation, UInt64($0.renames)] } == [1, 3])
        #expect(Self.returned("a", "b", "a", "b", "a").map { [$0.generation, UInt64($0.renames)] } == [2, 2])
    }

    /// What nobody set under another name is the version that it was: the counterpart, which has not moved it, may have it.
    @Test(arguments: [["a", "b", "a"], ["a", "b", "c", "a"]]) func whatOnlyMovedIsTheSameVersion(names: [String]) throws {
        let name = try #require(names.count == 3 ? Self.returned("a", "b", "a") : Self.returned("a", "b", "c", "a"))
        let before = [Self.set, SyncStamp(counter: 0, device: "~0000000000000007.watch"), SyncStamp(counter: 0, device: "watch")]
        for stamp in before {
            let elsewhere = (0..<names.count - 2).reduce(stamp) { stamp, _ in Self.moved(stamp, nil) }
            #expect(Self.moved(elsewhere, name) == stamp)
        }
    }

    /// What was set under another name is later than all that had the name before, and earlier than what is set under it from now on.
    @Test func whatWasSetUnderAnotherNameIsLater() throws {
        let name = try #require(Self.returned("a", "b", "a"))
        let edited = Self.moved(SyncStamp(counter: 1, device: "watch"), name)
        #expect(SyncStamp(counter: SyncInstallation.leap * 9, device: "~") < edited)
        #expect(edited < SyncStamp(counter: SyncStamp.generationSize + 1, device: ""))
        #expect(edited.isOfFoundValue && !edited.isBefore(name) && Self.set.isBefore(name))
        #expect(edited < Self.moved(SyncStamp(counter: 2, device: "phone"), name))
        // Set under the name between, of three.
        let far = try #require(Self.returned("a", "b", "c", "a"))
        #expect(SyncStamp(counter: 9, device: "a") < Self.moved(Self.moved(SyncStamp(counter: 1, device: "watch"), nil), far))
        // A name that comes back again.
        let again = try #require(Self.returned("a", "b", "a", "b", "a"))
        #expect(
            Self.moved(SyncStamp(counter: SyncStamp.generationSize + 4, device: "x"), name)
                < Self.moved(SyncStamp(counter: 1, device: "y"), again))
    }

    @Test func allGenerationsStayBelowTheGreatestCounter() {
        let key = Self.returned("a", "b", "a")
        #expect(64 * SyncStamp.generationSize < SyncStamp.maximumCounter)
        #expect(key.map { $0.generation * SyncStamp.generationSize } == SyncStamp.generationSize)
    }

    /// Two keys that migrate from each other have no end.
    @Test func aChainWithoutEndIsFollowedSoFar() {
        let name = Ring(name: "a").nameReturn
        #expect(name?.renames == 2)
        #expect(name.map { $0.generation * SyncStamp.generationSize < SyncStamp.maximumCounter } == true)
    }
}
