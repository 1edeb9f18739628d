/// The draws of one input: SplitMix64, seeded by the target, the run's seed and the input's number, so that any input can be made again alone.
public struct FuzzGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64, target: String, number: Int) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a, 64 bits
        for byte in target.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        state = hash ^ (seed &* 0xD6E8_FEB8_6659_FD93) ^ (UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<bound`; 0 for a bound below 1.
    public mutating func below(_ bound: Int) -> Int {
        bound <= 1 ? 0 : Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    public mutating func element<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
