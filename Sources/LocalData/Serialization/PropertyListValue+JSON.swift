import Foundation

/// JSON text as property list values and back, without loss.
extension PropertyListValue {
    /// The value of a JSON text, or `nil` where a property list could not give the text's value back: `null`, numbers that are neither 64-bit integers
    /// nor written as a `Double` is, repeated keys, too deep nesting, and what is not JSON.
    init?(json data: Data) {
        var reading = JSONReading(bytes: [UInt8](data))
        guard let value = reading.value(depth: 0) else { return nil }
        reading.skipSpace()
        guard reading.isAtEnd else { return nil }
        self = value
    }

    /// A JSON text of the value, with sorted keys. Dates and data, which only values from elsewhere can hold, are written as `JSONEncoder` does.
    /// `nil` for NaN and infinity.
    var json: Data? {
        var text = ""
        return appendJSON(to: &text) ? Data(text.utf8) : nil
    }

    private func appendJSON(to text: inout String) -> Bool {
        switch self {
        case .string(let string): Self.appendQuoted(string, to: &text)
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .unsigned(let integer): text += String(integer)
        case .real(let double):
            guard double.isFinite else { return false }
            text += "\(double)"
        case .date(let date): return PropertyListValue.real(date.timeIntervalSinceReferenceDate).appendJSON(to: &text)
        case .data(let data): text += "\"\(data.base64EncodedString())\""
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                guard value.appendJSON(to: &text) else { return false }
            }
            text += "]"
        case .dictionary(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }).enumerated() {
                if index > 0 { text += "," }
                Self.appendQuoted(member.key, to: &text)
                text += ":"
                guard member.value.appendJSON(to: &text) else { return false }
            }
            text += "}"
        }
        return true
    }

    private static func appendQuoted(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// A place in a JSON text (RFC 8259). Gives up, with `nil`, on whatever a property list value could not give back.
private struct JSONReading {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: Character) -> Bool {
        skipSpace()
        guard next == byte.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] { return false }
        position = end
        return true
    }

    mutating func value(depth: Int) -> PropertyListValue? {
        guard depth <= PropertyListValue.maximumDepth else { return nil }
        skipSpace()
        guard let first = next else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        default: return nil
        }
    }

    private mutating func array(depth: Int) -> PropertyListValue? {
        guard take("[") else { return nil }
        var values: [PropertyListValue] = []
        if take("]") { return .array([]) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        } while take(",")
        return take("]") ? .array(values) : nil
    }

    private mutating func object(depth: Int) -> PropertyListValue? {
        guard take("{") else { return nil }
        var members: [String: PropertyListValue] = [:]
        if take("}") { return .dictionary([:]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let key = string(), take(":"), let value = value(depth: depth + 1),
                members.updateValue(value, forKey: key) == nil
            else { return nil }
        } while take(",")
        return take("}") ? .dictionary(members) : nil
    }

    private mutating func number() -> PropertyListValue? {
        let start = position
        while let byte = next, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        // Written back, the number must be the same text: -0, 1E3 and numbers of more digits than a Double has are not.
        if let integer = Int64(text), String(integer) == text { return .integer(integer) }
        if let integer = UInt64(text), String(integer) == text { return .unsigned(integer) }
        guard let double = Double(text), double.isFinite, "\(double)" == text else { return nil }
        return .real(double)
    }

    private mutating func string() -> String? {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        guard next == UInt8(ascii: "\"") else { return escapedString(from: start) }
        let text = String(validating: bytes[start..<position], as: UTF8.self)
        position += 1
        return text
    }

    private mutating func escapedString(from start: Int) -> String? {
        var units = Array(bytes[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                units += String(scalar).utf8
            case 0..<0x20: return nil
            default: units.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let high = hexadecimal() else { return nil }
            guard (0xD800...0xDBFF).contains(high) else { return Unicode.Scalar(high) }
            guard take(word: "\\u"), let low = hexadecimal(), (0xDC00...0xDFFF).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        default: return nil
        }
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        let text = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        position += 4
        return UInt32(text, radix: 16)
    }
}

/// The JSON of plain strings, whole numbers and Booleans, which settings mostly are, read without a decoder.
///
/// Whatever needs a second look (escapes, other notations of a number, spaces, malformed text) is left to the decoder, so that the two never differ.
enum PlainJSON {
    static func value<Value>(in json: Data, as type: Value.Type = Value.self) -> Value? {
        if type == String.self { return string(in: json).flatMap { exactly($0) } }
        if type == Int.self { return integer(in: json).flatMap { exactly($0) } }
        if type == Bool.self { return bool(in: json).flatMap { exactly($0) } }
        return nil
    }

    private static func string(in json: Data) -> String? {
        json.withUnsafeBytes { bytes -> String? in
            guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return nil }
            let inner = bytes[1..<(bytes.count - 1)]
            // ASCII is always valid UTF-8.
            guard inner.allSatisfy({ JSONText.isPlain($0) && $0 < 0x80 }) else { return nil }
            return String(decoding: inner, as: UTF8.self)
        }
    }

    private static func integer(in json: Data) -> Int? {
        json.withUnsafeBytes { bytes -> Int? in
            // Below 19 digits nothing overflows.
            guard (1..<19).contains(bytes.count), bytes.count == 1 || bytes[0] != UInt8(ascii: "0") else { return nil }
            // `Int` has 32 bits on some watches.
            var number: Int64 = 0
            for byte in bytes {
                guard case let digit = byte &- UInt8(ascii: "0"), digit < 10 else { return nil }
                number = number * 10 + Int64(digit)
            }
            return Int(exactly: number)
        }
    }

    private static func bool(in json: Data) -> Bool? {
        if json.elementsEqual("true".utf8) { return true }
        return json.elementsEqual("false".utf8) ? false : nil
    }
}
