import DeviceSimCore
import Foundation
import LocalData

extension Vocabulary {
    /// `security …` lines. Each cipher takes a derivation, HKDF where none is written.
    static let securityForms: [Form] = [
        security("security recommended", "sealed as LocalData recommends (the default)", example: "security recommended") { _ in
            .recommended
        },
        security("security none", "stored as serialized", example: "security none") { _ in SecurityPolicy.none },
        security(
            "security keychain ACCESSIBILITY [ACCESS-CONTROL]", "the keychain item's own protection",
            example: "security keychain afterFirstUnlock biometryAny"
        ) {
            match in
            guard let accessibility = match.word(.accessibility).flatMap({ KeychainAccessibility(rawValue: $0) }) else { return nil }
            return .keychain(
                accessibility: accessibility, accessControl: match.word(.accessControl).flatMap { KeychainAccessControl(rawValue: $0) })
        },
        encrypted(
            "security encrypted aes256 [DERIVATION]", "sealed with AES-256-GCM",
            example: "security encrypted aes256 pbkdf2 iterations 20000"
        ) {
            .aes256(keyDerivation: $1)
        },
        encrypted(
            "security encrypted chacha20Poly1305 [DERIVATION]", "sealed with ChaCha20-Poly1305",
            example: "security encrypted chacha20Poly1305 hkdf"
        ) {
            .chacha20Poly1305(keyDerivation: $1)
        },
        encrypted(
            "security encrypted external STRING [DERIVATION]", "sealed under key material of the provider for that source",
            example: "security encrypted external \"remote.key\" hkdf"
        ) { match, derivation in
            match.string().map { .external(source: KeyMaterialSource(id: $0), keyDerivation: derivation) }
        },
    ]

    /// `formerly …` lines. Of a policy only what seals matters here, so no derivation is written.
    static let formerSecurityForms: [Form] = [
        former("formerly none", "an earlier version of the app stored plain values; they are still read", example: "formerly none", "none")
        { _ in
            SecurityPolicy.none
        },
        former(
            "formerly recommended", "an earlier version of the app sealed with its master keys; its values are still read",
            example: "formerly recommended", "recommended"
        ) { _ in .recommended },
        former(
            "formerly encrypted external STRING", "an earlier version of the app sealed under that source; its values are still read",
            example: "formerly encrypted external \"remote.1\"", "encrypted external"
        ) { match in
            match.string().map { .encrypted(.external(source: KeyMaterialSource(id: $0), keyDerivation: .hkdf())) }
        },
    ]

    private static func former(
        _ pattern: String, _ help: String, example: String, _ kind: String, _ policy: @escaping @Sendable (Match) -> SecurityPolicy?
    ) -> Form {
        attribute(pattern, help, example: example, "formerly \(kind)") { match in
            policy(match).map { policy in { $0.formerSecurity.append(policy) } }
        }
    }

    private static func security(
        _ pattern: String, _ help: String, example: String, _ policy: @escaping @Sendable (Match) -> SecurityPolicy?
    ) -> Form {
        attribute(pattern, help, example: example, "security") { match in policy(match).map { policy in { $0.security = policy } } }
    }

    private static func encrypted(
        _ pattern: String, _ help: String, example: String,
        _ policy: @escaping @Sendable (Match, SecurityPolicy.KeyDerivation) -> SecurityPolicy.EncryptionPolicy?
    ) -> Form {
        security(pattern, help, example: example) { match in
            var salt: Data?
            var info: Data?
            for (index, word) in match.words.filter({ $0 == "salt" || $0 == "info" }).enumerated() {
                guard case .data(let data)? = match.value(.value, index) else {
                    if let capture = match.capture(.value, index) {
                        match.diagnose(capture.range, "`\(word)` is Data", hint: "write `base64(\"…\")` or `data(16 bytes)`")
                    }
                    return nil
                }
                if word == "salt" { salt = data } else { info = data }
            }
            let derivation: SecurityPolicy.KeyDerivation =
                match.has("pbkdf2") ? .pbkdf2(iterations: match.count(), salt: salt) : .hkdf(salt: salt, info: info)
            return policy(match, derivation).map { .encrypted($0) }
        }
    }
}
