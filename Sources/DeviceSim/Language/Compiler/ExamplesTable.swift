import DeviceSimCore

/// A table of examples: a row of names, and rows of what they stand for. Each row is a run of its own.
struct ExamplesTable {
    let names: [String]
    let rows: [Row]

    struct Row {
        let cells: [[Token]]
        let range: SourceRange
    }

    /// The cells of `| a | b |`; `nil` for a line that is no row.
    static func cells(of tokens: [Token]) -> [[Token]]? {
        guard let first = tokens.first, let last = tokens.last, tokens.count > 2, first.isSign("|"), last.isSign("|") else { return nil }
        return tokens.dropFirst().dropLast().split(
            separator: Token(kind: .sign, text: "|", range: first.range), omittingEmptySubsequences: false
        )
        .map(Array.init)
    }

    static let maximumRowCount = 10_000

    /// - Parameter report: told what is wrong: where, what, and what would be right.
    static func read(
        _ statement: ScenarioDocument.Statement, report: (SourceRange, String, String?) -> Void
    ) -> ExamplesTable? {
        guard statement.tokens.count == 1, let head = statement.block.first else {
            report(
                statement.range, statement.block.isEmpty ? "a table of examples without rows" : "nothing may follow `examples` on its line",
                "write a row of names and rows of values below it, such as `| size | result |`")
            return nil
        }
        guard let names = columnNames(head, report: report) else { return nil }
        var rows: [Row] = []
        for line in statement.block.dropFirst() where !line.isBroken {
            guard let cells = cells(of: line.tokens) else {
                report(line.range, "this is not a row of the table", "begin it and end it with `|`")
                continue
            }
            if cells.count != names.count {
                report(
                    line.range, "the row has \(cells.count) cell\(cells.count == 1 ? "" : "s"), and the table \(names.count) columns",
                    "the columns are \(Suggestion.list(names, last: "and"))")
            } else if cells.contains(where: \.isEmpty) {
                report(line.range, "a cell is empty", "write `\"\"` for a text without letters, `null` for nothing")
            } else {
                rows.append(Row(cells: cells, range: line.range))
            }
        }
        if rows.isEmpty, statement.block.count == 1 {
            report(head.range, "the table has names and no rows", "write a row of values below the names")
        }
        guard rows.count <= maximumRowCount else {
            report(statement.range, "the table has \(rows.count) rows, and may have \(maximumRowCount)", nil)
            return nil
        }
        return ExamplesTable(names: names, rows: rows)
    }

    private static func columnNames(
        _ line: ScenarioDocument.Statement, report: (SourceRange, String, String?) -> Void
    ) -> [String]? {
        guard !line.isBroken else { return nil }
        guard let cells = cells(of: line.tokens) else {
            report(line.range, "the table's first line names its columns", "such as `| size | result |`")
            return nil
        }
        var names: [String] = []
        for cell in cells {
            guard cell.count == 1, let token = cell.first, token.kind == .word, !token.text.contains(where: { $0 == "." || $0 == "-" })
            else {
                report(
                    cell.first.map { $0.range.through(cell.last?.range ?? $0.range) } ?? line.range, "a column's name is one word",
                    "letters, digits and `_`; the rows are used as `$name`")
                return nil
            }
            if names.contains(token.text) {
                report(token.range, "there is a column `\(token.text)` already", nil)
                return nil
            }
            names.append(token.text)
        }
        return names
    }

    /// What tells a row from the others: `size 100, result "ok"`, cut after 60 characters.
    func label(of row: Row) -> String {
        let text = zip(names, row.cells).map { "\($0) \(TokenSpacing.text(of: $1))" }.joined(separator: ", ")
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}
