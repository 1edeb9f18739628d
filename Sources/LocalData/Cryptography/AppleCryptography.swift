#if canImport(CryptoKit)
    import CommonCrypto
    import CryptoKit
    import Foundation

    typealias PlatformCryptography = AppleCryptography

    /// The primitives by CryptoKit, and by CommonCrypto for PBKDF2, which CryptoKit does not have.
    ///
    /// CryptoKit returns sealed and opened bytes of its own, so each costs one copy into the caller's memory.
    enum AppleCryptography: CryptographicPrimitives {
        static func seal(
            _ plaintext: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            let key = SymmetricKey(data: parameters.key)
            let associated = associatedData(parameters)
            do {
                switch cipher {
                case .aes256GCM:
                    let box = try AES.GCM.seal(
                        plaintext, using: key, nonce: AES.GCM.Nonce(data: parameters.nonce), authenticating: associated)
                    copy(box.ciphertext, box.tag, to: output)
                case .chacha20Poly1305:
                    let box = try ChaChaPoly.seal(
                        plaintext, using: key, nonce: ChaChaPoly.Nonce(data: parameters.nonce), authenticating: associated)
                    copy(box.ciphertext, box.tag, to: output)
                }
            } catch {
                throw .unavailable("sealing failed in CryptoKit")
            }
        }

        static func open(
            _ sealed: UnsafeRawBufferPointer, with cipher: AEADCipher, parameters: AEADParameters,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            let key = SymmetricKey(data: parameters.key)
            let associated = associatedData(parameters)
            let ciphertext = UnsafeRawBufferPointer(rebasing: sealed.dropLast(AEADCipher.tagLength))
            let tag = UnsafeRawBufferPointer(rebasing: sealed.suffix(AEADCipher.tagLength))
            do {
                var plaintext: Data
                switch cipher {
                case .aes256GCM:
                    let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: parameters.nonce), ciphertext: ciphertext, tag: tag)
                    plaintext = try AES.GCM.open(box, using: key, authenticating: associated)
                case .chacha20Poly1305:
                    let box = try ChaChaPoly.SealedBox(nonce: ChaChaPoly.Nonce(data: parameters.nonce), ciphertext: ciphertext, tag: tag)
                    plaintext = try ChaChaPoly.open(box, using: key, authenticating: associated)
                }
                plaintext.withUnsafeMutableBytes { bytes in
                    output.copyMemory(from: UnsafeRawBufferPointer(bytes))
                    wipe(bytes)
                }
            } catch CryptoKitError.authenticationFailure {
                throw .notAuthentic
            } catch {
                throw .unavailable("opening failed in CryptoKit")
            }
        }

        static func deriveHKDF(
            from material: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            // CryptoKit traps on lengths beyond RFC 5869's 255 blocks; `Cryptography` has refused them.
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: material), salt: Data(salt), info: Data(info), outputByteCount: output.count)
            key.withUnsafeBytes { output.copyMemory(from: $0) }
        }

        static func derivePBKDF2(
            from password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: UInt32,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            // CommonCrypto refuses null pointers, also for no bytes.
            let status = withBytes(of: password) { password in
                withBytes(of: salt) { salt in
                    CCKeyDerivationPBKDF(
                        CCPBKDFAlgorithm(kCCPBKDF2), password.bindMemory(to: CChar.self).baseAddress, password.count - 1,
                        salt.bindMemory(to: UInt8.self).baseAddress, salt.count - 1, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256),
                        iterations, output.bindMemory(to: UInt8.self).baseAddress, output.count)
                }
            }
            guard status == Int32(kCCSuccess) else { throw .unavailable("PBKDF2 failed in CommonCrypto with status \(status)") }
        }

        static func authenticate(
            _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            var authentication = HMAC<SHA256>(key: SymmetricKey(data: key))
            authentication.update(data: message)
            authentication.finalize().withUnsafeBytes { output.copyMemory(from: $0) }
        }

        static func digest(
            _ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(CryptographyFailure) {
            var hash = SHA256()
            hash.update(bufferPointer: message)
            hash.finalize().withUnsafeBytes { output.copyMemory(from: $0) }
        }

        static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
            guard let bytes = memory.baseAddress else { return }
            memset_s(bytes, memory.count, 0, memory.count)
        }

        private static func associatedData(_ parameters: AEADParameters) -> Data {
            var data = Data(capacity: parameters.header.count + parameters.identity.count)
            data.append(contentsOf: parameters.header)
            data.append(contentsOf: parameters.identity)
            return data
        }

        private static func copy(_ ciphertext: Data, _ tag: Data, to output: UnsafeMutableRawBufferPointer) {
            ciphertext.copyBytes(to: output)
            tag.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(ciphertext.count)))
        }

        /// The bytes with one zero after them, in memory that is wiped.
        private static func withBytes<Result>(of buffer: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            withUnsafeTemporaryAllocation(byteCount: buffer.count + 1, alignment: 1) { copy in
                defer { wipe(copy) }
                copy.copyMemory(from: buffer)
                copy[buffer.count] = 0
                return body(UnsafeRawBufferPointer(copy))
            }
        }
    }
#endif
