/// Builds the text that a quoted string means, with the escapes of JSON (RFC 8259 §7).
struct StringDecoder {
    private var bytes: [UInt8] = []
    /// The first half of a surrogate pair, waiting for the second.
    private var highSurrogate: UInt16?

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Takes the bytes after a backslash.
    /// - Returns: how many of them belong to the escape, and what is wrong with it.
    mutating func escape(_ rest: ArraySlice<UInt8>) -> (count: Int, problem: (message: String, hint: String)?) {
        guard let letter = rest.first else { return (0, ("a `\\` at the end of the line", "write `\\\\` for the sign itself")) }
        if letter == UInt8(ascii: "u") { return unicodeEscape(rest.dropFirst()) }
        let byte: UInt8? =
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: nil
            }
        guard let byte else {
            return (
                1, ("an unknown escape in a string", "known are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits")
            )
        }
        append(byte)
        return (1, nil)
    }

    func finish() -> String { String(decoding: bytes, as: UTF8.self) }

    private mutating func unicodeEscape(_ rest: ArraySlice<UInt8>) -> (count: Int, problem: (message: String, hint: String)?) {
        guard let unit = Self.unit(rest) else { return (1, Self.incomplete) }
        if UTF16.isLeadSurrogate(unit) {
            let following = rest.dropFirst(4)
            guard following.starts(with: Array("\\u".utf8)), let next = Self.unit(following.dropFirst(2)), UTF16.isTrailSurrogate(next)
            else {
                return (5, Self.half)
            }
            highSurrogate = unit
        } else if UTF16.isTrailSurrogate(unit), let high = highSurrogate {
            highSurrogate = nil
            bytes.append(contentsOf: String(decoding: [high, unit], as: UTF16.self).utf8)
        } else if UTF16.isTrailSurrogate(unit) {
            return (5, Self.half)
        } else {
            bytes.append(contentsOf: String(decoding: [unit], as: UTF16.self).utf8)
        }
        return (5, nil)
    }

    /// What the first four digits say; `nil` where there are not as many.
    private static func unit(_ rest: ArraySlice<UInt8>) -> UInt16? {
        let digits = rest.prefix(4)
        guard digits.count == 4 else { return nil }
        var unit: UInt16 = 0
        for digit in digits {
            guard let value = hexadecimalValue(digit) else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    /// Half a pair is no character.
    private static let half = (
        "half of a surrogate pair", "a character beyond \\uffff is written as both halves, such as \\ud83d\\ude00, or as itself"
    )

    private static let incomplete = ("`\\u` without four hexadecimal digits", "such as \\u00e9")

    private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
