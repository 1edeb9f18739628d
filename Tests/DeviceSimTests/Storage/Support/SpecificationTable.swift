/// A table as the specification prints it, to be tested cell by cell.
struct SpecificationTable {
    struct Cell: Sendable, CustomStringConvertible {
        let row: String
        let column: String
        let value: String

        var description: String { "\(row), \(column): \(value)" }
    }

    let cells: [Cell]

    init(_ text: String) {
        var lines = text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        let header = lines.removeFirst()
        cells = lines.flatMap { line in
            zip(header, line).dropFirst().map { Cell(row: line[0], column: $0, value: $1) }
        }
    }
}
