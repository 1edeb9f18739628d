import Foundation
import Testing

@testable import LocalData

@Suite struct PBKDF2CachingTests {
    let test = SecurityTestEnvironment()
    let policy = SecurityPolicy.EncryptionPolicy.aes256(keyDerivation: .pbkdf2(iterations: 1_000))
    let plain = Data("a value".utf8)

    private func salt(of envelope: Data) throws -> Data? {
        guard case .pbkdf2(let salt, _) = try Envelope(parsing: envelope).header.derivation else { return nil }
        return salt
    }

    @Test func writesOfOneProcessShareOneDerivation() async throws {
        let helper = test.helper
        let first = try await helper.encrypt(plain, policy: policy, identity: "one")
        let second = try await helper.encrypt(plain, policy: policy, identity: "two")
        #expect(try salt(of: first) == salt(of: second))
        _ = try await helper.decrypt(first, policy: policy, identity: "one")
        _ = try await helper.decrypt(second, policy: policy, identity: "two")
        #expect(await helper.cache.count == 1)
    }

    @Test func writesAtOnceShareOneDerivation() async throws {
        let helper = test.helper
        let (plain, policy) = (plain, policy)
        let salts = try await withThrowingTaskGroup(of: Data.self) { group in
            for index in 0..<16 {
                group.addTask { try await helper.encrypt(plain, policy: policy, identity: "\(index)") }
            }
            return try await group.reduce(into: Set<Data?>()) { $0.insert(try salt(of: $1)) }
        }
        #expect(salts.count == 1)
        #expect(await helper.cache.count == 1)
        #expect(await helper.waiting.isEmpty)
    }

    @Test func aNewProcessTakesOverTheSaltOfTheFirstValueThatOpens() async throws {
        let stored = try await test.helper.encrypt(plain, policy: policy, identity: "one")
        let helper = test.helper
        _ = try await helper.decrypt(stored, policy: policy, identity: "one")
        let written = try await helper.encrypt(plain, policy: policy, identity: "two")
        #expect(try salt(of: written) == salt(of: stored))
        #expect(await helper.cache.count == 1)
    }

    @Test func aForgedEnvelopesSaltIsNotTakenOver() async throws {
        var forged = try await test.helper.encrypt(plain, policy: policy, identity: "one")
        let genuine = try salt(of: forged)
        forged[forged.count - 1] ^= 1
        let helper = test.helper
        let code = await storageErrorCode { _ = try await helper.decrypt(forged, policy: policy, identity: "one") }
        #expect(code == .decryptionFailed)
        let written = try await helper.encrypt(plain, policy: policy, identity: "two")
        #expect(try salt(of: written) != genuine)
    }

    @Test func aSaltOfThePolicyIsKept() async throws {
        let helper = test.helper
        _ = try await helper.encrypt(plain, policy: policy, identity: "one")
        let given = SecurityPolicy.EncryptionPolicy.aes256(keyDerivation: .pbkdf2(iterations: 1_000, salt: Data("mine".utf8)))
        let written = try await helper.encrypt(plain, policy: given, identity: "two")
        #expect(try salt(of: written) == Data("mine".utf8))
    }

    @Test func aKeyThatIsGoneIsNotServedFromTheCache() async throws {
        let helper = test.helper
        let stored = try await helper.encrypt(plain, policy: policy, identity: "one")
        for account in test.keychain.accounts { test.keychain.take(account) }
        #expect(await storageErrorCode { _ = try await helper.decrypt(stored, policy: policy, identity: "one") } == .keyMissing)
    }

    @Test func changedMaterialOfAProviderIsNotServedAnOldKey() async throws {
        struct Provider: KeyMaterialProviding {
            var byte: UInt8
            func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: byte, count: 32) }
        }
        let source = KeyMaterialSource(id: "server")
        let policy = SecurityPolicy.EncryptionPolicy.external(source: source, keyDerivation: .pbkdf2(iterations: 1_000))
        let helper = test.helper
        await helper.registerKeyMaterialProvider(Provider(byte: 1), for: source)
        let stored = try await helper.encrypt(plain, policy: policy, identity: "one")
        await helper.registerKeyMaterialProvider(Provider(byte: 2), for: source)
        #expect(await storageErrorCode { _ = try await helper.decrypt(stored, policy: policy, identity: "one") } == .decryptionFailed)
        await helper.registerKeyMaterialProvider(Provider(byte: 1), for: source)
        #expect(try await helper.decrypt(stored, policy: policy, identity: "one") == plain)
    }
}
