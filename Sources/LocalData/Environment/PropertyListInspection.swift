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
        return text.first { !isBlank($0) } == UInt8(ascii: "<")
    }

    /// Counts how deep elements are nested, whatever their names, and lets nothing through that a reader may understand otherwise than this: no
    /// instructions after the first, no declarations of one's own, no attributes but those of `plist`. Text has no `<`; comments and CDATA sections
    /// may, and are passed over.
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
                index = (rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
                depth += try change(ofDepthBy: bytes[start..<index], isFirst: bytes[..<start].allSatisfy { isBlank($0) || $0 > 0x7F })
                guard depth <= maximumNesting else { throw problem("nested deeper than \(maximumNesting) levels") }
            }
        }
    }

    /// How much deeper it is after a tag, which is what lies between `<` and `>`.
    private static func change(ofDepthBy tag: ArraySlice<UInt8>, isFirst: Bool) throws -> Int {
        let name = tag.dropFirst().prefix { !isBlank($0) && !">/[".utf8.contains($0) }
        if tag.starts(with: "<?".utf8) {
            guard isFirst, name.elementsEqual("?xml".utf8) else { throw problem("an instruction within the XML") }
            return 0
        }
        if tag.starts(with: "<!".utf8) {
            guard name.elementsEqual("!DOCTYPE".utf8), !tag.contains(UInt8(ascii: "[")) else {
                throw problem("a declaration within the XML")
            }
            return 0
        }
        if tag.starts(with: "</".utf8) { return -1 }
        let attributes = tag.dropFirst(1 + name.count).filter { !isBlank($0) && !">/".utf8.contains($0) }
        guard attributes.isEmpty || name.elementsEqual("plist".utf8) else { throw problem("attributes of an element") }
        return tag.dropLast().last == UInt8(ascii: "/") ? 0 : 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

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
