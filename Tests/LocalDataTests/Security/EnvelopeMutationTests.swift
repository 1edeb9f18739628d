import Foundation
import Testing

@testable import LocalData

/// Whatever is changed in a stored envelope, it does not open, and the error is one that a caller can tell from absence.
@Suite struct EnvelopeMutationTests {
    static let policies: [SecurityPolicy.EncryptionPolicy] = [
        .chacha20Poly1305(keyDerivation: .hkdf()),
        .aes256(keyDerivation: .hkdf(info: Data("info".utf8))),
        .aes256(keyDerivation: .pbkdf2(iterations: 1_000)),
        .external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf()),
    ]

    static let possible: Set<StorageError.Code> = [
        .corrupt, .unsupportedFormat, .superseded, .decryptionFailed, .keyMissing, .providerMissing, .undeclaredPolicy,
    ]

    struct Provider: KeyMaterialProviding {
        func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 3, count: 32) }
    }

    private func sealed(_ policy: SecurityPolicy.EncryptionPolicy) async throws -> (EncryptionHelper, Data) {
        let helper = SecurityTestEnvironment().helper
        await helper.registerKeyMaterialProvider(Provider(), for: KeyMaterialSource(id: "server"))
        return (helper, try await helper.encrypt(Data("secret".utf8), policy: policy, identity: "record"))
    }

    @Test(arguments: policies)
    func noEnvelopeOpensWithAFlippedBit(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
        let (helper, envelope) = try await sealed(policy)
        var codes: [StorageError.Code: Int] = [:]
        for bit in 0..<envelope.count * 8 {
            // Iterations from 131,072 up are believed too and take long: three bits of them stand for all.
            if case .aes256(.pbkdf2) = policy, 66..<80 ~= bit { continue }
            var changed = envelope
            changed[bit / 8] ^= 1 << (7 - bit % 8)
            guard let code = await storageErrorCode({ _ = try await helper.decrypt(changed, policy: policy, identity: "record") }) else {
                Issue.record("the envelope opened with bit \(bit) flipped")
                continue
            }
            codes[code, default: 0] += 1
        }
        #expect(Set(codes.keys).isSubset(of: Self.possible))
        #expect(codes[.decryptionFailed, default: 0] > 300)
        _ = try await helper.decrypt(envelope, policy: policy, identity: "record")
    }

    @Test(arguments: policies)
    func noEnvelopeOpensTruncatedOrExtended(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
        let (helper, envelope) = try await sealed(policy)
        for length in 0..<envelope.count {
            let code = await storageErrorCode {
                _ = try await helper.decrypt(envelope.prefix(length), policy: policy, identity: "record")
            }
            #expect(code == .corrupt, "\(length) bytes")
        }
        for extra in [1, 16, 1_000] {
            let code = await storageErrorCode {
                _ = try await helper.decrypt(envelope + Data(count: extra), policy: policy, identity: "record")
            }
            #expect(code == .corrupt, "\(extra) bytes more")
        }
    }

    /// Two envelopes of one record, cut and joined at every place.
    @Test func noJoinOfTwoEnvelopesOpens() async throws {
        let (helper, first) = try await sealed(.recommended)
        let second = try await helper.encrypt(Data("secret".utf8), policy: .recommended, identity: "record")
        var differing = 0
        for cut in 1..<first.count {
            let joined = first.prefix(cut) + second.dropFirst(cut)
            guard joined != first, joined != second else { continue }
            differing += 1
            let code = await storageErrorCode { _ = try await helper.decrypt(joined, policy: .recommended, identity: "record") }
            #expect(code == .decryptionFailed, "cut at \(cut)")
        }
        #expect(differing > 30)
    }
}
