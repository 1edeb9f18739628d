import LocalData
import Testing

/// A table as the specification prints it, to be tested cell by cell. The first column names the rows.
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
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).replacing("**", with: "").replacing("−", with: "-")
            }
        }
        let header = lines.removeFirst()
        lines.removeAll { $0.first == "---" }
        cells = lines.flatMap { line in
            zip(header, line).dropFirst().map { Cell(row: line[0], column: $0, value: $1) }
        }
    }
}

extension SpecificationTable.Cell {
    /// The row without remarks.
    func row(_ remarks: String...) -> String {
        remarks.reduce(row) { $0.replacing(" " + $1, with: "") }
    }

    /// The keychain's status that the cell begins with. Where a row does not concern an operation (`–` or nothing), that goes its ordinary way.
    var status: KeychainStatus {
        get throws {
            if ["ok", "–", ""].contains(value) { return .success }
            return try status(after: "")
        }
    }

    func status(after words: String) throws -> KeychainStatus {
        try #require(value.hasPrefix(words))
        let number = value.dropFirst(words.count).prefix { $0 == "-" || $0.isNumber }
        return KeychainStatus(rawValue: try #require(Int32(number), "no status: \(value)"))
    }
}

extension StorageBackend {
    /// Those that have a device around them.
    static let simulated: [StorageBackend] = [.memory, .realFiles]
}
