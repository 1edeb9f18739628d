import Foundation

/// Looks over the bytes of a property list file before Foundation reads them.
///
/// Foundation trusts what it reads more than strangers' bytes deserve: a binary file whose containers refer to one container many times over is
/// expanded level upon level (a hundred bytes become gigabytes), one whose containers contain each other ends the process, and so does a decoder
/// on too deep nesting. What passes here costs Foundation time and memory in proportion to its bytes.
struct PropertyListInspection {
    /// The deepest nesting of containers that is let through: as deep as `JSONDecoder` goes.
    static let maximumNesting = 512

    /// - Throws: ``PropertyListValueError`` for what must not be read. Other damage is left to whoever reads.
    static func check(_ data: Data) throws {
        let bytes = [UInt8](data)
        if bytes.starts(with: "bplist".utf8) {
            var inspection = try BinaryPropertyListInspection(bytes)
            try inspection.check()
        } else if isXML(bytes) {
            try checkXML(bytes)
        } else {
            throw PropertyListValueError(keyPath: "", problem: "neither binary nor XML")
        }
    }

    static func problem(_ problem: String) -> PropertyListValueError { PropertyListValueError(keyPath: "", problem: problem) }

    // MARK: XML

    /// Whether the first character is a `<`, after white space and the byte order mark of UTF-8.
    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Counts how deep `array` and `dict` are nested. Text has no `<`; comments and CDATA sections may, and are passed over.
    private static func checkXML(_ bytes: [UInt8]) throws {
        var depth = 0
        var index = 0
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[start...]
            if rest.starts(with: "<!--".utf8) {
                index = end(of: "-->", in: bytes, from: start + 4)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                index = end(of: "]]>", in: bytes, from: start + 9)
            } else {
                let isClosing = rest.starts(with: "</".utf8)
                let name = bytes[(start + (isClosing ? 2 : 1))...]
                index = (rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
                guard name.starts(with: "array".utf8) || name.starts(with: "dict".utf8) else { continue }
                if isClosing {
                    depth -= 1
                } else if bytes[index - 2] != UInt8(ascii: "/") {
                    depth += 1
                }
                guard depth <= maximumNesting else { throw problem("nested deeper than \(maximumNesting) levels") }
            }
        }
    }

    private static func end(of mark: StaticString, in bytes: [UInt8], from start: Int) -> Int {
        let count = mark.utf8CodeUnitCount
        var index = start
        while index + count <= bytes.count {
            if (0..<count).allSatisfy({ bytes[index + $0] == mark.utf8Start[$0] }) { return index + count }
            index += 1
        }
        return bytes.count
    }
}
