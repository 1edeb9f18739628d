/// Reads the ledger's JSON texts as LocalData writes them: sorted keys, no spaces, strings of plain ASCII.
///
/// They are read at every launch and in every simulated one, and a general decoder costs ten times as much. What is written in any other way is left to
/// that: each function answers `nil` or false, and the reader is then of no more use.
struct CanonicalJSONReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Passes over `literal` if it comes next.
    mutating func skip(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        for offset in 0..<count where bytes[index + offset] != literal.utf8Start[offset] { return false }
        index += count
        return true
    }

    /// A string literal without escapes.
    mutating func text() -> String? {
        guard skip("\"") else { return nil }
        let start = index
        while index < bytes.count, JSONText.isPlain(bytes[index]), bytes[index] < 0x80 { index += 1 }
        let end = index
        return skip("\"") ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }

    /// A whole number from 0, without a fraction or an exponent.
    mutating func number() -> UInt64? {
        let start = index
        var number: UInt64 = 0
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(digit))
            guard !overflows, !overflowsToo else { return nil }
            number = sum
            index += 1
        }
        guard index > start, index == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return number
    }
}
