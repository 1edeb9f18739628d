import Foundation
import Testing

@testable import LocalData

/// What checks of sealed values see of an envelope.
@Suite struct SealedFormTests {
    private typealias Policy = SecurityPolicy.EncryptionPolicy

    private static let source = KeyMaterialSource(id: "remote.1")
    private static let policies: [Policy] = [
        .aes256(keyDerivation: .hkdf(info: Data("one".utf8))), .aes256(keyDerivation: .hkdf(info: Data("two".utf8))),
        .aes256(keyDerivation: .hkdf()),
        .aes256(keyDerivation: .hkdf(salt: Data(repeating: 1, count: 16))), .chacha20Poly1305(keyDerivation: .hkdf()),
        .aes256(keyDerivation: .pbkdf2(iterations: 1_000)), .aes256(keyDerivation: .pbkdf2(iterations: 1_001)),
        .chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_000, salt: Data(repeating: 2, count: 16))),
        .external(source: source, keyDerivation: .hkdf()),
    ]
    /// Those that say less than another one, and so are kept by what that one makes.
    private static let wider: [[Int]] = [[], [], [3], [], [], [], [], [], []]

    @Test func anEnvelopeIsAsItsPolicySays() async throws {
        let encryption = SecurityTestEnvironment().helper
        await encryption.registerKeyMaterialProvider(FixedMaterial(byte: 7), for: Self.source)
        for (index, policy) in Self.policies.enumerated() {
            let sealed = try await encryption.encrypt(Data("x".utf8), policy: policy, identity: "a")
            let form = try #require(SealedForm(of: sealed))
            for (other, declared) in Self.policies.enumerated() {
                #expect(form.isSealed(by: declared) == (index == other || Self.wider[other].contains(index)), "\(index) by \(other)")
            }
        }
        #expect(SealedForm(of: Data("x".utf8)) == nil)
    }
}
