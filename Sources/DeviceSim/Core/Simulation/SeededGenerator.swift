/// The randomness of a simulation: SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, 2014).
///
/// Each concern draws from its own ``fork(_:)``, so that a draw more in one place shifts nothing in another.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator whose draws the seed decides, the same on every host.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator of its own for the concern `label`, decided by the seed and the label only.
    public func fork(_ label: String) -> SeededGenerator {
        var generator = SeededGenerator(seed: state ^ FNV1a(of: label.utf8).value)
        _ = generator.next()
        return generator
    }

    /// A number in `0..<bound`, without bias that matters: the high word of a product.
    public mutating func below(_ bound: Int) -> Int {
        bound <= 1 ? 0 : Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
