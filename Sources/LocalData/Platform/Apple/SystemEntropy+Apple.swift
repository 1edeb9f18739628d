#if canImport(Security)
    import Foundation
    import Security

    /// The operating system's generator: `SecRandomCopyBytes`.
    struct SystemEntropy: EntropySource {
        func bytes(_ count: Int) throws -> Data {
            guard count > 0 else { return Data() }
            var data = Data(count: count)
            let status = data.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { SecRandomCopyBytes(kSecRandomDefault, buffer.count, $0) } ?? errSecParam
            }
            guard status == errSecSuccess else {
                throw StorageError(.inputOutput, facts: ["OSStatus \(status) at SecRandomCopyBytes"])
            }
            return data
        }
    }
#endif
