import Foundation
import LocalData

extension SystemShims {
    /// `SystemRandomNumberGenerator` as app code uses it: the random bytes of the device whose code is running, and so the same in every run of a seed.
    public struct RandomNumbers: RandomNumberGenerator, Sendable {
        /// A generator that draws from the device whose code uses it.
        public init() {}

        public mutating func next() -> UInt64 {
            // Neither a simulated device nor a host runs out of random bytes.
            let bytes = (try? StorageRouter.shared.environment.entropy.bytes(8)) ?? Data(count: 8)
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
