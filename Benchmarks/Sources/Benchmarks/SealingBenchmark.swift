import Foundation
import LocalData

#if canImport(CLibCrypto)
    import CLibCrypto

    /// Sealing and opening through LocalData (key from the keychain, a fresh derived key, the envelope), against libcrypto's cipher alone.
    enum SealingBenchmark {
        static func run() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("localdata-sealing-\(getpid())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let helper = try helper(in: folder)
            let policy = SecurityPolicy.EncryptionPolicy.recommended
            var table = Table(["ChaCha20-Poly1305 + HKDF", "seal", "against libcrypto", "open", "against libcrypto"])
            for (name, count, batch) in [("64 B", 64, 2_000), ("4 KiB", 4_096, 1_000), ("1 MiB", 1_048_576, 8)] {
                Progress.say("sealing: \(name)")
                let plain = Data(repeating: 0x5A, count: count)
                let envelope = try await helper.encrypt(plain, policy: policy, identity: "benchmark")
                let raw = RawCipher(byteCount: count)
                let seal = try await Measurement.pair(
                    batch: batch, { _ = try await helper.encrypt(plain, policy: policy, identity: "benchmark") }, { try raw.seal(plain) })
                let open = try await Measurement.pair(
                    batch: batch, { _ = try await helper.decrypt(envelope, policy: policy, identity: "benchmark") }, { try raw.open() })
                table.add(name, Figure.time(seal.first), Figure.ratio(seal.ratio), Figure.time(open.first), Figure.ratio(open.ratio))
            }
            table.print()
        }
    }

    /// The cipher as libcrypto has it: one context, one key, one buffer each way.
    final class RawCipher {
        private let context = EVP_CIPHER_CTX_new()
        private var sealed: [UInt8]
        private var opened: [UInt8]
        private var tag = [UInt8](repeating: 0, count: 16)
        private let key = [UInt8](repeating: 7, count: 32)
        private let nonce = [UInt8](repeating: 9, count: 12)

        init(byteCount: Int) {
            sealed = [UInt8](repeating: 0, count: byteCount)
            opened = [UInt8](repeating: 0, count: byteCount)
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        func seal(_ plain: Data) throws {
            var length: Int32 = 0
            let isDone = plain.withUnsafeBytes { bytes in
                EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
                    && EVP_EncryptUpdate(context, &sealed, &length, bytes.bindMemory(to: UInt8.self).baseAddress, Int32(bytes.count)) == 1
                    && EVP_EncryptFinal_ex(context, &opened, &length) == 1
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
            }
            guard isDone else { throw BenchmarkError(message: "libcrypto could not seal") }
        }

        func open() throws {
            var length: Int32 = 0
            guard EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1,
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1,
                EVP_DecryptUpdate(context, &opened, &length, sealed, Int32(sealed.count)) == 1,
                EVP_DecryptFinal_ex(context, &opened, &length) == 1
            else { throw BenchmarkError(message: "libcrypto could not open") }
        }
    }
#else
    /// There is nothing to compare with where CryptoKit does the work.
    enum SealingBenchmark {
        static func run() async throws {}
    }
#endif

extension SealingBenchmark {
    /// Seals with a master key out of a keychain in memory.
    static func helper(in folder: URL) throws -> EncryptionHelper {
        var environment = try HostEnvironment.make(in: folder)
        environment.keychain = HostEnvironment.MemoryKeychain()
        return StorageRouter(environment: environment).encryption
    }
}
