/// Writes a scenario file in its canonical layout: what people would agree on if they cared to.
///
/// Blocks are indented by four spaces, the words of a key's block and the cells of a table stand in columns, at most one blank line
/// separates phases, comments stay where they are. Nothing that a file says is changed.
public enum ScenarioFormatter {
    /// The canonical text, or what keeps the file from being read. A file whose meaning is wrong can still be formatted.
    public static func format(_ source: SourceText) -> Result<String, FormattingFailure> {
        let (document, diagnostics) = ScenarioParser.parse(source)
        return diagnostics.isEmpty ? .success(format(document)) : .failure(FormattingFailure(diagnostics: diagnostics))
    }

    /// The document in the canonical layout, ending with a newline. What it says stays the same.
    public static func format(_ document: ScenarioDocument) -> String {
        var writer = LineWriter()
        for line in document.headerLines { writer.comment(line, indented: false) }
        if !document.headerLines.isEmpty, !document.statements.isEmpty || !document.trailing.isEmpty { writer.blank() }
        for statement in document.statements {
            writer.trivia(statement.leading, indented: false)
            writer.line(TokenSpacing.text(of: statement.tokens), comment: statement.comment, indented: false)
            block(of: statement, to: &writer)
        }
        writer.trivia(document.trailing, indented: false)
        return writer.finish()
    }

    private static func block(of statement: ScenarioDocument.Statement, to writer: inout LineWriter) {
        guard !statement.block.isEmpty else { return }
        let texts: [String]
        if statement.tokens.first?.isWord("key") == true {
            texts = attributes(statement.block)
        } else if statement.tokens.first?.isWord("examples") == true {
            texts = table(statement.block)
        } else {
            texts = statement.block.map { TokenSpacing.text(of: $0.tokens) }
        }
        for (child, text) in zip(statement.block, texts) {
            writer.trivia(child.leading, indented: true)
            writer.line(text, comment: child.comment, indented: true)
        }
        writer.trivia(statement.blockTrailing, indented: true)
    }

    /// First words in one column, the rest in another.
    private static func attributes(_ lines: [ScenarioDocument.Statement]) -> [String] {
        let width = lines.filter { $0.tokens.count > 1 }.map { $0.tokens[0].text.unicodeScalars.count }.max() ?? 0
        return lines.map { line in
            guard line.tokens.count > 1, line.tokens[0].kind == .word else { return TokenSpacing.text(of: line.tokens) }
            let word = line.tokens[0].text
            return word + String(repeating: " ", count: width + 2 - word.unicodeScalars.count)
                + TokenSpacing.text(of: line.tokens.dropFirst())
        }
    }

    /// In Unicode scalars.
    private static let widestColumn = 400

    /// Cells of one column under each other. Rows that are no rows stay as they are.
    private static func table(_ lines: [ScenarioDocument.Statement]) -> [String] {
        let rows = lines.map { ExamplesTable.cells(of: $0.tokens)?.map { TokenSpacing.text(of: $0) } }
        let columns = rows.compactMap { $0?.count }.max() ?? 0
        // A column is as wide as its widest cell, but for cells that no screen shows at once: one long text would fill each row with as many spaces.
        let widths = (0..<columns).map { column in
            rows.compactMap { row in row.flatMap { $0.indices.contains(column) ? $0[column].unicodeScalars.count : nil } }
                .filter { $0 <= widestColumn }.max() ?? 0
        }
        return zip(lines, rows).map { line, row in
            guard let row else { return TokenSpacing.text(of: line.tokens) }
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.unicodeScalars.count))
            }
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }
}

/// Why a file cannot be formatted.
public struct FormattingFailure: Error, Sendable {
    /// What is wrong with the file, in the order of its lines.
    public let diagnostics: [ScenarioDiagnostic]
}

private struct LineWriter {
    private var text = ""
    private var lastIsBlank = true

    mutating func line(_ content: String, comment: String?, indented: Bool) {
        text += (indented ? "    " : "") + content
        if let comment { text += comment.isEmpty ? "  #" : "  # \(comment)" }
        text += "\n"
        lastIsBlank = false
    }

    mutating func comment(_ comment: String, indented: Bool) {
        text += (indented ? "    " : "") + (comment.isEmpty ? "#" : "# \(comment)") + "\n"
        lastIsBlank = false
    }

    mutating func blank() {
        if !lastIsBlank { text += "\n" }
        lastIsBlank = true
    }

    mutating func trivia(_ trivia: [ScenarioDocument.Trivia], indented: Bool) {
        for item in trivia {
            switch item {
            case .blank: blank()
            case .comment(let comment): self.comment(comment, indented: indented)
            }
        }
    }

    func finish() -> String { text }
}
