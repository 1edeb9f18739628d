/// A scenario file as a command line names it: `FILE`, `FILE[ROW]`, `FILE:LINE`, `FILE:LINE:COLUMN` as failures show places, or `-` for standard input.
struct ScenarioOperand: Hashable, Sendable {
    let path: String
    /// As written: the row of the file's table of examples, which are counted from 1.
    var row: Int?
    /// As written; lines are counted from 1.
    var line: Int?

    /// - Parameter exists: Whether there is something of that very name, which then is meant.
    init(_ text: String, exists: (String) -> Bool = { _ in false }) {
        guard text != "-", !exists(text) else {
            path = text
            return
        }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        while parts.count > 1, numbers.count < 2, let last = parts.last, let number = Self.number(last) {
            numbers.insert(number, at: 0)
            parts.removeLast()
        }
        line = numbers.first
        var name = parts.joined(separator: ":")
        if name.hasSuffix("]"), let bracket = name.lastIndex(of: "["), bracket != name.startIndex,
            let number = Self.number(name[name.index(after: bracket)...].dropLast())
        {
            row = number
            name = String(name[..<bracket])
        }
        path = name
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Why there is no such line, as a sentence; `nil` where there is one, or none was named.
    func objection(to engine: ScenarioEngine) -> String? {
        guard let line, let count = engine.lineCount(path), !(1...max(1, count)).contains(line) else { return nil }
        return "\(SafeText.line(path)) has \(Plural.of(count, "line")), and no line \(line)"
    }

    /// What is meant of a file's scenarios: a row by its number, or by the line that it stands in. Any other line means all of them.
    func select(_ scenarios: [Scenario]) -> [Scenario] {
        if let row { return scenarios.indices.contains(row - 1) ? [scenarios[row - 1]] : [] }
        let here = line.map { line in scenarios.filter { $0.rowLine == line } } ?? []
        return here.isEmpty ? scenarios : here
    }
}
