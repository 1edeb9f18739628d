import Foundation
import Testing

@testable import LocalData

@Suite struct SecretBytesTests {
    static let secret = Data("hunter2-hunter2-hunter2-hunter2-".utf8)

    private func everyText(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return [
            String(describing: value), String(reflecting: value), "\(value)", dumped, "\(Mirror(reflecting: value).children.map { $0 })",
        ]
        .joined(separator: "\n")
    }

    @Test func keyMaterialIsInNoTextOfIt() {
        let bytes = Self.secret.withUnsafeBytes { SecretBytes(copying: $0) }
        let holders: [Any] = [bytes, MasterKey(id: "id", material: bytes), [bytes], ["key": bytes], Optional.some(bytes) as Any]
        for holder in holders {
            let text = everyText(of: holder)
            #expect(text.contains("32 secret bytes"))
            #expect(!text.contains("hunter2"))
            // Neither as numbers, nor as hexadecimal digits, nor as an address to look at.
            #expect(!text.contains("104") && !text.contains("68756e746572") && !text.contains("0x"))
        }
    }

    @Test func theCacheShowsNoKeys() {
        var cache = DerivedKeyCache()
        let family = DerivedKeyFamily(
            keySource: .master(id: "id"), fingerprint: Data(), cipher: .aes256GCM, iterations: 1_000)
        cache.insert(Self.secret.withUnsafeBytes { SecretBytes(copying: $0) }, for: DerivedKeyName(family: family, salt: Data()))
        let text = everyText(of: cache)
        #expect(text.contains("32 secret bytes") && !text.contains("hunter2"))
    }

    @Test func theHelperShowsNeitherKeysNorProviders() async throws {
        struct Provider: KeyMaterialProviding {
            let secret = SecretBytesTests.secret
            let text = String(decoding: SecretBytesTests.secret, as: UTF8.self)
            func keyMaterial(for keyName: String) async throws -> Data { secret }
        }
        let source = KeyMaterialSource(id: "server")
        let helper = SecurityTestEnvironment().helper
        await helper.registerKeyMaterialProvider(Provider(), for: source)
        let policy = SecurityPolicy.EncryptionPolicy.external(source: source, keyDerivation: .pbkdf2(iterations: 1_000))
        _ = try await helper.encrypt(Data(), policy: policy, identity: "record")
        #expect(!everyText(of: helper).contains("hunter2"))
        #expect(!everyText(of: helper).contains("104"))
    }

    @Test func consumingLeavesNothingBehind() {
        var data = Self.secret
        data.append(0)
        let bytes = SecretBytes.consuming(&data)
        #expect(data.isEmpty)
        #expect(bytes.withUnsafeBytes { Data($0) } == Self.secret + [0])
    }

    @Test func consumingLeavesOthersTheirBytes() {
        let shared = Self.secret
        var data = shared
        _ = SecretBytes.consuming(&data)
        #expect(shared == Data("hunter2-hunter2-hunter2-hunter2-".utf8))
    }

    @Test func aFailedFillLeavesNoObject() {
        #expect(throws: CryptographyFailure.notAuthentic) {
            try SecretBytes(count: 8) { (_) throws(CryptographyFailure) in throw .notAuthentic }
        }
    }
}
