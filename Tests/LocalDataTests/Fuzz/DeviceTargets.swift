import Foundation
import FuzzSupport

@testable import LocalData

/// A whole device on which one of the places that LocalData reads holds something else, and an app that uses it nevertheless.
enum DeviceTargets {
    /// Where foreign bytes are put.
    private enum Home: Sendable {
        case file(String)
        case preference(String, DefaultsSuite)
        /// A property list value in place of whatever lies there.
        case preferenceValue(String, DefaultsSuite)
        case keychain(service: String, account: String)
        case keychainTag(service: String, account: String)
    }

    private static let keychainSecurity = SecurityPolicy.keychain(accessibility: .afterFirstUnlock, accessControl: nil)
    private static let old = ValueKey("old", of: String.self, in: .userDefaults(suite: "old"))

    private struct Keys: StorageKeyCatalog {
        let note = DeviceTargets.synced(ValueKey("note", of: String.self, in: .documents))
        let token = DeviceTargets.synced(ValueKey("token", of: String.self, in: .keychain(service: "s"), security: keychainSecurity))
        let theme = DeviceTargets.synced(ValueKey("theme", of: String.self))
        let sealed = ValueKey("sealed", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        let mixed = ValueKey("mixed", of: AnyCodable.self, security: .recommended, serializer: .plist)
        let moved = ValueKey("moved", of: String.self, in: .documents).replacing(old)

        var texts: [ValueKey<String>] { [note, token, theme, sealed, moved] }
        var allKeys: [AnyStorageKey] { texts.map { .key($0) } + [.key(mixed)] }
    }

    private static func synced<Value>(_ key: ValueKey<Value>) -> ValueKey<Value> {
        var key = key
        key.syncPolicy = .automaticSmall
        return key
    }

    static func all() async throws -> [FuzzTarget] {
        let device = TestDevice()
        try await device.router().set("older", for: old)
        let router = device.router()
        let keys = Keys()
        try await router.registerCatalog(keys)
        for key in keys.texts where key.name != keys.moved.name { try await router.set("value", for: key) }
        try await router.set(.array([.integer(1)]), for: keys.mixed)
        try await router.remove(keys.theme)
        try await router.set("again", for: keys.theme)
        try await router.setSyncPolicyOverride(.never, for: keys.token)
        _ = try await router.syncSnapshot()

        var homes = device.files.paths.map { Home.file($0) }
        let mark = try MigrationMark.file(.removed, of: StorageLocation(of: keys.moved).recordIdentity(in: device.environment))
        homes.append(.file("/app/Library/Application Support/LocalData/\(mark)"))
        for name in try device.defaults.keys(in: .standard) { homes += [.preference(name, .standard), .preferenceValue(name, .standard)] }
        homes += [.preference("old", .named("old")), .preferenceValue("old", .named("old"))]
        homes += [.keychain(service: "s", account: "token"), .keychainTag(service: "s", account: "token")]
        let ring = MasterKeyRing(environment: device.environment)
        for account in [MasterKeyRing.primaryAccount] + (try ring.keyIDs()) {
            homes.append(.keychain(service: MasterKeyRing.service, account: account))
        }

        let seeds = homes.indices.map { [UInt8($0)] + content(of: homes[$0], on: device) }
        let places = homes
        return [
            FuzzTarget(
                "device", seeds: seeds, words: PropertyListTargets.words + SerializerTargets.words, share: 12,
                make: { random in
                    let seed = random.element(of: seeds)
                    return [seed[0]]
                        + (random.below(2) == 0 ? PropertyListTargets.forged(&random) : Array(random.element(of: seeds).dropFirst()))
                },
                promises: { $0 is StorageError || $0 is MigrationError },
                read: { bytes in
                    guard let first = bytes.first, Int(first) < places.count else { throw StorageError(.unsupported) }
                    let copy = device.afterPowerLoss(keepingPending: true)
                    put(Data(bytes.dropFirst()), into: places[Int(first)], of: copy)
                    try await use(copy)
                })
        ]
    }

    private static func content(of home: Home, on device: TestDevice) -> [UInt8] {
        switch home {
        case .file(let path): [UInt8](device.files.peek(path) ?? Data())
        case .preference(let key, let suite): [UInt8](device.defaults.peek(key, in: suite).map(\.canonicalBytes) ?? Data())
        case .preferenceValue: PlistNode.dictionary([.init("value", .string("x"))]).binary
        case .keychain(let service, let account): [UInt8](device.keychain.peek(account, service: service)?.data ?? Data())
        case .keychainTag(let service, let account): [UInt8](device.keychain.peek(account, service: service)?.generic ?? Data())
        }
    }

    private static func put(_ data: Data, into home: Home, of device: TestDevice) {
        switch home {
        case .file(let path): device.files.put(data, at: path)
        case .preference(let key, let suite): device.defaults.put(.string(String(decoding: data, as: UTF8.self)), forKey: key, in: suite)
        case .preferenceValue(let key, let suite):
            device.defaults.put((try? PropertyListValue(encoded: data)) ?? .data(data), forKey: key, in: suite)
        case .keychain(let service, let account):
            guard var item = device.keychain.peek(account, service: service) else { return }
            item.data = data
            device.keychain.put(item)
        case .keychainTag(let service, let account):
            guard var item = device.keychain.peek(account, service: service) else { return }
            item.generic = data
            device.keychain.put(item)
        }
    }

    /// Everything is tried; the first error counts for the statistics, and any that is not typed is a violation.
    private static func use(_ device: TestDevice) async throws {
        let keys = Keys()
        let router = device.router()
        var first: (any Error)?
        func attempt(_ body: () async throws -> Void) async throws -> Bool {
            do {
                try await body()
                return true
            } catch let error as StorageError {
                if error.code != .notFound { first = first ?? error }
            } catch let error as MigrationError {
                first = first ?? error
            }
            return false
        }
        _ = try await attempt { _ = try await router.registerCatalog(keys, migrateImmediately: true) }
        _ = await router.auditReport()
        for key in keys.texts {
            _ = try await attempt { _ = try await router.exists(key) }
            _ = try await attempt { _ = try await router.get(key) }
        }
        _ = try await attempt { _ = try await router.get(keys.mixed) }
        _ = try await attempt { _ = try await router.syncSnapshot() }
        _ = await router.syncStatus()
        for key in keys.texts where try await attempt({ try await router.set("new", for: key) }) {
            // What was acknowledged is there, for this process and the next.
            try FuzzViolation.unless(try await router.get(key) == "new", "'\(key.name)' was set and reads otherwise")
            try FuzzViolation.unless(try await device.router().get(key) == "new", "'\(key.name)' was set and reads otherwise later")
        }
        for key in keys.texts where try await attempt({ try await router.remove(key) }) {
            try FuzzViolation.unless(try await router.valueIfStored(key) == nil, "'\(key.name)' was removed and is there")
        }
        if let first { throw first }
    }
}
