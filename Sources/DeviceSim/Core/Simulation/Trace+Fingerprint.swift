extension Trace {
    /// Tells two traces apart: equal traces have equal fingerprints on every platform and in every process.
    public var fingerprint: TraceFingerprint { TraceFingerprint(of: json()) }
}

/// FNV-1a, 64 bits, of a trace's canonical JSON. It finds differences; it does not resist someone who wants to hide one.
public struct TraceFingerprint: Sendable, Hashable {
    /// The hash. Two that differ come of different traces.
    public let value: UInt64

    /// One that was computed before.
    package init(value: UInt64) {
        self.value = value
    }

    /// The fingerprint of bytes.
    public init(of bytes: [UInt8]) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        value = hash
    }
}

extension TraceFingerprint: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
