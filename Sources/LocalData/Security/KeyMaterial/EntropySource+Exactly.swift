import Foundation

extension EntropySource {
    /// Random bytes, and not fewer than asked for: a short answer would weaken keys without anybody noticing.
    func exactly(_ count: Int) throws -> Data {
        let bytes = try bytes(count)
        guard bytes.count == count else {
            throw StorageError(.inputOutput, facts: ["the entropy source gave \(bytes.count) bytes instead of \(count)"])
        }
        return bytes
    }
}
