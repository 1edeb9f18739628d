import Foundation

@testable import LocalData

extension PersistedFormat {
    /// Every cipher, derivation and key source that a policy can ask for. They open with the master key of `keychain.plist`.
    static let envelopes: [PersistedFormat] = [
        envelope("aes256-hkdf-master", .aes256(keyDerivation: .hkdf())),
        envelope("aes256-hkdf-salt-info-master", .aes256(keyDerivation: .hkdf(salt: Data("salt".utf8), info: Data("info".utf8)))),
        envelope("aes256-pbkdf2-master", .aes256(keyDerivation: .pbkdf2(iterations: 1_000))),
        envelope("chacha20Poly1305-hkdf-master", .chacha20Poly1305(keyDerivation: .hkdf())),
        envelope("chacha20Poly1305-pbkdf2-master", .chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_000))),
        envelope("external-hkdf", .external(source: FixtureProvider.source, keyDerivation: .hkdf())),
        envelope("external-pbkdf2", .external(source: FixtureProvider.source, keyDerivation: .pbkdf2(iterations: 1_000))),
    ]

    private static func envelope(_ name: String, _ policy: SecurityPolicy.EncryptionPolicy) -> PersistedFormat {
        let key = ValueKey("note", of: String.self, in: .documents, security: .encrypted(policy))
        return PersistedFormat(file: "envelope-\(name).hex", meaning: value) {
            let (device, router) = try await device()
            try await router.set(value, for: key)
            return Data((device.files.peek("/app/Documents/note") ?? Data()).hexText.utf8)
        } read: { fixture in
            let (device, router) = try await device()
            device.files.put(Data(hexText: String(decoding: fixture, as: UTF8.self)), at: "/app/Documents/note")
            return try await router.get(key)
        }
    }

    /// A device with the fixed master key and the fixed provider.
    private static func device() async throws -> (TestDevice, StorageRouter) {
        let device = TestDevice()
        for item in masterKeys { device.keychain.put(item) }
        let router = device.router()
        await router.encryption.registerKeyMaterialProvider(FixtureProvider(), for: FixtureProvider.source)
        return (device, router)
    }

    static let masterKeys = [
        KeychainItem(
            service: "com.localdata.keys", account: "0001020304050607", data: Data(0..<32), accessibility: .afterFirstUnlock),
        KeychainItem(
            service: "com.localdata.keys", account: "primary", data: Data("0001020304050607".utf8), accessibility: .afterFirstUnlock),
    ]
}

struct FixtureProvider: KeyMaterialProviding {
    static let source = KeyMaterialSource(id: "remote.key")

    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 7, count: 32) }
}
