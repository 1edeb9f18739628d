import Foundation

extension EnvelopeDerivation {
    /// The key of an envelope. With PBKDF2 this is hundreds of milliseconds of work: call it off every actor.
    ///
    /// The cipher takes part, so that key material and salt given by a caller never make one key for two ciphers: in the info of HKDF
    /// (RFC 5869 §3.2) and in front of the salt of PBKDF2 (RFC 8018 §4.1), as a label and a zero byte.
    func key(from material: SecretBytes, for cipher: AEADCipher) throws(CryptographyFailure) -> SecretBytes {
        let context = cipher.derivationLabel + [0]
        return try SecretBytes(count: AEADCipher.keyLength) { (output) throws(CryptographyFailure) in
            let outcome = material.withUnsafeBytes { material in
                switch self {
                case .hkdf(let salt, let info):
                    salt.withUnsafeBytes { salt in
                        (context + info).withUnsafeBytes { info in
                            Result { () throws(CryptographyFailure) in
                                try Cryptography.deriveHKDF(from: material, salt: salt, info: info, into: output)
                            }
                        }
                    }
                case .pbkdf2(let salt, let iterations):
                    (context + salt).withUnsafeBytes { salt in
                        Result { () throws(CryptographyFailure) in
                            try Cryptography.derivePBKDF2(from: material, salt: salt, iterations: iterations, into: output)
                        }
                    }
                }
            }
            try outcome.get()
        }
    }
}

extension AEADCipher {
    fileprivate var derivationLabel: [UInt8] {
        switch self {
        case .aes256GCM: Self.aesLabel
        case .chacha20Poly1305: Self.chachaLabel
        }
    }

    // Stored formats depend on these bytes.
    private static let aesLabel = Array("com.localdata.envelope.1.aes-256-gcm".utf8)
    private static let chachaLabel = Array("com.localdata.envelope.1.chacha20-poly1305".utf8)
}
