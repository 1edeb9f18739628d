import Foundation

/// A source of random bytes fit for keys, salts and nonces.
public protocol EntropySource: Sendable {
    /// That many fresh random bytes. Never fewer: LocalData takes another number for a failure. Throws where the system has none to give.
    func bytes(_ count: Int) throws -> Data
}
