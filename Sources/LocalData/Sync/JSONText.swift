import Foundation

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
                    text[2 * index] = Self.hexadecimalDigit(byte >> 4)
                    text[2 * index + 1] = Self.hexadecimalDigit(byte & 15)
                }
                return bytes.count * 2
            }
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
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
