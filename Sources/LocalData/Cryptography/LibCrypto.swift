#if !canImport(CryptoKit)
    import CLibCrypto

    typealias PlatformCryptography = LibCrypto

    /// The primitives by OpenSSL's libcrypto.
    enum LibCrypto: CryptographicPrimitives {
        // Looking an algorithm up by its name takes several microseconds, so each is looked up once and kept for the life of the process.
        // They are immutable and documented as safe to share between threads.
        private nonisolated(unsafe) static let aes256GCM = localdata_aes_256_gcm()
        private nonisolated(unsafe) static let chacha20Poly1305 = localdata_chacha20_poly1305()
        private nonisolated(unsafe) static let sha256 = localdata_sha_256()
        private nonisolated(unsafe) static let hkdf = localdata_hkdf_implementation()

        static func seal(
            _ plaintext: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            let implementation = try find(cipher)
            guard let key = parameters.key.bytes, let nonce = parameters.nonce.bytes, let sealed = output.bytes else {
                throw .invalidLength("no key, nonce or room")
            }
            let done = localdata_seal(
                implementation, key, nonce,
                parameters.header.bytes, parameters.header.count, parameters.identity.bytes, parameters.identity.count,
                plaintext.bytes, plaintext.count, sealed, sealed + plaintext.count)
            guard done == 1 else { throw .unavailable("sealing failed in libcrypto") }
        }

        static func open(
            _ sealed: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            let implementation = try find(cipher)
            guard let key = parameters.key.bytes, let nonce = parameters.nonce.bytes, let bytes = sealed.bytes else {
                throw .invalidLength("no key, nonce or bytes")
            }
            let count = sealed.count - AEADCipher.tagLength
            let result = localdata_open(
                implementation, key, nonce,
                parameters.header.bytes, parameters.header.count, parameters.identity.bytes, parameters.identity.count,
                bytes, count, bytes + count, output.bytes)
            switch result {
            case 1: return
            case 0: throw .notAuthentic
            default: throw .unavailable("opening failed in libcrypto")
            }
        }

        static func deriveHKDF(
            from material: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            guard let bytes = output.bytes else { throw .invalidLength("no room") }
            let done = withBytes(of: material) { material in
                localdata_hkdf_sha_256(hkdf, material.0, material.1, salt.bytes, salt.count, info.bytes, info.count, bytes, output.count)
            }
            guard done == 1 else { throw .unavailable("HKDF failed in libcrypto") }
        }

        static func derivePBKDF2(
            from password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: UInt32,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            guard let sha256 else { throw .unavailable("libcrypto has no SHA-256") }
            guard let bytes = output.bytes else { throw .invalidLength("no room") }
            let done = withBytes(of: password) { password in
                withBytes(of: salt) { salt in
                    localdata_pbkdf2_sha_256(sha256, password.0, password.1, salt.0, salt.1, iterations, bytes, output.count)
                }
            }
            guard done == 1 else { throw .unavailable("PBKDF2 failed in libcrypto") }
        }

        static func authenticate(
            _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            guard let sha256 else { throw .unavailable("libcrypto has no SHA-256") }
            guard let bytes = output.bytes else { throw .invalidLength("no room") }
            let done = withBytes(of: key) { key in
                withBytes(of: message) { localdata_hmac(sha256, key.0, key.1, $0.0, $0.1, bytes) }
            }
            guard done == 1 else { throw .unavailable("HMAC failed in libcrypto") }
        }

        static func digest(
            _ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            guard let sha256 else { throw .unavailable("libcrypto has no SHA-256") }
            guard let bytes = output.bytes else { throw .invalidLength("no room") }
            guard localdata_digest(sha256, message.baseAddress, message.count, bytes) == 1 else {
                throw .unavailable("SHA-256 failed in libcrypto")
            }
        }

        static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
            guard let bytes = memory.baseAddress else { return }
            localdata_cleanse(bytes, memory.count)
        }

        private static func find(_ cipher: AEADCipher) throws(CryptographyFailure) -> OpaquePointer {
            switch cipher {
            case .aes256GCM:
                guard let aes256GCM else { throw .unavailable("libcrypto has no AES-256-GCM") }
                return aes256GCM
            case .chacha20Poly1305:
                guard let chacha20Poly1305 else { throw .unavailable("libcrypto has no ChaCha20-Poly1305") }
                return chacha20Poly1305
            }
        }

        /// Some calls take no null pointer, not even for no bytes.
        private static func withBytes<Result>(
            of buffer: UnsafeRawBufferPointer, _ body: ((UnsafePointer<UInt8>, Int)) -> Result
        ) -> Result {
            if let bytes = buffer.bytes { return body((bytes, buffer.count)) }
            var nothing: UInt8 = 0
            return withUnsafePointer(to: &nothing) { body(($0, 0)) }
        }
    }

    extension UnsafeRawBufferPointer {
        fileprivate var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
    }

    extension UnsafeMutableRawBufferPointer {
        fileprivate var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
    }
#endif
