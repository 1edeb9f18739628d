import Foundation
import Testing

@testable import LocalData

/// A master key goes when it is verified that nothing needs it, and what keeps it is named.
@Suite struct KeyRetirementTests {
    /// No App Groups, which are a reason of their own.
    static let domains: [StorageDomain] = [.userDefaults(suite: "com.suite"), .keychain(service: "s"), .documents]

    @Test func aKeyThatNothingNeedsGoes() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.kept.map(\.needs) == [[.unsettledPreferences]])
        #expect(test.device.defaults.synchronized == [.named("com.suite"), .standard])
        #expect(try await test.router().retireUnneededKeys().retired.count == 1)
        #expect(try test.keyIDs == [try #require(report.primary)])
        try await test.expectAllReadable(try await test.router())
        #expect(try await router.retireUnneededKeys().retired == [])
    }

    /// A group that the app has left cannot be looked into: what may need the key there keeps it, and nothing fails over it.
    @Test func aGroupThatWasLeftFailsNothing() async throws {
        let group = "group.left"
        let before = RotationDevice(domains: [.appGroupUserDefaults(identifier: group), .documents])
        _ = try await before.filled().rotateKeys(retiringOldKeys: false)
        before.device.defaults.leave(.appGroup(group))
        let after = RotationDevice(before.device, domains: [.documents])
        let router = try await after.router()
        let report = try await router.retireUnneededKeys()
        #expect(report.retired == [] && report.kept.count == 1 && report.kept.allSatisfy { !$0.needs.isEmpty }, "\(report)")
        _ = try await router.keyRotationPlan()
    }

    @Test func aValueThatWasNotSealedAnewKeepsIt() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        var values = router.keyRotation().makeAsyncIterator()
        _ = try await values.next()
        let report = try await router.retireUnneededKeys()
        #expect(report.retired == [])
        #expect(
            report.kept.map(\.needs) == [
                [.value(key: "value1", domain: "keychain"), .value(key: "value2", domain: "fileSystem")]
            ])
        try await test.expectAllReadable(router)
    }

    /// Envelopes of keys that this version of the app does not know, wherever they can be found.
    @Test(arguments: [
        (StorageDomain.userDefaults(suite: nil), "defaults/standard/other"),
        (.userDefaults(suite: "com.suite"), "defaults/suite/com.suite/other"),
        (.keychain(service: "elsewhere"), "keychain/elsewhere/other"),
        (.fileSystem(directory: .caches), "file/caches/other"),
        (.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents/a/b"))), "file/documents/a/b/other"),
        (
            .fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Library/Application Support/x"))), "file/support/x/other"
        ),
    ]) func anEnvelopeWithoutARegisteredKeyKeepsIt(_ domain: StorageDomain, _ place: String) async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        let other = ValueKey("other", of: String.self, in: domain, security: .recommended)
        try await test.device.router().set("x", for: other)
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.kept.map(\.needs) == [[.unknownValue(place: place)]])
        #expect(try await test.device.router().get(other) == "x")
        try await test.device.router().remove(other)
        #expect(try await test.retiredForGood().count == 1)
    }

    /// As an app with the Keychain Sharing capability has them from earlier versions of LocalData: another app may seal by them.
    @Test func aKeyInAGroupThatOthersHaveStays() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        test.device.keychain.ownAccessGroup = "TEAM.com.example.app"
        test.device.keychain.moveItems(to: "TEAM.shared")
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.retired == [])
        // Where the process's own group cannot be told for now, no group is its own.
        test.device.keychain.ownAccessGroup = nil
        #expect(try await test.retiredForGood() == [])
        test.device.keychain.moveItems(to: "TEAM.com.example.app")
        #expect(try await test.retiredForGood() == [])
        test.device.keychain.ownAccessGroup = "TEAM.com.example.app"
        #expect(try await test.retiredForGood().count == 1)
    }

    /// What was derived from a key opens what the key does.
    @Test func whatWasDerivedFromItIsForgotten() async throws {
        let test = RotationDevice(domains: [.documents], policy: .encrypted(.aes256(keyDerivation: .pbkdf2(iterations: 1_000))))
        let router = try await test.filled()
        #expect(await router.encryption.cache.count == 1)
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.retired.count == 1)
        #expect(await router.encryption.cache.count == 1, "of the new key alone")
        #expect(await router.rememberedMasterKeys() == [try #require(report.primary)])
        try await test.expectAllReadable(router)
    }

    @Test func anAppGroupKeepsItUnlessTheAppVouchesForTheOthers() async throws {
        let test = RotationDevice(domains: [.appGroupFileSystem(identifier: "group.x", directory: .documents)])
        let router = try await test.filled()
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.retirement?.kept.map(\.needs) == [[.sharedContainer("group.x")]])
        #expect(try await router.retireUnneededKeys(whileOthersAreQuiet: true).retired.count == 1)
        try await test.expectAllReadable(router)
    }

    @Test func whatCannotBeReadKeepsIt() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        try await router.rotateKeys()
        test.device.files.put(Data(EnvelopeFormat.magic + [9]), at: "/app/Documents/newer")
        #expect(
            try await router.retireUnneededKeys().kept.map(\.needs) == [[.unreadable(place: "file/documents/newer", .superseded)]])
        test.device.files.put(Data(EnvelopeFormat.magic + [1, 1]), at: "/app/Documents/newer")
        #expect(try await test.retiredForGood().count == 1, "what is cut short needs no key")
    }

    @Test(arguments: [(DeviceLockState.locked, StorageError.Code.locked), (.beforeFirstUnlock, .lockedBeforeFirstUnlock)])
    func aLockedDeviceRetiresNothing(_ state: DeviceLockState, _ code: StorageError.Code) async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        try await router.rotateKeys()
        test.device.lockState = state
        #expect(await storageError { try await router.retireUnneededKeys() }?.code == code)
        test.device.lockState = .unlocked
        #expect(try test.keyIDs.count == 2)
    }

    /// The device is locked while everything is looked at: what was listed may not have been everything.
    @Test func lockingMeanwhileRetiresNothing() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        try await router.rotateKeys()
        let device = test.device
        device.files.observe { operation, path in if operation == "list", path.hasSuffix("/tmp") { device.lockState = .locked } }
        #expect(await storageError { try await router.retireUnneededKeys() }?.code == .locked)
        #expect(try test.keyIDs.count == 2)
    }

    @Test func aSuccessorThatIsAboutToBecomePrimaryStays() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        let primary = try #require(try test.ring.primary()?.id)
        let successor = try test.ring.mint(after: primary)
        #expect(try await router.retireUnneededKeys().retired == [])
        #expect(try await router.rotateKeys(retiringOldKeys: true).primary == successor)
        #expect(try await test.router().retireUnneededKeys().retired.count == 1)
        #expect(try test.keyIDs == [successor])
    }

    @Test func aRetiredKeyOpensNothingAnyMore() async throws {
        // In one process: no preferences.
        let test = RotationDevice(domains: [.documents], policy: .encrypted(.aes256(keyDerivation: .pbkdf2(iterations: 1_000))))
        let router = try await test.filled()
        let old = try #require(test.device.files.peek("/app/Documents/value0"))
        try await router.rotateKeys(retiringOldKeys: true)
        test.device.files.put(old, at: "/app/Documents/value0")
        #expect(await storageError { _ = try await router.get(test.keys[0]) }?.code == .keyMissing)
    }

    // MARK: Others at work

    /// Another process seals the value anew and retires the old key between this one's reading of the envelope and of the key.
    @Test func anEnvelopeReadJustBeforeItsKeyWentIsReadAgain() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        let reader = try await test.router()
        let before = try #require(test.device.files.peek("/app/Documents/value0"))
        try await router.rotateKeys(retiringOldKeys: true)
        let after = try #require(test.device.files.peek("/app/Documents/value0"))
        let (device, reads) = (test.device, Log())
        device.files.put(before, at: "/app/Documents/value0")
        device.files.observe { operation, path in
            guard operation == "read", path == "/app/Documents/value0" else { return }
            reads.add(path)
            if reads.entries.count == 2 { device.files.put(after, at: path) }
        }
        #expect(try await reader.get(test.keys[0]) == "value0")
        #expect(reads.entries.count == 2)
    }

    @Test(arguments: ["another value", nil]) func whatAnotherProcessDidMeanwhileStays(_ value: String?) async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        let other = try await test.router()
        if let value { try await other.set(value, for: test.keys[0]) }
        let theirs = value.flatMap { _ in test.device.files.peek("/app/Documents/value0") }
        try await other.set("value0", for: test.keys[0])
        let device = test.device
        // Just when the new envelope is about to take the old one's place.
        device.files.observe { operation, path in
            guard operation == "fsync", path.hasSuffix(".tmp") else { return }
            device.files.observe(nil)
            if let theirs {
                device.files.put(theirs, at: "/app/Documents/value0")
            } else {
                try? device.files.removeFile(at: "/app/Documents/value0")
            }
        }
        let report = try await router.rotateKeys()
        #expect(report.outcomes.map(\.summary) == ["value0 in fileSystem: \(value == nil ? "absent" : "resealed key")"])
        #expect(try await router.exists(test.keys[0]) == (value != nil))
        if let value { #expect(try await router.get(test.keys[0]) == value) }
        #expect(device.files.paths.allSatisfy { !$0.hasSuffix(".tmp") })
    }

    @Test func ofTwoProcessesThatRotateAtOnceBothEndWithOneKey() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        let other = try await test.router()
        let keychain = test.device.keychain
        // The other one begins between this one's look and its mint.
        let ring = test.ring
        keychain.beforeNextAdd { _ = try? ring.beginRotation() }
        let report = try await router.rotateKeys()
        let primary = try #require(report.primary)
        #expect(try await other.rotateKeys(retiringOldKeys: true).isComplete)
        #expect(try test.keyIDs.contains(primary) || test.keyIDs.count == 1)
        try await test.expectAllReadable(router)
        try await test.expectAllReadable(other)
    }

    /// A set that took the old key before the rotation, and stores its envelope after the old key was retired.
    @Test func aValueThatIsStoredAfterItsKeyWentIsSealedAnew() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        let late = ValueKey("late", of: String.self, in: .fileSystem(directory: .caches), security: .recommended)
        let old = try #require(try test.ring.primary()?.id)
        let form = try await router.engines.stored.secured(Data("\"x\"".utf8), for: late)
        try await router.rotateKeys(retiringOldKeys: true)
        #expect(try !test.keyIDs.contains(old))
        try router.engines.stored.put(form, for: late, tag: nil)
        try await router.engines.sealer.resealIfRetired(form, of: late, plain: Data("\"x\"".utf8))
        #expect(try await test.device.router().get(late) == "x")
    }

    /// A set that took the old key before the rotation, of a key that no catalog lists, and is not done when the old key is to go: a crash would leave what
    /// nobody can open.
    @Test func aSetUnderWayIsWaitedFor() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        let late = ValueKey("late", of: String.self, in: .fileSystem(directory: .caches), security: .recommended)
        let old = try #require(try test.ring.primary()?.id)
        let (stored, turns, ended) = (router.engines.stored, router.engines.turns, Log())
        let retirement = try await turns.run(at: stored.location(of: late)) {
            let form = try await stored.secured(Data("\"x\"".utf8), for: late)
            let retirement = Task.detached {
                defer { ended.add("retired") }
                return try await router.rotateKeys(retiringOldKeys: true).retirement
            }
            while turns.access.waitersCount == 0, ended.entries.isEmpty { await Task.yield() }
            #expect(try test.keyIDs.contains(old))
            try stored.put(form, for: late, tag: nil)
            return retirement
        }
        #expect(try await retirement.value?.kept.map(\.needs) == [[.unknownValue(place: "file/caches/late")]])
        #expect(try await test.device.router().get(late) == "x")
    }
}
