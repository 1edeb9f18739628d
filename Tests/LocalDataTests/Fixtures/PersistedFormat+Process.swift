import Foundation

@testable import LocalData

extension PersistedFormat {
    /// What a prewarmed process leaves for the next one.
    static let process = [
        PersistedFormat(file: "process-unlocked.json", meaning: "notFound") {
            let device = prewarmed()
            _ = await storageError { _ = try await device.router().get(ValueKey<String>("theme")) }
            guard let data = device.files.peek(unlockPath) else { throw StorageError(.notFound) }
            return data
        } read: { data in
            let device = prewarmed()
            device.files.put(data, at: unlockPath)
            return await storageError { _ = try await device.router().get(ValueKey<String>("theme")) }?.code.rawValue ?? "a value"
        },
        // The old key of a sealed preference, found unneeded by an earlier process: it goes now.
        PersistedFormat(file: "keys-unneeded.json", meaning: "retired [\"\(oldKey)\"]") {
            let device = try await withOldKey()
            _ = try await sealing(device).retireUnneededKeys()
            return device.files.peek(unneededPath) ?? Data()
        } read: { data in
            let device = try await withOldKey()
            device.files.put(data, at: unneededPath)
            let report = try await sealing(device).retireUnneededKeys()
            return "retired \(report.retired)"
        },
    ]

    private static let unneededPath = "/app/Library/Application Support/LocalData/\(UnneededKeys.file)"

    private static let unlockPath = "/app/Library/Application Support/LocalData/\(BelievableDefaults.unlockFile)"

    private static func prewarmed() -> TestDevice {
        let device = TestDevice()
        device.description.bootIdentifier = "0C6C63A1-6E9B-4D38-9D2D-2B3C5C1A9F10"
        device.description.wasPrewarmed = true
        return device
    }

    private static let oldKey = "1f3a9c5e7d2b4a68"

    private static func sealing(_ device: TestDevice) async throws -> StorageRouter {
        let router = device.router()
        let key = ValueKey("token", of: String.self, security: .recommended)
        try await router.registerCatalog(ListedKeys(allKeys: [.key(key)]))
        return router
    }

    private static func withOldKey() async throws -> TestDevice {
        let device = TestDevice()
        try await device.router().set(value, for: ValueKey("token", of: String.self, security: .recommended))
        _ = device.keychain.add(
            KeychainItem(
                service: MasterKeyRing.service, account: oldKey, data: Data(repeating: 7, count: 32),
                accessibility: MasterKeyRing.accessibility))
        return device
    }
}
