import Foundation

/// A source of random bytes fit for keys, salts and nonces.
public protocol EntropySource: Sendable {
    func bytes(_ count: Int) throws -> Data
}
