import Foundation
import Testing

@testable import LocalData

/// A device with one sealed value in every kind of place, and what a test wants to know of it.
struct RotationDevice {
    let device: TestDevice
    let keys: [ValueKey<String>]

    static let domains: [StorageDomain] = [
        .userDefaults(suite: nil), .appGroupUserDefaults(identifier: "group.x"), .keychain(service: nil), .documents,
        .encryptedFileSystem(directory: .documents), .appGroupFileSystem(identifier: "group.x", directory: .documents),
        .fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents/drafts"))),
    ]

    init(_ device: TestDevice = TestDevice(), domains: [StorageDomain] = RotationDevice.domains, policy: SecurityPolicy = .recommended) {
        self.device = device
        keys = domains.enumerated().map { ValueKey("value\($0.offset)", in: $0.element, security: policy) }
    }

    /// A process of the app, with all keys registered.
    func router(_ others: [AnyStorageKey] = []) async throws -> StorageRouter {
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: keys.map { .key($0) } + others))
        return router
    }

    /// A process that has set every value.
    func filled(_ others: [AnyStorageKey] = []) async throws -> StorageRouter {
        let router = try await router(others)
        for key in keys { try await router.set(key.name, for: key) }
        return router
    }

    func expectAllReadable(_ router: StorageRouter, _ comment: Comment? = nil) async throws {
        for key in keys { #expect(try await router.get(key) == key.name, comment) }
    }

    /// What two processes retire, one after the other, where sealed values lie in preferences: the first only notes it.
    func retiredForGood() async throws -> [String] {
        let first = try await router().retireUnneededKeys()
        #expect(first.retired == [])
        #expect(first.kept.allSatisfy { $0.needs == [.unsettledPreferences] })
        return try await router().retireUnneededKeys().retired
    }

    var ring: MasterKeyRing { MasterKeyRing(environment: device.environment) }

    var keyIDs: [String] { get throws { try ring.keyIDs() } }
}

struct ListedKeys: StorageKeyCatalog {
    let allKeys: [AnyStorageKey]
}

extension StorageRouter {
    /// The id of what seals the value of a key.
    func seal(of key: some StorageKey) async throws -> String? {
        try await storedBytes(of: .key(key)).map { try Envelope(parsing: $0).header.keySource.id }
    }
}

extension ResealOutcome {
    /// Such as `a in keychain: resealed key` or `b in userDefaults: failed corrupt`.
    var summary: String {
        let text =
            switch result {
            case .resealed(let differences): "resealed \(differences.map(\.rawValue).joined(separator: " "))"
            case .current: "current"
            case .absent: "absent"
            case .deferred(let error): "deferred \(error.code.rawValue)"
            case .failed(let error): "failed \(error.code.rawValue)"
            }
        return "\(key) in \(domain): \(text)"
    }
}

/// The same material for every name.
struct FixedMaterial: KeyMaterialProviding {
    let byte: UInt8

    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: byte, count: 32) }
}
