/// Writes the ledger's JSON texts: sorted keys, no spaces, the same bytes on every system. ``CanonicalJSONReader`` reads them.
///
/// Bytes, since these texts are written at every change of a synced value, and a string that grows piece by piece costs several times as much.
struct CanonicalJSONWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a string literal, quotes included.
    mutating func append(text: String) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { characters in
            guard characters.allSatisfy(JSONText.isPlain) else { return false }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: characters)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if isPlain != true { bytes.append(contentsOf: JSONText.quoted(text).utf8) }
    }

    mutating func append(number: UInt64) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends a string literal of hexadecimal digits.
    mutating func append(hexadecimal data: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in data {
            bytes.append(Self.digit(byte >> 4))
            bytes.append(Self.digit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
