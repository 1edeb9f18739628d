import Foundation
import Testing

@testable import LocalData

/// Stored bytes are a contract: these literals are never regenerated, only added to. They were computed apart from this code, in Python
/// with `hmac`, `hashlib` and `cryptography`, from the layout that `EnvelopeFormat` documents.
@Suite struct EnvelopeFormatTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        var name: String
        var policy: SecurityPolicy.EncryptionPolicy
        var envelope: String

        var testDescription: String { name }
    }

    static let identity = "file/documents/note.json#note"
    static let plaintext = "The quick brown fox"

    static let fixtures: [Fixture] = [
        Fixture(
            name: "ChaCha20-Poly1305, HKDF, master key",
            policy: .chacha20Poly1305(keyDerivation: .hkdf()),
            envelope: """
                894c4445010201010000000010100000000000133030303130323033303430353036303728292a2b2c2d2e2f30313233
                3435363738393a3b3c3d3e3f40414243dcff142e829331c10fc1ad7b39ed54a1e35b7592d713c3e88a0be301f2169c61
                3f220f
                """),
        Fixture(
            name: "AES-256-GCM, HKDF with salt and info, master key",
            policy: .aes256(keyDerivation: .hkdf(salt: Data("fixed salt".utf8), info: Data("notes".utf8))),
            envelope: """
                894c44450101010100000000100a0005000000133030303130323033303430353036303766697865642073616c746e6f
                74657328292a2b2c2d2e2f30313233323ddcaeacd76fe4732ab6b3f06461399e27b63ca4b4da7aec3747b819e7e906f1
                9a17
                """),
        Fixture(
            name: "AES-256-GCM, PBKDF2, master key",
            policy: .aes256(keyDerivation: .pbkdf2(iterations: 1_000)),
            envelope: """
                894c444501010201000003e810100000000000133030303130323033303430353036303728292a2b2c2d2e2f30313233
                3435363738393a3b3c3d3e3f40414243a90a78df22453407ce270a6ae0c691347866fa2ad153b7fb3546a900d6b3c78d
                fb6c87
                """),
        Fixture(
            name: "ChaCha20-Poly1305, HKDF, external provider",
            policy: .external(source: KeyMaterialSource(id: "remote.key"), keyDerivation: .hkdf()),
            envelope: """
                894c444501020102000000000a1000000000001372656d6f74652e6b6579000102030405060708090a0b0c0d0e0f1011
                12131415161718191a1b90b48997bfdc70463b2f53a21029956eed772fe852ba81d1677dbc8519f7de12be82e1
                """),
    ]

    @Test(arguments: fixtures)
    func sealingGivesThePinnedBytes(_ fixture: Fixture) async throws {
        let envelope = try await helper().encrypt(Data(Self.plaintext.utf8), policy: fixture.policy, identity: Self.identity)
        #expect(envelope.hexText == fixture.envelope.filter { !$0.isWhitespace })
    }

    @Test(arguments: fixtures)
    func thePinnedBytesOpen(_ fixture: Fixture) async throws {
        let helper = await helper()
        // Minted by a first write, as the key of the fixture was.
        _ = try await helper.encrypt(Data(), policy: .recommended, identity: "other")
        let opened = try await helper.decrypt(Data(hexText: fixture.envelope), policy: fixture.policy, identity: Self.identity)
        #expect(String(decoding: opened, as: UTF8.self) == Self.plaintext)
    }

    private func helper() async -> EncryptionHelper {
        let helper = SecurityTestEnvironment().helper
        await helper.registerKeyMaterialProvider(FixedProvider(), for: KeyMaterialSource(id: "remote.key"))
        return helper
    }

    private struct FixedProvider: KeyMaterialProviding {
        func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 0x5A, count: 32) }
    }
}
