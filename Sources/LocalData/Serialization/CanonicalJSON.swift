import Foundation

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

    /// An object whose members are such numbers.
    mutating func counters() -> [String: UInt64]? { members { $0.number() } }

    /// An object whose members are such objects.
    mutating func countersByName() -> [String: [String: UInt64]]? { members { $0.counters() } }

    /// An object whose members are texts.
    mutating func textsByName() -> [String: String]? { members { $0.text() } }

    private mutating func members<Member>(_ member: (inout CanonicalJSONReader) -> Member?) -> [String: Member]? {
        guard skip("{") else { return nil }
        var members: [String: Member] = [:]
        while !skip("}") {
            guard members.isEmpty || skip(","), let name = text(), skip(":"), let value = member(&self) else { return nil }
            members[name] = value
        }
        return members
    }
}

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

    /// Appends an object whose members are numbers, sorted by name.
    mutating func append(counters: [String: UInt64]) { append(counters) { $0.append(number: $1) } }

    /// Appends an object whose members are such objects.
    mutating func append(countersByName: [String: [String: UInt64]]) { append(countersByName) { $0.append(counters: $1) } }

    /// Appends an object whose members are texts, sorted by name.
    mutating func append(textsByName: [String: String]) { append(textsByName) { $0.append(text: $1) } }

    private mutating func append<Member>(_ members: [String: Member], _ member: (inout CanonicalJSONWriter, Member) -> Void) {
        append("{")
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, (name, value)) in sorted.enumerated() {
            if index > 0 { append(",") }
            append(text: name)
            append(":")
            member(&self, value)
        }
        append("}")
    }

    /// Appends a string literal of hexadecimal digits.
    mutating func append(hexadecimal data: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in data {
            bytes.append((byte >> 4).hexadecimalDigit)
            bytes.append((byte & 15).hexadecimalDigit)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension UInt8 {
    /// The character of a number below 16.
    fileprivate var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10 }
}

/// Writing of JSON text whose bytes are the same on every system.
enum JSONText {
    /// `string` as a JSON string literal (RFC 8259 §7), with the escapes that are required and no others.
    static func quoted(_ string: String) -> String {
        // Names are hardly ever anything but plain, and looking at their bytes costs a fraction of looking at their characters.
        if string.utf8.withContiguousStorageIfAvailable({ $0.allSatisfy(isPlain) }) == true { return "\"" + string + "\"" }
        var text = "\""
        text.reserveCapacity(string.utf8.count + 2)
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// Whether a byte of UTF-8 stands in a string literal as it is.
    static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") }
}

extension Data {
    /// Two lowercase hexadecimal digits for each byte.
    var hexadecimal: String {
        withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count * 2) { text in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = (byte >> 4).hexadecimalDigit
                    text[2 * index + 1] = (byte & 15).hexadecimalDigit
                }
                return bytes.count * 2
            }
        }
    }

    /// The bytes that ``hexadecimal`` wrote; `nil` for anything else.
    init?(hexadecimal text: String) {
        let utf8 = Array(text.utf8)
        guard utf8.count.isMultiple(of: 2) else { return nil }
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count / 2)
        for index in stride(from: 0, to: utf8.count, by: 2) {
            guard let high = value(utf8[index]), let low = value(utf8[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes)
    }
}
