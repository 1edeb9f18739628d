/// The text of one file, checked to be text, and where its lines are.
public struct SourceText: Sendable {
    /// The file, as the user named it.
    public let path: String
    let bytes: [UInt8]
    /// Without their line ends.
    let lines: [Range<Int>]

    /// How many lines it has. What follows the last line end is one if it is not empty.
    public var lineCount: Int { lines.count }

    /// The largest file that is read, in bytes: 4 MiB, a hundred times the size of any scenario a person would write.
    public static let maximumByteCount = 4 << 20

    /// - Throws: what makes the bytes unusable as a whole: not UTF-8, binary, too large.
    public init(path: String, bytes: [UInt8]) throws(ScenarioDiagnostic) {
        guard bytes.count <= Self.maximumByteCount else { throw Self.tooLarge(path: path, byteCount: bytes.count) }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw .file(path, "the file is in UTF-16", hint: "save it as UTF-8")
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let zero = bytes.firstIndex(of: 0) {
            throw .file(path, "the file is binary, not text: byte \(zero) is 0", hint: "a scenario file is text in UTF-8")
        }
        self.path = path
        self.bytes = bytes
        lines = Self.split(bytes, from: start)
        if String(validating: bytes, as: UTF8.self) == nil {
            throw Self.invalidUTF8(path: path, bytes: bytes, lines: lines)
        }
    }

    static func tooLarge(path: String, byteCount: Int) -> ScenarioDiagnostic {
        .file(
            path, "the file has \(byteCount) bytes, and a scenario file may have \(maximumByteCount)",
            hint: "write large values as `repeat(\"x\", 100000)` or `data(100000 bytes)`")
    }

    /// A line, 1-based, as text.
    func line(_ number: Int) -> String? {
        guard lines.indices.contains(number - 1) else { return nil }
        return String(decoding: bytes[lines[number - 1]], as: UTF8.self)
    }

    /// The lines of a text, by what ends them on any system, with what follows the last line end, be it empty. An editor counts lines so.
    package static func lines(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        let lines = split(bytes, from: 0).map { String(decoding: bytes[$0], as: UTF8.self) }
        return bytes.last.map { $0 == 0x0A || $0 == 0x0D } == false ? lines : lines + [""]
    }

    /// Lines end with LF, CR LF or CR. What follows the last line end is a line if it is not empty.
    private static func split(_ bytes: [UInt8], from start: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var begin = start
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D {
                lines.append(begin..<index)
                if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
                begin = index + 1
            }
            index += 1
        }
        if begin < bytes.count { lines.append(begin..<bytes.count) }
        return lines
    }

    private static func invalidUTF8(path: String, bytes: [UInt8], lines: [Range<Int>]) -> ScenarioDiagnostic {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        scan: while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error, .emptyInput: break scan
            }
        }
        offset = min(offset, max(0, bytes.count - 1))
        let line = lines.firstIndex { $0.upperBound > offset } ?? max(0, lines.count - 1)
        let start = lines.indices.contains(line) ? lines[line].lowerBound : 0
        let column = bytes[start..<max(start, offset)].count { $0 & 0xC0 != 0x80 } + 1
        return ScenarioDiagnostic(
            range: SourceRange(path: path, line: line + 1, column: column, length: 1),
            message: "byte \(offset) of the file (0x\(hexadecimal(bytes[offset]))) is not UTF-8",
            hint: "save the file as UTF-8")
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.count == 1 ? "0" + text : text
    }
}
