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
