import Foundation
import Testing

@testable import LocalData

@Suite struct KeyRotationTests {
    @Test func everyValueIsSealedWithTheNewKeyInEveryDomain() async throws {
        let test = RotationDevice()
        let router = try await test.filled()
        let old = try #require(try test.ring.primary()?.id)
        let report = try await router.rotateKeys()
        let new = try #require(report.primary)
        #expect(new != old)
        #expect(report.isNew)
        #expect(report.isComplete)
        #expect(report.retirement == nil)
        #expect(report.outcomes.map(\.summary) == test.keys.map { "\($0.name) in \($0.domain.kind): resealed key" })
        for key in test.keys { #expect(try await router.seal(of: key) == new) }
        try await test.expectAllReadable(router)
        try await test.expectAllReadable(try await test.router())
        #expect(try test.keyIDs == [old, new].sorted())
        #expect(try test.ring.isRotating() == false)
    }

    @Test func aCompleteRotationIsFollowedByAnother() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        let first = try await router.rotateKeys()
        let second = try await router.rotateKeys()
        #expect(second.isNew)
        #expect(second.primary != first.primary)
        #expect(try test.keyIDs.count == 3)
        #expect(try await router.seal(of: test.keys[0]) == second.primary)
    }

    @Test func resealingWhatIsCurrentWritesNothing() async throws {
        let test = RotationDevice()
        let router = try await test.filled()
        try await router.rotateKeys()
        let before = writes(test.device)
        #expect(try await router.resealValues().allSatisfy { $0.summary.hasSuffix(": current") })
        _ = try await router.keyRotationPlan()
        #expect(writes(test.device) == before)
    }

    /// Reading a plain value, which is to be sealed, clears away what crashed writes left beside it. A plan does not.
    @Test func aPlanLeavesWhatCrashedWritesLeft() async throws {
        let device = TestDevice()
        var letter = ValueKey("letter", of: String.self, in: .documents, security: .recommended)
        letter.formerSecurity = [.none]
        try await device.router().registerCatalog(ListedKeys(allKeys: [.key(letter)]))
        device.files.put(Data(#""dear""#.utf8), at: "/app/Documents/letter")
        device.files.put(Data([1]), at: "/app/Documents/.localdata-0123456789abcdef0123456789abcdef.tmp")
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: [.key(letter)]))
        let before = device.files.paths
        let planned = try await router.keyRotationPlan().values.first?.state
        #expect(device.files.paths == before)
        guard case .due([.form])? = planned else {
            Issue.record("\(String(describing: planned))")
            return
        }
    }

    @Test func withoutAMasterKeyNothingIsMinted() async throws {
        let test = RotationDevice()
        let router = try await test.router()
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.primary == nil)
        #expect(report.isComplete)
        #expect(report.retirement?.retired == [])
        #expect(report.outcomes.allSatisfy { $0.summary.hasSuffix(": absent") })
        #expect(test.device.keychain.operations.allSatisfy { !$0.hasPrefix("add") })
    }

    @Test func aLockedDeviceDefersAndTheNextCallGoesOn() async throws {
        let test = RotationDevice(domains: [.documents, .encryptedFileSystem(directory: .documents)])
        let router = try await test.filled()
        test.device.lockState = .locked
        let first = try await router.rotateKeys(retiringOldKeys: true)
        #expect(first.outcomes.map(\.summary) == ["value0 in fileSystem: resealed key", "value1 in encryptedFileSystem: deferred locked"])
        #expect(!first.isComplete)
        #expect(first.retirement?.retired == [])
        #expect(first.retirement?.kept.map(\.needs) == [[.unreadable(place: "the device", .locked)]])
        test.device.lockState = .unlocked
        let second = try await router.rotateKeys(retiringOldKeys: true)
        #expect(second.primary == first.primary)
        #expect(!second.isNew)
        #expect(second.isComplete)
        #expect(second.outcomes.map(\.summary) == ["value0 in fileSystem: current", "value1 in encryptedFileSystem: resealed key"])
        #expect(try test.keyIDs == [try #require(first.primary)])
        try await test.expectAllReadable(router)
    }

    @Test func beforeTheFirstUnlockNothingBegins() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        test.device.lockState = .beforeFirstUnlock
        #expect(await storageError { try await router.rotateKeys() }?.code == .lockedBeforeFirstUnlock)
        test.device.lockState = .unlocked
        #expect(try test.keyIDs.count == 1)
        #expect(try test.ring.isRotating() == false)
    }

    /// A damaged value is reported, stays as it is, and keeps neither the rotation nor the old key.
    @Test func aDamagedValueIsLeftAlone() async throws {
        let test = RotationDevice(domains: [.documents, .keychain(service: nil)])
        let router = try await test.filled()
        var bytes = try #require(try await router.storedBytes(of: .key(test.keys[0])))
        bytes[bytes.count - 1] ^= 1
        try await router.overwriteStoredBytes(of: .key(test.keys[0]), with: bytes)
        let report = try await router.rotateKeys()
        #expect(report.outcomes.map(\.summary) == ["value0 in fileSystem: failed decryptionFailed", "value1 in keychain: resealed key"])
        #expect(report.isComplete)
        #expect(try await router.storedBytes(of: .key(test.keys[0])) == bytes)
    }

    @Test func aFullDiskKeepsTheRotationOpen() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        test.device.files.observe { operation, _ in
            if operation == "open" { test.device.files.plan = .fail(operation: test.device.files.operationCount + 1, errno: ENOSPC) }
        }
        let first = try await router.rotateKeys()
        test.device.files.observe(nil)
        #expect(first.outcomes.map(\.summary) == ["value0 in fileSystem: failed noSpace"])
        #expect(!first.isComplete)
        let second = try await router.rotateKeys()
        #expect(second.primary == first.primary)
        #expect(second.isComplete)
    }

    @Test func aCancelledSweepGoesOnWhereItWas() async throws {
        let test = RotationDevice(domains: [.documents, .keychain(service: nil)])
        let router = try await test.filled()
        var values = router.keyRotation().makeAsyncIterator()
        #expect(try await values.next()?.completed == 1)
        let primary = try test.ring.primary()?.id
        let second = try await router.rotateKeys()
        #expect(second.primary == primary)
        #expect(second.outcomes.map(\.summary) == ["value0 in fileSystem: current", "value1 in keychain: resealed key"])
    }

    /// What a migration may still bring over is sealed anew where it lies.
    @Test func theSourceOfAMigrationIsSealedAnew() async throws {
        let device = TestDevice()
        let old = ValueKey("old", of: String.self, in: .documents, security: .recommended)
        let new = ValueKey("new", of: String.self, in: .keychain(service: nil), security: .recommended).replacing(old)
        try await device.router().set("legacy", for: old)
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: [.key(new)]))
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.outcomes.map(\.summary) == ["new in keychain: absent", "old in fileSystem: resealed key"])
        #expect(report.retirement?.retired.count == 1)
        #expect(try await router.get(new) == "legacy")
    }

    // MARK: Policies and external material

    @Test func anotherPolicyIsOneMoreDifference() async throws {
        let device = TestDevice()
        let first = ValueKey("v", of: String.self, in: .documents, security: .recommended)
        try await device.router().set("x", for: first)
        let changes: [(SecurityPolicy, [SealingDifference])] = [
            (.recommended, []),
            (.encrypted(.aes256(keyDerivation: .hkdf())), [.cipher]),
            (.encrypted(.aes256(keyDerivation: .hkdf(salt: Data([1])))), [.derivation]),
            (.encrypted(.aes256(keyDerivation: .hkdf(info: Data([1])))), [.derivation]),
            (.encrypted(.chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_000))), [.cipher, .derivation]),
            (.encrypted(.chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_001))), [.derivation]),
            (.encrypted(.chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_001, salt: Data([2])))), [.derivation]),
            (.encrypted(.external(source: KeyMaterialSource(id: "remote.1"), keyDerivation: .hkdf())), [.key, .derivation]),
            (.encrypted(.external(source: KeyMaterialSource(id: "remote.2"), keyDerivation: .hkdf())), [.key]),
        ]
        for (policy, differences) in changes {
            let router = device.router()
            await router.encryption.registerKeyMaterialProvider(FixedMaterial(byte: 1), for: KeyMaterialSource(id: "remote.1"))
            await router.encryption.registerKeyMaterialProvider(FixedMaterial(byte: 2), for: KeyMaterialSource(id: "remote.2"))
            var key = ValueKey("v", of: String.self, in: .documents, security: policy)
            key.formerSecurity = changes.map(\.0)
            try await router.registerCatalog(ListedKeys(allKeys: [.key(key)]))
            #expect(try await router.get(key) == "x", "readable before it is sealed anew")
            let expected = differences.isEmpty ? "current" : "resealed \(differences.map(\.rawValue).joined(separator: " "))"
            #expect(try await router.resealValues().map(\.summary) == ["v in fileSystem: \(expected)"])
            #expect(try await router.resealValues().map(\.summary) == ["v in fileSystem: current"])
            #expect(try await router.get(key) == "x")
        }
    }

    @Test func thePlanSaysWhichExternalSourcesAreNeeded() async throws {
        let device = TestDevice()
        func key(_ source: String) -> ValueKey<String> {
            let policies: [SecurityPolicy] = ["remote.1", source].map {
                .encrypted(.external(source: KeyMaterialSource(id: $0), keyDerivation: .hkdf()))
            }
            var key = ValueKey("v", of: String.self, in: .documents, security: policies[1])
            key.formerSecurity = [policies[0]]
            return key
        }
        let router = device.router()
        await router.encryption.registerKeyMaterialProvider(FixedMaterial(byte: 1), for: KeyMaterialSource(id: "remote.1"))
        try await router.set("x", for: key("remote.1"))
        try await router.registerCatalog(ListedKeys(allKeys: [.key(key("remote.2"))]))
        let plan = try await router.keyRotationPlan()
        #expect(
            plan.keys == [
                KeyUse(key: .external("remote.1"), isCurrent: false, needs: [.value(key: "v", domain: "fileSystem")]),
                KeyUse(key: .external("remote.2"), isCurrent: true, needs: []),
            ])
        #expect(plan.limits.map(\.rawValue) == ["unnamedSuites", "unnamedDirectories", "unnamedGroups"])
        // The new source's provider is not there yet: nothing changes.
        #expect(try await router.resealValues().map(\.summary) == ["v in fileSystem: failed providerMissing"])
        await router.encryption.registerKeyMaterialProvider(FixedMaterial(byte: 2), for: KeyMaterialSource(id: "remote.2"))
        try await router.resealValues()
        #expect(try await router.keyRotationPlan().keys.map(\.key) == [.external("remote.2")])
        #expect(try await router.get(key("remote.2")) == "x")
    }

    /// Material that is another at every call would leave a value that nothing opens.
    @Test func aProviderThatChangesItsMindLosesNothing() async throws {
        final class Fickle: KeyMaterialProviding, @unchecked Sendable {
            private let lock = NSLock()
            private var next: UInt8 = 0

            func keyMaterial(for keyName: String) async throws -> Data {
                lock.withLock {
                    next += 1
                    return Data(repeating: next, count: 32)
                }
            }
        }
        let device = TestDevice()
        let router = device.router()
        let source = KeyMaterialSource(id: "fickle")
        await router.encryption.registerKeyMaterialProvider(Fickle(), for: source)
        var key = ValueKey(
            "v", of: String.self, in: .documents, security: .encrypted(.external(source: source, keyDerivation: .hkdf())))
        key.formerSecurity = [.recommended]
        try await device.router().set("x", for: ValueKey("v", in: .documents, security: .recommended))
        let before = device.files.peek("/app/Documents/v")
        try await router.registerCatalog(ListedKeys(allKeys: [.key(key)]))
        #expect(try await router.resealValues().map(\.summary) == ["v in fileSystem: failed keyMissing"])
        #expect(device.files.peek("/app/Documents/v") == before)
        #expect(device.files.paths == ["/app/Documents/v"])
    }

    @Test func aKeyMadeAtRunTimeIsSealedAnewWithItsKind() async throws {
        let test = RotationDevice(domains: [.documents])
        let pattern = ValueKey("user.<id>", of: String.self, in: .documents, security: .recommended)
        let router = try await test.filled([.key(pattern)])
        let key = ValueKey("user.1", of: String.self, in: .documents, security: .recommended)
        try await router.set("x", for: key)
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.outcomes.map(\.summary).contains("user.1 in fileSystem: resealed key"))
        #expect(report.retirement?.retired.count == 1)
        #expect(try await router.resealValue(of: key).summary == "user.1 in fileSystem: current")
        #expect(try await router.get(key) == "x")
    }

    private func writes(_ device: TestDevice) -> [Int] {
        let reads: Set<String> = ["list", "read", "realpath", "stat"]
        return [
            device.files.operations.filter { !reads.contains(String($0.prefix { $0 != " " })) }.count, device.defaults.changeCount,
            device.keychain.operations.filter { !$0.hasPrefix("copyMatching") }.count,
        ]
    }
}
