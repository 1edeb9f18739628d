/// A file that an editor has open, with the text as it is there.
struct ServedDocument {
    let uri: String
    /// As the compiler is given it: the path of a `file:` address, else the address.
    let path: String
    private(set) var text: String
    private(set) var lines: [String]
    /// What came of the last run of the text as it is, by row; of no row by 0.
    var results: [Int: RunResult] = [:]

    struct RunResult {
        let hasPassed: Bool
        let text: String
        /// Of the step at fault, from 1.
        var line: Int?
        var message = ""
    }

    init(uri: String, text: String) {
        self.uri = uri
        path = Self.path(of: uri)
        self.text = text
        lines = SourceText.lines(of: text)
    }

    mutating func replace(_ text: String) {
        self.text = text
        lines = SourceText.lines(of: text)
        results = [:]
    }

    // MARK: Addresses

    /// `file:///a%20b` is `/a b`.
    static func path(of uri: String) -> String {
        guard uri.hasPrefix("file://") else { return uri }
        let rest = uri.dropFirst("file://".count)
        let path = rest.first == "/" ? rest[...] : rest.drop { $0 != "/" }
        return decoded(path)
    }

    static func uri(of path: String) -> String {
        guard path.hasPrefix("/") else { return path }
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        return "file://"
            + path.utf8.map { byte in
                guard !plain.contains(byte) else { return String(Character(Unicode.Scalar(byte))) }
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Positions: lines from 0, columns in UTF-16 units from 0

    func line(_ number: Int) -> String? { lines.indices.contains(number) ? lines[number] : nil }

    /// The text of a line before a column.
    func prefix(line: Int, column: Int) -> String {
        guard let text = self.line(line) else { return "" }
        return String(decoding: Array(text.utf16.prefix(max(0, column))), as: UTF16.self)
    }

    /// The word at a column, without the signs around it.
    func word(line: Int, column: Int) -> String {
        guard let text = self.line(line) else { return "" }
        let units = Array(text.utf16)
        func isWord(_ unit: UInt16) -> Bool {
            guard let scalar = Unicode.Scalar(unit) else { return false }
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_.-$".unicodeScalars.contains(scalar)
        }
        var start = min(max(0, column), units.count)
        var end = start
        while start > 0, isWord(units[start - 1]) { start -= 1 }
        while end < units.count, isWord(units[end]) { end += 1 }
        return String(decoding: units[start..<end], as: UTF16.self)
    }

    /// A range of the compiler, which counts characters from 1, as the protocol has it.
    func range(_ range: SourceRange) -> JSONValue {
        let line = max(0, range.line - 1)
        let text = Array((self.line(line) ?? "").unicodeScalars)
        func units(_ count: Int) -> Int { text.prefix(max(0, count)).reduce(0) { $0 + ($1.value > 0xFFFF ? 2 : 1) } }
        let start = units(range.column - 1)
        return Self.range(line, start, line, max(start + 1, units(range.column - 1 + range.length)))
    }

    /// A whole line.
    func range(ofLine line: Int) -> JSONValue { Self.range(line, 0, line, (self.line(line) ?? "").utf16.count) }

    var whole: JSONValue { Self.range(0, 0, lines.count, 0) }

    static func range(_ line: Int, _ column: Int, _ endLine: Int, _ endColumn: Int) -> JSONValue {
        func position(_ line: Int, _ column: Int) -> JSONValue {
            .object(["line": .number(Int64(line)), "character": .number(Int64(column))])
        }
        return .object(["start": position(line, column), "end": position(endLine, endColumn)])
    }
}
