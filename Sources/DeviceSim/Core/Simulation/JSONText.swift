/// JSON written straight into bytes, without an encoder in between: the trace of a search is rendered thousands of times a second.
///
/// Control characters are escaped, those of the C1 block and DEL included, so that the text is also safe to show on a terminal.
package enum JSONText {
    /// Appends a JSON string, quotes included.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(quote)
        var copy = text
        copy.withUTF8 { append(utf8: $0, to: &bytes) }
        bytes.append(quote)
    }

    package static func append(_ number: some BinaryInteger, to bytes: inout [UInt8]) {
        guard number >= 0, number < 10 else {
            bytes.append(contentsOf: String(number).utf8)
            return
        }
        bytes.append(UInt8(ascii: "0") + UInt8(number))
    }

    package static func append(_ flag: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    package static func append(_ list: [String], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, text) in list.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static let quote = UInt8(ascii: "\"")
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Copies runs of plain bytes whole and escapes what lies between them.
    private static func append(utf8 text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var plainStart = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            // U+0080…U+009F are the bytes C2 80 … C2 9F.
            let isC1 = byte == 0xC2 && index + 1 < text.count && text[index + 1] < 0xA0
            guard byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") || byte == 0x7F || isC1 else {
                index += 1
                continue
            }
            bytes.append(contentsOf: text[plainStart..<index])
            appendEscape(isC1 ? text[index + 1] : byte, to: &bytes)
            index += isC1 ? 2 : 1
            plainStart = index
        }
        bytes.append(contentsOf: text[plainStart...])
    }

    private static func appendEscape(_ code: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch code {
        case quote, UInt8(ascii: "\\"): bytes.append(code)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexDigits[Int(code >> 4)])
            bytes.append(hexDigits[Int(code & 15)])
        }
    }
}
