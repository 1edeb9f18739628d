import Foundation

/// SHA-256 (FIPS 180-4) of bytes, by the platform's library.
package enum SHA256Digest {
    /// The digest's length in bytes.
    package static let length = 32

    /// The 32 bytes of the digest.
    package static func digest(of data: Data) -> Data {
        var digest = Data(count: length)
        let outcome = digest.withUnsafeMutableBytes { output in
            data.withUnsafeBytes { message in
                Result { () throws(CryptographyFailure) in try PlatformCryptography.digest(message, into: output) }
            }
        }
        // No input makes SHA-256 fail: only a library without it, which nothing here could work with.
        if case .failure(let failure) = outcome { preconditionFailure("SHA-256 is not available: \(failure)") }
        return digest
    }
}
