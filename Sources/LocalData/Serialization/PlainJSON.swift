import Foundation

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
