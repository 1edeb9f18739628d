import Foundation
import Testing

@testable import LocalData

@Suite struct MasterKeyRotationTests {
    let test = SecurityTestEnvironment()

    /// What lies in the keychain during and after a rotation is a contract.
    @Test func itsItemsArePinned() throws {
        _ = try test.ring.primaryMintingIfAbsent()
        let begun = try #require(try test.ring.beginRotation())
        #expect(begun == MasterKeyRing.Rotation(primary: "28292a2b2c2d2e2f", isNew: true))
        #expect(test.keychain.accounts == ["0001020304050607", "28292a2b2c2d2e2f", "primary"])
        #expect(test.keychain.item("0001020304050607")?.generic == nil)
        #expect(test.keychain.item("28292a2b2c2d2e2f")?.generic == Data("0001020304050607".utf8))
        #expect(test.keychain.item("28292a2b2c2d2e2f")?.accessibility == .afterFirstUnlock)
        #expect(test.keychain.item("primary")?.data == Data("28292a2b2c2d2e2f".utf8))
        #expect(test.keychain.item("primary")?.generic == Data("rotating 1".utf8))
        try test.ring.finish(begun)
        #expect(test.keychain.item("primary")?.data == Data("28292a2b2c2d2e2f".utf8))
        #expect(test.keychain.item("primary")?.generic == Data())
    }

    @Test func whileOneIsUnderWayNoneBegins() throws {
        _ = try test.ring.primaryMintingIfAbsent()
        let begun = try #require(try test.ring.beginRotation())
        let writes = test.keychain.writes
        #expect(try test.ring.beginRotation() == MasterKeyRing.Rotation(primary: begun.primary, isNew: false))
        #expect(test.keychain.writes == writes)
        try test.ring.finish(begun)
        let finished = test.keychain.writes
        try test.ring.finish(begun)
        #expect(test.keychain.writes == finished)
    }

    @Test func aRotationOfANewerKindIsLeftAlone() throws {
        _ = try test.ring.primaryMintingIfAbsent()
        try test.ring.repoint(to: nil, rotation: Data("rotating 2".utf8))
        let writes = test.keychain.writes
        #expect(storageErrorCode { _ = try test.ring.beginRotation() } == .superseded)
        #expect(test.keychain.writes == writes)
        #expect(try test.ring.primary() != nil, "what is sealed stays readable")
    }

    @Test func aPrimaryKeyThatIsGoneIsNotRotated() throws {
        let minted = try test.ring.primaryMintingIfAbsent()
        test.keychain.take(minted.id)
        #expect(try test.ring.beginRotation() == nil)
        #expect(test.keychain.accounts == ["primary"])
    }

    @Test func mintingForAKeyThatIsGoneLeavesTheRotationUnderWay() throws {
        let minted = try test.ring.primaryMintingIfAbsent()
        let begun = try #require(try test.ring.beginRotation())
        test.keychain.take(begun.primary)
        test.keychain.take(minted.id)
        let next = try test.ring.primaryMintingIfAbsent()
        #expect(try test.ring.beginRotation() == MasterKeyRing.Rotation(primary: next.id, isNew: false))
    }
}
