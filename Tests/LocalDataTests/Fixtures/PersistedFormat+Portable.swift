import Foundation

@testable import LocalData

extension PersistedFormat {
    static let portable: [PersistedFormat] = [
        PersistedFormat(file: "keychain.plist", meaning: "the master key, and a tagged token for biometryAny") {
            let folder = try TemporaryFolder()
            let keychain = FileKeychainStore(file: folder("keychain.plist"))
            for item in masterKeys + [token] { _ = keychain.add(item) }
            return try folder.read("keychain.plist")
        } read: { fixture in
            let folder = try TemporaryFolder()
            try folder.write(fixture, to: "keychain.plist")
            let keychain = FileKeychainStore(file: folder("keychain.plist"))
            let keys = keychain.copyMatching(KeychainQuery(service: "com.localdata.keys", matchesAll: true))
            let tokens = keychain.copyMatching(KeychainQuery(service: "app"))
            let isKey = keys.items == masterKeys ? "the master key" : "\(keys.status)"
            return "\(isKey), and \(tokens.items == [token] ? "a tagged token for biometryAny" : "\(tokens.status)")"
        },
        PersistedFormat(file: "preferences.plist", meaning: "dark, 3, sealed = \(value), theme @1 device-a") {
            let folder = try TemporaryFolder()
            let (_, router) = try await device(folder)
            try await router.set("dark", for: ThemeKey())
            try await router.set(3, for: ValueKey("count"))
            try await router.set(value, for: sealed)
            return try folder.read("com.example.app.plist")
        } read: { fixture in
            let folder = try TemporaryFolder()
            try folder.write(fixture, to: "com.example.app.plist")
            let (_, router) = try await device(folder)
            let stamp = try router.sync.ledger.record(of: "theme", in: ThemeKey().domain)?.committed.stamp
            return try await "\(router.get(ThemeKey())), \(router.get(ValueKey<Int>("count"))), sealed = \(router.get(sealed)), "
                + "theme @\(stamp?.counter ?? 0) \(stamp?.device ?? "")"
        },
    ]

    private static let sealed = ValueKey("sealed", of: String.self, security: .recommended)

    private static let token = KeychainItem(
        service: "app", account: "token", accessGroup: "group", data: Data("s3cret".utf8), generic: Data(0..<16),
        accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: .biometryAny)

    /// A device whose preferences are real files.
    private static func device(_ folder: TemporaryFolder) async throws -> (TestDevice, StorageRouter) {
        let device = TestDevice()
        for item in masterKeys { device.keychain.put(item) }
        var environment = device.environment
        environment.defaults = FileDefaultsStore(directory: folder.path, standardName: "com.example.app")
        return (device, StorageRouter(environment: environment))
    }
}
