import DeviceSimCore

/// A table of examples: a row of names, and rows of what they stand for. Each row is a run of its own.
struct ExamplesTable {
    /// The cells of the first row, which name the columns.
    let heads: [Token]
    let rows: [Row]

    var names: [String] { heads.map(\.text) }

    /// The columns that some line must name. One of texts that comes first may only say what each row is about: reports show it.
    var columnsInUse: [Token] {
        let isLabel = rows.allSatisfy { row in row.cells.first.map { $0.count == 1 && $0[0].isText } ?? false }
        return isLabel ? Array(heads.dropFirst()) : heads
    }

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
        guard let heads = columnNames(head, report: report) else { return nil }
        let names = heads.map(\.text)
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
        return ExamplesTable(heads: heads, rows: rows)
    }

    private static func columnNames(
        _ line: ScenarioDocument.Statement, report: (SourceRange, String, String?) -> Void
    ) -> [Token]? {
        guard !line.isBroken else { return nil }
        guard let cells = cells(of: line.tokens) else {
            report(line.range, "the table's first line names its columns", "such as `| size | result |`")
            return nil
        }
        var names: [Token] = []
        for cell in cells {
            guard cell.count == 1, let token = cell.first, token.kind == .word, !token.text.contains(where: { $0 == "." || $0 == "-" })
            else {
                report(
                    cell.first.map { $0.range.through(cell.last?.range ?? $0.range) } ?? line.range, "a column's name is one word",
                    "letters, digits and `_`; the rows are used as `$name`")
                return nil
            }
            if names.contains(where: { $0.text == token.text }) {
                report(token.range, "there is a column `\(token.text)` already", nil)
                return nil
            }
            names.append(token)
        }
        return names
    }

    /// What tells a row from the others: `size 100, result "ok"`, cut after 60 characters. Values of secrets are left out: the label is in reports.
    func label(of row: Row, in scenario: Scenario, of document: ScenarioDocument) -> String {
        let secrets = scenario.secretCells(names: names, cells: row.cells.map { TokenSpacing.text(of: $0) }, parts: document.variableParts)
        let text = zip(names, row.cells).enumerated().map { index, cell in
            "\(cell.0) \(secrets.contains(index) ? "…" : TokenSpacing.text(of: cell.1))"
        }.joined(separator: ", ")
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}

extension Scenario {
    /// The cells of a row that give secrets their values, or are expected of them.
    ///
    /// A line that names a column says that it does, also by a variable that is made of one. A line of an included file may have any of them in what it was given.
    /// A cell that says what a secret is gives it away as well, wherever the secret has it from.
    /// - Parameter parts: The names in what each variable of the file stands for.
    fileprivate func secretCells(names: [String], cells: [String], parts: [String: [String]]) -> Set<Int> {
        let steps = steps.flatMap { step in if case .together(let inner) = step.action { inner } else { [step] } }
        var variables: Set<String> = []
        var values: Set<String> = []
        for step in steps {
            let secrets = step.action.keyValues.filter { self[$0.key].isSecret }
            guard !secrets.isEmpty else { continue }
            let used = step.source.variables
            if step.range.path != path, !used.isEmpty { return Set(cells.indices) }
            var next = used
            while let name = next.popLast() { if variables.insert(name).inserted { next += parts[name] ?? [] } }
            values.formUnion(secrets.map(\.value.notation))
        }
        return Set(
            cells.indices.filter { index in
                // What comes of a step is no value.
                let isOutcome = ["crashes", "exists", "fails", "loses", "missing", "within"].contains(cells[index].prefix { $0 != " " })
                return !isOutcome && variables.contains(names[index]) || values.contains(cells[index])
            })
    }
}

extension ScenarioDocument {
    /// The names in what each variable stands for.
    fileprivate var variableParts: [String: [String]] {
        var parts: [String: [String]] = [:]
        for statement in statements where statement.tokens.count > 1 {
            guard statement.tokens[0].isWord("let") || statement.tokens[0].isWord("parameter") else { continue }
            parts[statement.tokens[1].text, default: []] += statement.tokens.compactMap { token in
                if case .variable(let name) = token.kind { name } else { nil }
            }
        }
        return parts
    }
}

extension String {
    /// What stands behind each `$`.
    fileprivate var variables: [String] {
        split(separator: "$", omittingEmptySubsequences: false).dropFirst().map { rest in
            String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
    }
}

extension Token {
    fileprivate var isText: Bool { if case .string = kind { true } else { false } }
}
