import Foundation

@testable import LocalData

/// The primitives over `Data`, for tests of published vectors.
extension Cryptography {
    static func sealed(
        _ plaintext: Data, with cipher: AEADCipher, key: Data, nonce: Data, associated: Data, identity: Data = Data()
    ) throws -> Data {
        var output = Data(count: plaintext.count + AEADCipher.tagLength)
        try withParameters(key, nonce, associated, identity) { parameters in
            try output.withUnsafeMutableBytes { output in
                try plaintext.withUnsafeBytes { try seal($0, with: cipher, parameters: parameters, into: output) }
            }
        }
        return output
    }

    static func opened(
        _ sealed: Data, with cipher: AEADCipher, key: Data, nonce: Data, associated: Data, identity: Data = Data()
    ) throws -> Data {
        var output = Data(count: max(0, sealed.count - AEADCipher.tagLength))
        try withParameters(key, nonce, associated, identity) { parameters in
            try output.withUnsafeMutableBytes { output in
                try sealed.withUnsafeBytes { try open($0, with: cipher, parameters: parameters, into: output) }
            }
        }
        return output
    }

    static func hkdf(_ material: Data, salt: Data, info: Data, count: Int) throws -> Data {
        try filled(count) { output in
            try material.withUnsafeBytes { material in
                try salt.withUnsafeBytes { salt in
                    try info.withUnsafeBytes { try deriveHKDF(from: material, salt: salt, info: $0, into: output) }
                }
            }
        }
    }

    static func pbkdf2(_ password: Data, salt: Data, iterations: UInt32, count: Int) throws -> Data {
        try filled(count) { output in
            try password.withUnsafeBytes { password in
                try salt.withUnsafeBytes { try derivePBKDF2(from: password, salt: $0, iterations: iterations, into: output) }
            }
        }
    }

    static func hmac(_ message: Data, key: Data) throws -> Data {
        try key.withUnsafeBytes { key in try message.withUnsafeBytes { try authenticationCode(for: $0, key: key) } }
    }

    private static func filled(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Data {
        var output = Data(count: count)
        try output.withUnsafeMutableBytes { try fill($0) }
        return output
    }

    private static func withParameters(
        _ key: Data, _ nonce: Data, _ associated: Data, _ identity: Data, _ body: (AEADParameters) throws -> Void
    ) throws {
        try key.withUnsafeBytes { key in
            try nonce.withUnsafeBytes { nonce in
                try associated.withUnsafeBytes { associated in
                    try identity.withUnsafeBytes { try body(AEADParameters(key: key, nonce: nonce, header: associated, identity: $0)) }
                }
            }
        }
    }
}
