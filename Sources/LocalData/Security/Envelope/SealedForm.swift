import Foundation

/// What an envelope says of itself to whoever looks at it: nothing secret.
package struct SealedForm: Sendable, Hashable, CustomStringConvertible {
    /// Such as `ChaCha20-Poly1305, HKDF-SHA256, master key 00112233445566ff`.
    package let description: String

    /// `nil` for bytes that are no envelope.
    package init?(of bytes: Data) {
        guard let header = (try? Envelope(parsing: bytes))?.header else { return nil }
        let cipher =
            switch header.cipher {
            case .aes256GCM: "AES-256-GCM"
            case .chacha20Poly1305: "ChaCha20-Poly1305"
            }
        let derivation =
            switch header.derivation {
            case .hkdf: "HKDF-SHA256"
            case .pbkdf2(_, let iterations): "PBKDF2-SHA256 with \(iterations) iterations"
            }
        let key =
            switch header.keySource {
            case .master(let id): "master key \(id)"
            case .external(let id): "key material of \(id)"
            }
        description = "\(cipher), \(derivation), \(key)"
    }
}
