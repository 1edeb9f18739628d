import Foundation
import Testing

@testable import LocalData

@Suite struct EncryptionHelperTests {
    let test = SecurityTestEnvironment()
    let plain = Data("a value".utf8)

    static let policies: [SecurityPolicy.EncryptionPolicy] = [
        .recommended,
        .aes256(keyDerivation: .hkdf()),
        .aes256(keyDerivation: .hkdf(salt: Data("salt".utf8), info: Data("info".utf8))),
        .chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_000)),
        .aes256(keyDerivation: .pbkdf2(iterations: 1_000, salt: Data())),
        .external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf()),
        .external(source: KeyMaterialSource(id: "server"), keyDerivation: .pbkdf2(iterations: 1_000)),
    ]

    private func helper() async -> EncryptionHelper {
        let helper = test.helper
        await helper.registerKeyMaterialProvider(TestProvider(), for: KeyMaterialSource(id: "server"))
        return helper
    }

    @Test(arguments: policies, [0, 1, 64, 100_000])
    func whatIsSealedOpens(_ policy: SecurityPolicy.EncryptionPolicy, _ count: Int) async throws {
        let helper = await helper()
        let plain = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let envelope = try await helper.encrypt(plain, policy: policy, identity: "record")
        #expect(try await helper.decrypt(envelope, policy: policy, identity: "record") == plain)
    }

    @Test(arguments: policies)
    func anotherProcessOpensIt(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
        let envelope = try await helper().encrypt(plain, policy: policy, identity: "record")
        #expect(try await helper().decrypt(envelope, policy: policy, identity: "record") == plain)
    }

    /// What was sealed under an earlier declaration of the key opens under today's: cipher and derivation stand in the envelope. The source is
    /// the policy's, or a listed one.
    @Test func theEnvelopeSaysHowItOpensAndThePolicyWhoseItIs() async throws {
        let helper = await helper()
        for sealing in Self.policies {
            let envelope = try await helper.encrypt(plain, policy: sealing, identity: "record")
            for opening in Self.policies {
                if SecurityPolicy.encrypted(sealing).externalSource != SecurityPolicy.encrypted(opening).externalSource {
                    let code = await storageErrorCode { _ = try await helper.decrypt(envelope, policy: opening, identity: "record") }
                    #expect(code == .undeclaredPolicy)
                }
                #expect(
                    try await helper.decrypt(envelope, policy: opening, formerPolicies: [sealing], identity: "record") == plain)
            }
        }
    }

    @Test(arguments: policies)
    func movedToAnotherRecordItDoesNotOpen(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
        let helper = await helper()
        let envelope = try await helper.encrypt(plain, policy: policy, identity: "record")
        for other in ["", "recor", "record2", "Record"] {
            let code = await storageErrorCode { _ = try await helper.decrypt(envelope, policy: policy, identity: other, keyName: "record") }
            #expect(code == .decryptionFailed)
        }
    }

    @Test(arguments: policies)
    func noTwoEnvelopesShareANonce(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
        let helper = await helper()
        var nonces: Set<Data> = []
        for _ in 0..<8 {
            let envelope = try await helper.encrypt(plain, policy: policy, identity: "record")
            nonces.insert(try Envelope(parsing: envelope).header.nonce)
        }
        #expect(nonces.count == 8)
    }

    @Test func hkdfDrawsASaltForEachWrite() async throws {
        let helper = await helper()
        let first = try Envelope(parsing: await helper.encrypt(plain, policy: .recommended, identity: "record")).header
        let second = try Envelope(parsing: await helper.encrypt(plain, policy: .recommended, identity: "record")).header
        #expect(first.derivation != second.derivation)
        #expect(first.keySource == second.keySource)
    }

    @Test func saltAndInfoOfThePolicyStandInTheEnvelope() async throws {
        let derivation = SecurityPolicy.KeyDerivation.hkdf(salt: Data([1]), info: Data([2, 3]))
        let envelope = try await test.helper.encrypt(plain, policy: .aes256(keyDerivation: derivation), identity: "record")
        #expect(try Envelope(parsing: envelope).header.derivation == .hkdf(salt: Data([1]), info: Data([2, 3])))
    }

    @Test func theDefaultIterationsAre600_000() async throws {
        let envelope = try await test.helper.encrypt(plain, policy: .aes256(keyDerivation: .pbkdf2()), identity: "record")
        guard case .pbkdf2(_, let iterations) = try Envelope(parsing: envelope).header.derivation else {
            Issue.record("not PBKDF2")
            return
        }
        #expect(iterations == 600_000)
    }

    @Test(arguments: [Int.min, -1, 0, 999, 10_000_001, .max])
    func iterationsOutOfBoundsAreRefusedBeforeAnythingIsMinted(_ iterations: Int) async {
        let code = await storageErrorCode {
            _ = try await test.helper.encrypt(plain, policy: .aes256(keyDerivation: .pbkdf2(iterations: iterations)), identity: "record")
        }
        #expect(code == .invalidKey)
        #expect(test.keychain.accounts == [])
    }

    @Test(arguments: [
        SecurityPolicy.EncryptionPolicy.aes256(keyDerivation: .hkdf(salt: Data(count: 256))),
        .aes256(keyDerivation: .hkdf(info: Data(count: 1_025))),
        .aes256(keyDerivation: .pbkdf2(iterations: 1_000, salt: Data(count: 256))),
        .external(source: KeyMaterialSource(id: String(repeating: "x", count: 256)), keyDerivation: .hkdf()),
        .external(source: KeyMaterialSource(id: ""), keyDerivation: .hkdf()),
    ])
    func policiesThatNoEnvelopeCanHoldAreRefused(_ policy: SecurityPolicy.EncryptionPolicy) async {
        let helper = test.helper
        for id in ["", String(repeating: "x", count: 256)] {
            await helper.registerKeyMaterialProvider(TestProvider(), for: KeyMaterialSource(id: id))
        }
        #expect(await storageErrorCode { _ = try await helper.encrypt(plain, policy: policy, identity: "record") } == .invalidKey)
        // So no key can declare it.
        let error = #expect(throws: StorageError.self) { try SecurityPolicy.encrypted(policy).requireEnvelopeCanHold() }
        #expect(error?.code == .invalidKey && error?.facts.count == 1)
    }

    @Test(arguments: [
        SecurityPolicy.EncryptionPolicy.recommended, .aes256(keyDerivation: .hkdf(salt: Data(count: 255), info: Data(count: 1_024))),
        .aes256(keyDerivation: .pbkdf2()), .chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 10_000_000, salt: Data(count: 255))),
        .external(source: KeyMaterialSource(id: String(repeating: "x", count: 255)), keyDerivation: .hkdf()),
    ])
    func whatAnEnvelopeCanHoldCanBeDeclared(_ policy: SecurityPolicy.EncryptionPolicy) throws {
        try SecurityPolicy.encrypted(policy).requireEnvelopeCanHold()
    }
}

/// Key material that is not there.
extension EncryptionHelperTests {
    @Test func openingMintsNothing() async throws {
        let envelope = try await test.helper.encrypt(plain, policy: .recommended, identity: "record")
        let id = try Envelope(parsing: envelope).header.keySource.id
        for account in test.keychain.accounts { test.keychain.take(account) }
        let helper = test.helper
        let code = await storageErrorCode { _ = try await helper.decrypt(envelope, policy: .recommended, identity: "record") }
        #expect(code == .keyMissing)
        #expect(test.keychain.accounts == [])
        // A later write gets a key of another name, and the old envelope stays what it is.
        _ = try await helper.encrypt(plain, policy: .recommended, identity: "record")
        #expect(!test.keychain.accounts.contains(id))
        #expect(await storageErrorCode { _ = try await helper.decrypt(envelope, policy: .recommended, identity: "record") } == .keyMissing)
    }

    @Test(arguments: [(DeviceLockState.locked, StorageError.Code.locked), (.beforeFirstUnlock, .lockedBeforeFirstUnlock)])
    func aLockedKeychainIsLockedAndNotEmpty(_ state: DeviceLockState, _ code: StorageError.Code) async throws {
        let helper = test.helper
        let envelope = try await helper.encrypt(plain, policy: .recommended, identity: "record")
        let before = test.keychain.accounts
        test.device.lockState = state
        test.keychain.failAll(with: .interactionNotAllowed)
        #expect(await storageErrorCode { _ = try await helper.decrypt(envelope, policy: .recommended, identity: "record") } == code)
        #expect(await storageErrorCode { _ = try await helper.encrypt(plain, policy: .recommended, identity: "record") } == code)
        test.keychain.failAll(with: nil)
        test.device.lockState = .unlocked
        #expect(test.keychain.accounts == before)
        #expect(try await helper.decrypt(envelope, policy: .recommended, identity: "record") == plain)
    }

    @Test func manyFirstWritesAtOnceMintOneKey() async throws {
        let helper = test.helper
        let plain = plain
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<32 {
                group.addTask {
                    let envelope = try await helper.encrypt(plain, policy: .recommended, identity: "record \(index)")
                    return try Envelope(parsing: envelope).header.keySource.id
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(test.keychain.accounts.count == 2)
    }

    @Test func anUnregisteredProviderIsMissing() async {
        let policy = SecurityPolicy.EncryptionPolicy.external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf())
        #expect(await storageErrorCode { _ = try await test.helper.encrypt(plain, policy: policy, identity: "record") } == .providerMissing)
        let envelope = try? await helper().encrypt(plain, policy: policy, identity: "record")
        let code = await storageErrorCode { _ = try await test.helper.decrypt(envelope ?? Data(), policy: policy, identity: "record") }
        #expect(code == .providerMissing)
        #expect(test.keychain.accounts == [])
    }

    @Test(arguments: [(0, false), (15, false), (16, true), (32, true), (100, true)])
    func aProvidersMaterialHasAtLeast16Bytes(_ count: Int, _ isEnough: Bool) async {
        let source = KeyMaterialSource(id: "server")
        let helper = test.helper
        await helper.registerKeyMaterialProvider(TestProvider(count: count), for: source)
        let code = await storageErrorCode {
            _ = try await helper.encrypt(plain, policy: .external(source: source, keyDerivation: .hkdf()), identity: "record")
        }
        #expect(code == (isEnough ? nil : .keyMissing))
    }

    @Test func aProvidersFailureIsNamedByTypeOnly() async {
        struct Leak: Error { let secret = "hunter2" }
        let source = KeyMaterialSource(id: "server")
        let helper = test.helper
        await helper.registerKeyMaterialProvider(TestProvider(failure: Leak()), for: source)
        do {
            _ = try await helper.encrypt(plain, policy: .external(source: source, keyDerivation: .hkdf()), identity: "record")
            Issue.record("sealed without a key")
        } catch {
            #expect((error as? StorageError)?.code == .inputOutput)
            #expect(!"\(error)".contains("hunter2") && "\(error)".contains("Leak"))
        }
    }

    @Test func aProvidersStorageErrorPassesUnchanged() async {
        let source = KeyMaterialSource(id: "server")
        let policy = SecurityPolicy.EncryptionPolicy.external(source: source, keyDerivation: .hkdf())
        let helper = test.helper
        await helper.registerKeyMaterialProvider(TestProvider(failure: StorageError(.locked)), for: source)
        #expect(await storageErrorCode { _ = try await helper.encrypt(plain, policy: policy, identity: "record") } == .locked)
    }

    /// Of a provider that waits for a task which somebody else cancelled it is a failure: nobody cancelled who asks.
    @Test func aProvidersCancellationIsOneWhereTheTaskWasCancelled() async {
        let source = KeyMaterialSource(id: "server")
        let policy = SecurityPolicy.EncryptionPolicy.external(source: source, keyDerivation: .hkdf())
        let helper = test.helper
        await helper.registerKeyMaterialProvider(TestProvider(failure: CancellationError()), for: source)
        #expect(await storageErrorCode { _ = try await helper.encrypt(plain, policy: policy, identity: "record") } == .inputOutput)
        let cancelled = Task { [plain] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await helper.encrypt(plain, policy: policy, identity: "record")
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test func theProviderIsAskedForTheKeysName() async throws {
        let source = KeyMaterialSource(id: "server")
        let policy = SecurityPolicy.EncryptionPolicy.external(source: source, keyDerivation: .hkdf())
        let helper = test.helper
        await helper.registerKeyMaterialProvider(NameProvider(), for: source)
        let envelope = try await helper.encrypt(plain, policy: policy, identity: "domain/token", keyName: "a key name of 16+")
        #expect(try await helper.decrypt(envelope, policy: policy, identity: "domain/token", keyName: "a key name of 16+") == plain)
        let code = await storageErrorCode {
            _ = try await helper.decrypt(envelope, policy: policy, identity: "domain/token", keyName: "another name, 16+")
        }
        #expect(code == .decryptionFailed)
    }
}

private struct TestProvider: KeyMaterialProviding {
    var count = 32
    var failure: (any Error)?

    func keyMaterial(for keyName: String) async throws -> Data {
        if let failure { throw failure }
        return Data(repeating: 0x42, count: count)
    }
}

private struct NameProvider: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data { Data(keyName.utf8) }
}
