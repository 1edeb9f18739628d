import Foundation
import Testing

@testable import LocalData

/// Which of the places of one name is the one whose versions are kept.
@Suite struct SyncedKeyRegisterTests {
    private static let own = ValueKey("theme", of: String.self)
    private static let old = ValueKey("theme", of: String.self, in: .fileSystem(directory: .documents))

    /// Whether each of these places may be used, one after the other.
    private static func claims(_ register: inout SyncedKeyRegister, _ keys: ValueKey<String>...) -> [Bool] {
        var claims: [Bool] = []
        for key in keys { claims.append(register.claim(key, at: "\(key.domain.kind)")) }
        return claims
    }

    @Test func aPlaceThatAMigrationLeadsThroughTakesNothingFromTheKeysOwn() {
        var register = SyncedKeyRegister()
        register.note(Self.own)
        let before = Self.claims(&register, Self.own, Self.old)
        #expect(before == [true, true])
        // The app declares it there as well: the first place stays.
        register.note(Self.old)
        let after = Self.claims(&register, Self.own, Self.old)
        #expect(after == [true, false])
    }

    @Test func theKeysOwnPlaceIsTakenFromOneThatAMigrationUsedFirst() {
        var register = SyncedKeyRegister()
        register.note(Self.own)
        let before = Self.claims(&register, Self.old, Self.own)
        #expect(before == [true, true])
        register.note(Self.old)
        let after = Self.claims(&register, Self.own, Self.old)
        #expect(after == [true, false])
    }

    @Test func whatOnlyAMigrationTouchedGivesWayToWhatTheAppDeclares() {
        var register = SyncedKeyRegister()
        let first = Self.claims(&register, Self.old)
        #expect(first == [true] && register.isPassing("theme"))
        register.note(Self.own)
        #expect(!register.isPassing("theme") && register["theme"]?.domain == Self.own.domain)
        let second = Self.claims(&register, Self.own)
        #expect(second == [true])
        register.forgetPassing("theme")
        #expect(register["theme"] != nil)
    }

    @Test func keysAreListedByName() {
        var register = SyncedKeyRegister()
        for name in ["b", "a", "c"] { register.note(ValueKey(name, of: String.self)) }
        let first = register.keysByName().map(\.name)
        #expect(first == ["a", "b", "c"] && register.names == first)
        register.note(ValueKey("aa", of: String.self))
        let second = register.keysByName().map(\.name)
        #expect(second == ["a", "aa", "b", "c"])
    }
}
