import Foundation
import Testing

@testable import LocalData

// The code block of the seed, word for word.
struct RemoteKeyProvider: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data {
        // Example only: fetch from service or keychain
        Data(repeating: 1, count: 32)
    }
}

@Suite struct KeyMaterialSeedTests {
    @Test func theSeedsProviderSealsAndOpens() async throws {
        let router = StorageRouter(environment: SecurityTestEnvironment().environment)
        try await StorageRouter.$current.withValue(router) {
            let source = KeyMaterialSource(id: "remote.key")
            await EncryptionHelper.shared.registerKeyMaterialProvider(RemoteKeyProvider(), for: source)
            let policy: SecurityPolicy.EncryptionPolicy = .external(
                source: source,
                keyDerivation: .hkdf()
            )

            let envelope = try await EncryptionHelper.shared.encrypt(Data("value".utf8), policy: policy, identity: "record")
            #expect(try Envelope(parsing: envelope).header.keySource == .external(id: "remote.key"))
            #expect(try await EncryptionHelper.shared.decrypt(envelope, policy: policy, identity: "record") == Data("value".utf8))
        }
    }
}
