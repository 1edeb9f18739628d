/// A replacement of some bytes of a source. It has the line breaks of what it replaces, so that everything stays on its line.
struct SourceEdit: Equatable {
    let range: Range<Int>
    let text: String
}

extension SourceEdit {
    /// Leaves a part out, and keeps its line breaks.
    init(cutting cut: InterfaceCutter.Cut, of tokens: [Token], in source: String) {
        range = tokens[cut.tokens.lowerBound].range.lowerBound..<tokens[cut.tokens.upperBound - 1].range.upperBound
        let utf8 = source.utf8
        let lower = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        let lines = source[lower..<utf8.index(lower, offsetBy: range.count)].filter(\.isNewline)
        text = "/* OneSource left out: \(cut.name) */" + lines
    }
}

extension [SourceEdit] {
    /// These edits with those of `outer`, without what lies in one of them.
    func outermost(within outer: [SourceEdit]) -> [SourceEdit] {
        filter { edit in !outer.contains { $0.range.overlaps(edit.range) } } + outer
    }

    /// The source with all of the edits, which do not overlap, made.
    func applied(to source: String) -> String {
        let bytes = Array<UInt8>(source.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64 * count)
        var position = 0
        for edit in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[position..<edit.range.lowerBound]
            result += Array<UInt8>(edit.text.utf8)
            position = edit.range.upperBound
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }
}

/// Something wrong in a source that the compiler would not say, or not at its place.
struct SourceProblem: Error, Equatable {
    let line: Int
    let column: Int
    let message: String

    /// - Parameter offset: The bytes before it in `source`.
    init(at offset: Int, in source: String, _ message: String) {
        var line = 1
        var start = 0
        var last: UInt8 = 0
        for (index, byte) in source.utf8.prefix(offset).enumerated() {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                // Both together end one line.
                if byte == UInt8(ascii: "\r") || last != UInt8(ascii: "\r") { line += 1 }
                start = index + 1
            }
            last = byte
        }
        self.line = line
        column = offset - start + 1
        self.message = message
    }
}
