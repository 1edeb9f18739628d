/// An error that the compiler reports of a source.
struct Diagnostic: Hashable {
    let path: String
    let line: Int
    let column: Int
    let message: String

    /// The errors in what a compiler or a build writes, each once.
    static func errors(in text: String) -> [Diagnostic] {
        var known: Set<Diagnostic> = []
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            guard let mark = line.range(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
            guard place.count > 2, let row = Int(place[place.count - 2]), let column = Int(place[place.count - 1]) else { return nil }
            let path = place.dropLast(2).joined(separator: ":")
            let found = Diagnostic(path: path, line: row, column: column, message: String(line[mark.upperBound...]))
            return known.insert(found).inserted ? found : nil
        }
    }

    /// What stands in the quotation marks of the message.
    var names: [String] {
        message.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
    }
}
