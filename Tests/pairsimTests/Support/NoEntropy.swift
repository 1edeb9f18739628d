import Foundation
import LocalData

/// A device without random numbers: nothing can be sealed on it, and operations fail for no reason that they may have.
struct NoEntropy: EntropySource {
    struct Failure: Error {}

    func bytes(_ count: Int) throws -> Data { throw Failure() }
}
