import Foundation
import Testing

@testable import LocalData

@Suite struct StorageRouterTests {
    static let domains: [(StorageDomain, SecurityPolicy)] = [
        (.userDefaults(suite: nil), .none), (.userDefaults(suite: "suite"), .none), (.appGroupUserDefaults(identifier: "group.x"), .none),
        (.keychain(service: "com.myapp"), .keychain(accessibility: .afterFirstUnlock, accessControl: nil)),
        (.keychain(service: nil), .none),
        (.documents, .none), (.fileSystem(directory: .caches), .none),
        (.fileSystem(directory: .custom(URL(fileURLWithPath: "/elsewhere"))), .none),
        (.appGroupFileSystem(identifier: "group.x", directory: .documents), .none),
        (.userDefaults(suite: nil), .recommended), (.keychain(service: nil), .recommended), (.documents, .recommended),
        (.encryptedFileSystem(directory: .documents), .recommended),
        (.encryptedFileSystem(directory: .caches), .encrypted(.aes256(keyDerivation: .hkdf()))),
        (.appGroupFileSystem(identifier: "group.x", directory: .caches), .recommended),
    ]

    @Test(arguments: domains) func aValueIsSetReadReplacedAndRemoved(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
        let device = TestDevice()
        let key = ValueKey("value", of: [String: Int].self, in: domain, security: security)
        let router = device.router()
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect(try await router.exists(key) == false)
        try await router.set(["a": 1], for: key)
        #expect(try await router.get(key) == ["a": 1])
        #expect(try await router.exists(key))
        try await router.set(["b": 2], for: key)
        // Another process of the same device.
        let relaunched = device.router()
        #expect(try await relaunched.get(key) == ["b": 2])
        try await relaunched.remove(key)
        try await relaunched.remove(key)
        #expect(try await router.exists(key) == false)
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func errorsSayWhereAndWhat() async {
        let error = await storageError { _ = try await TestDevice().router().get(ValueKey("value", of: Int.self, in: .documents)) }
        #expect(error?.key == "value")
        #expect(error?.domain == "fileSystem")
        #expect(error?.operation == "get")
        #expect(
            error?.description
                == "get of 'value' in fileSystem: no value is stored. Treat it as absent; where the key syncs, store no default: "
                + "the counterpart's value may be on its way.")
    }

    @Test(arguments: [
        (DeviceRole.watch, PlatformAvailability.phoneOnly, StorageError.Code?.some(.phoneOnly)), (.phone, .watchOnly, .watchOnly),
        (.host, .watchOnly, .watchOnly),
        (.host, .phoneOnly, nil), (.phone, .phoneOnly, nil), (.watch, .watchOnly, nil), (.watch, .phoneWithWatchSync, nil),
        (.phone, .all, nil),
    ]) func keysOfOtherDevicesAreRefused(_ role: DeviceRole, _ availability: PlatformAvailability, _ code: StorageError.Code?) async {
        let device = TestDevice(role: role)
        let router = device.router()
        var key = ValueKey("value", of: Int.self)
        key.availability = availability
        #expect(await storageError { try await router.set(1, for: key) }?.code == code)
        #expect(await storageError { _ = try await router.get(key) }?.code == code)
        #expect(await storageError { _ = try await router.exists(key) }?.code == code)
        #expect(await storageError { try await router.remove(key) }?.code == code)
    }

    @Test func anInvalidKeyIsRefusedBeforeAnythingHappens() async {
        let device = TestDevice()
        let key = ValueKey("../value", of: Int.self, in: .documents)
        let error = await storageError { try await device.router().set(1, for: key) }
        #expect(error?.code == .invalidKey)
        #expect(error?.key == "../value")
        #expect(device.files.operationCount == 0)
    }

    @Test func aValueThatCannotBeEncodedChangesNothing() async throws {
        let device = TestDevice()
        let key = ValueKey("value", of: Double.self, in: .documents)
        try await device.router().set(1, for: key)
        let count = device.files.operationCount
        #expect(await storageError { try await device.router().set(.infinity, for: key) }?.code == .encodingFailed)
        #expect(device.files.operationCount == count)
    }

    @Test func lockedIsNeverAbsent() async throws {
        let device = TestDevice()
        let file = ValueKey("value", of: Int.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        let item = ValueKey(
            "value", of: Int.self, in: .keychain(service: nil), security: .keychain(accessibility: .whenUnlocked, accessControl: nil))
        let router = device.router()
        try await router.set(1, for: file)
        try await router.set(2, for: item)
        for (state, code) in [(DeviceLockState.locked, StorageError.Code.locked), (.beforeFirstUnlock, .lockedBeforeFirstUnlock)] {
            device.lockState = state
            #expect(await storageError { _ = try await router.get(file) }?.code == code)
            #expect(await storageError { _ = try await router.get(item) }?.code == code)
            #expect(await storageError { _ = try await router.exists(item) }?.code == code)
            #expect(await storageError { try await router.set(3, for: file) }?.code == code)
            #expect(await storageError { try await router.set(3, for: item) }?.code == code)
        }
        device.lockState = .unlocked
        #expect(try await router.get(file) == 1)
        #expect(try await router.get(item) == 2)
    }

    /// Downgrading a stored value must not be possible by replacing the file.
    @Test func aPlainValueAtThePlaceOfASealedOneIsNotReturned() async throws {
        let device = TestDevice()
        let router = device.router()
        let file = ValueKey("value", of: String.self, in: .documents, security: .recommended)
        let preference = ValueKey("value", of: String.self, security: .recommended)
        device.files.put(Data("\"forged\"".utf8), at: "/app/Documents/value")
        device.defaults.put(.string("forged"), forKey: "value")
        #expect(await storageError { _ = try await router.get(file) }?.code == .undeclaredPolicy)
        #expect(await storageError { _ = try await router.get(preference) }?.code == .undeclaredPolicy)
        device.defaults.put(.data(Data("\"forged\"".utf8)), forKey: "value")
        #expect(await storageError { _ = try await router.get(preference) }?.code == .undeclaredPolicy)
    }

    @Test func aSealedValueDoesNotOpenUnderAnotherKey() async throws {
        let device = TestDevice()
        let router = device.router()
        try await router.set("a", for: ValueKey("a", in: .documents, security: .recommended))
        device.files.put(try #require(device.files.peek("/app/Documents/a")), at: "/app/Documents/b")
        let other = ValueKey("b", of: String.self, in: .documents, security: .recommended)
        let error = await storageError { _ = try await router.get(other) }
        #expect(error?.code == .decryptionFailed)
        #expect(error?.key == "b")
    }

    /// A key may move to the protected domain without losing its value: it stays where it is.
    @Test func aSealedFileOpensInBothFileDomains() async throws {
        let device = TestDevice()
        let router = device.router()
        try await router.set("a", for: ValueKey("a", in: .documents, security: .recommended))
        let protected = ValueKey("a", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        #expect(try await router.get(protected) == "a")
        try await router.set("b", for: protected)
        #expect(device.files.protection(of: "/app/Documents/a") == .complete)
    }

    @Test func noPlaintextOfASealedValueIsStored() async throws {
        let device = TestDevice()
        let secret = "correct horse battery staple"
        try await device.router().set(secret, for: ValueKey("a", in: .documents, security: .recommended))
        try await device.router().set(secret, for: ValueKey("b", security: .recommended))
        let file = try #require(device.files.peek("/app/Documents/a"))
        guard case .data(let preference)? = device.defaults.peek("b") else { return #expect(Bool(false), "no data") }
        for stored in [file, preference] { #expect(stored.range(of: Data("horse".utf8)) == nil) }
    }

    @Test func keychainAttributesFollowThePolicy() async throws {
        let device = TestDevice()
        let key = ValueKey(
            "token", of: String.self, in: .keychain(service: "s"),
            security: .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .biometryAny))
        try await device.router().set("t", for: key)
        let item = try #require(device.keychain.peek("token", service: "s"))
        #expect(item.accessibility == .whenUnlockedThisDeviceOnly)
        #expect(item.accessControl == .biometryAny)
        #expect(KeychainItemMetadata(stored: item.generic ?? Data()) == KeychainItemMetadata(tag: nil, accessControl: .biometryAny))
        device.keychain.answer = .cancels
        #expect(await storageError { _ = try await device.router().get(key) }?.code == .authenticationCancelled)
        #expect(try await device.router().exists(key))
    }

    @Test func aKeychainItemWithoutAKeychainPolicyIsWithinReachWhenItsValueIs() async throws {
        let device = TestDevice()
        try await device.router().set("a", for: ValueKey("sealed", in: .keychain(service: nil), security: .recommended))
        try await device.router().set("b", for: ValueKey("plain", in: .keychain(service: nil)))
        #expect(device.keychain.peek("sealed")?.accessibility == .afterFirstUnlock)
        #expect(device.keychain.peek("plain")?.accessibility == .whenUnlocked)
    }

    @Test func sharedIsTheRouterOfTheRunningDevice() async throws {
        let (phone, watch) = (TestDevice(role: .phone), TestDevice(role: .watch))
        let key = ValueKey("value", of: String.self)
        for device in [phone, watch] {
            try await StorageRouter.$current.withValue(device.router()) {
                try await StorageRouter.shared.set("\(device.description.role)", for: key)
                #expect(try await FileStorageHelper.shared.list(.documents) == [])
            }
        }
        #expect(try await phone.router().get(key) == "phone")
        #expect(try await watch.router().get(key) == "watch")
    }

    /// A slow write of one key delays the next operation on it, and nothing else.
    @Test func operationsOnOneKeyTakeTurnsAndOthersDoNotWait() async throws {
        let device = TestDevice()
        let router = device.router()
        let executor = ManualExecutor()
        let log = Log()
        let barrier = Barrier()
        let slow = ValueKey("slow", of: Int.self)
        let location = try StorageLocation(of: slow)
        executor.start {
            try await router.engines.turns.run(at: location) {
                await barrier.pass()
                log.add("slow")
            }
        }
        executor.start {
            try await router.set(1, for: slow)
            log.add("set")
        }
        executor.start { log.add("got \(try await router.get(slow))") }
        executor.start {
            try await router.set(2, for: ValueKey("other", of: Int.self))
            log.add("other")
        }
        executor.drain()
        #expect(log.entries == ["other"])
        barrier.open()
        executor.drain()
        #expect(log.entries == ["other", "slow", "set", "got 1"])
    }

    @Test func concurrentSetsAndGetsNeverSeeAMix() async throws {
        let router = TestDevice().router()
        let key = ValueKey("value", of: [Int].self, in: .documents, security: .recommended)
        try await router.set([0, 0], for: key)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...50 {
                group.addTask { try await router.set([number, number], for: key) }
                group.addTask {
                    let value = try await router.get(key)
                    #expect(value[0] == value[1])
                }
            }
            try await group.waitForAll()
        }
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func unregisteredKeysAreRefusedOnceThereIsACatalog() async throws {
        struct Catalog: StorageKeyCatalog {
            var allKeys: [AnyStorageKey] { [.key(ValueKey("known", of: Int.self))] }
        }
        let router = TestDevice().router()
        try await router.registerCatalog(Catalog())
        try await router.set(1, for: ValueKey("known"))
        let error = await storageError { try await router.set(1, for: ValueKey("unknown")) }
        #expect(error?.code == .notRegistered)
        #expect(error?.operation == "set")
    }
}
