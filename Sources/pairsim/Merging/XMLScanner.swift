import Foundation

/// Reads an XML document from its beginning to its end, and tells of each element and text on the way.
///
/// Reads what reports are made of: elements, attributes, text, CDATA, comments, processing instructions, the five entities that XML knows and characters by
/// number, in UTF-8. Whatever else there is, such as a document type, is refused: entities of a document's own are what attacks on readers are made of.
/// The reader needs no library, so that `pairsim` can be taken to a machine that has none.
struct XMLScanner {
    enum Event: Equatable {
        case start(String, attributes: [String: String])
        case end(String)
        case text(String)
    }

    /// Why a text is no XML document, or none that is read here.
    struct Fault: Error, Equatable, CustomStringConvertible {
        /// Bytes before the place.
        let offset: Int
        let reason: String

        var description: String { "\(reason), after \(offset) bytes" }
    }

    private let bytes: ArraySlice<UInt8>
    private var place: Int
    private var open: [String] = []

    /// Tells `take` of everything in the document, in its order.
    static func read(_ data: Data, _ take: (Event) -> Void) throws(Fault) {
        var scanner = XMLScanner(data)
        try scanner.read(take)
    }

    private init(_ data: Data) {
        // The mark of UTF-8, which some editors write, says nothing.
        bytes = Array(data).dropFirst(data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        place = bytes.startIndex
    }

    private mutating func read(_ take: (Event) -> Void) throws(Fault) {
        var hasRoot = false
        while place < bytes.endIndex {
            if starts(with: "<!--") {
                let comment = try skip("<!--", upTo: "-->")
                if comment.contains("--") { throw fault("two hyphens in a comment") }
            } else if starts(with: "<?") {
                _ = try skip("<?", upTo: "?>")
            } else if starts(with: "<![CDATA[") {
                let text = try skip("<![CDATA[", upTo: "]]>")
                guard !open.isEmpty else { throw fault("text outside of all elements") }
                take(.text(Self.withLineEnds(text)))
            } else if starts(with: "<!") {
                throw fault("a document type, which is not read")
            } else if starts(with: "</") {
                place += 2
                let name = try name()
                skipSpace()
                try expect(">")
                guard open.popLast() == name else { throw fault("the end of an element that is not the open one") }
                take(.end(name))
            } else if starts(with: "<") {
                guard !open.isEmpty || !hasRoot else { throw fault("a second document") }
                hasRoot = true
                try readStart(take)
            } else {
                let text = try text(until: UInt8(ascii: "<"))
                if open.isEmpty {
                    guard text.allSatisfy(\.isWhitespace) else { throw fault("text outside of all elements") }
                } else {
                    take(.text(text))
                }
            }
        }
        guard hasRoot else { throw fault("no element") }
        guard open.isEmpty else { throw fault("the end of the file before that of its elements") }
    }

    private mutating func readStart(_ take: (Event) -> Void) throws(Fault) {
        place += 1
        let element = try name()
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = skipSpace()
            if starts(with: "/>") {
                place += 2
                take(.start(element, attributes: attributes))
                take(.end(element))
                return
            }
            if starts(with: ">") {
                place += 1
                open.append(element)
                take(.start(element, attributes: attributes))
                return
            }
            guard hadSpace else { throw fault("no space before an attribute") }
            let name = try name()
            skipSpace()
            try expect("=")
            skipSpace()
            guard place < bytes.endIndex, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place]) else {
                throw fault("an attribute without quotation marks")
            }
            let quote = bytes[place]
            place += 1
            let value = try text(until: quote, isAttribute: true)
            guard place < bytes.endIndex else { throw fault("an attribute without an end") }
            place += 1
            guard attributes.updateValue(value, forKey: name) == nil else { throw fault("an attribute for the second time") }
        }
    }

    // MARK: Parts

    private func fault(_ reason: String) -> Fault { Fault(offset: place, reason: reason) }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }

    private mutating func expect(_ text: StaticString) throws(Fault) {
        guard starts(with: text) else { throw fault("no \(text) where one must be") }
        place += text.utf8CodeUnitCount
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let begin = place
        while place < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        return place > begin
    }

    /// What stands between two marks.
    private mutating func skip(_ begin: StaticString, upTo end: StaticString) throws(Fault) -> String {
        place += begin.utf8CodeUnitCount
        let first = place
        while place < bytes.endIndex {
            if starts(with: end) {
                let text = try decoded(first..<place)
                place += end.utf8CodeUnitCount
                return text
            }
            place += 1
        }
        throw fault("no \(end) before the end of the file")
    }

    private mutating func name() throws(Fault) -> String {
        let begin = place
        while place < bytes.endIndex {
            let byte = bytes[place]
            let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte >= 0x80
            let isFirst = isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
            let isLater = byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard isFirst || isLater && place > begin else { break }
            place += 1
        }
        guard place > begin else { throw fault("no name where one must be") }
        return try decoded(begin..<place)
    }

    /// Text with its entities replaced, up to a byte or the end of the file.
    private mutating func text(until end: UInt8, isAttribute: Bool = false) throws(Fault) -> String {
        var text = ""
        var begin = place
        while place < bytes.endIndex, bytes[place] != end {
            let byte = bytes[place]
            if byte == UInt8(ascii: "&") {
                text += plain(try decoded(begin..<place), isAttribute)
                text.unicodeScalars.append(try entity())
                begin = place
            } else if isAttribute, byte == UInt8(ascii: "<") {
                throw fault("markup in an attribute")
            } else {
                place += 1
            }
        }
        return text + plain(try decoded(begin..<place), isAttribute)
    }

    /// In an attribute the end of a line is a space, unless it is written by its number.
    private func plain(_ text: String, _ isAttribute: Bool) -> String {
        let text = Self.withLineEnds(text)
        return isAttribute ? text.replacing("\n", with: " ").replacing("\t", with: " ") : text
    }

    private static func withLineEnds(_ text: String) -> String { text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") }

    private func decoded(_ range: Range<Int>) throws(Fault) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else { throw fault("bytes that are not UTF-8") }
        return text
    }

    private mutating func entity() throws(Fault) -> Unicode.Scalar {
        let begin = place + 1
        guard let end = bytes[begin...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw fault("an & that begins no entity") }
        let name = try decoded(begin..<end)
        let known: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        let isHexadecimal = name.hasPrefix("#x")
        let number = name.hasPrefix("#") ? UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10) : nil
        guard let scalar = known[name] ?? number.flatMap({ Unicode.Scalar($0) }),
            scalar.value >= 0x20 || "\t\n\r".unicodeScalars.contains(scalar)
        else { throw fault("an entity that XML does not know") }
        place = end + 1
        return scalar
    }
}
