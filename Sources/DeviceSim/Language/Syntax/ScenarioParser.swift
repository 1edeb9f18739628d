/// Finds the layout of a scenario file: lines, blocks, comments. One pass, linear in the file's length.
public enum ScenarioParser {
    /// The words, numbers and signs of a file, and the lines of its comments: a hundred times as many as any file has that a person wrote.
    static let maximumTokenCount = 250_000

    /// - Returns: the document, also of a faulty file, and all that is wrong with its layout.
    public static func parse(_ source: SourceText) -> (document: ScenarioDocument, diagnostics: [ScenarioDiagnostic]) {
        var builder = DocumentBuilder(source)
        return builder.build()
    }
}

private struct DocumentBuilder {
    private let source: SourceText
    private var diagnostics: [ScenarioDiagnostic] = []
    private var headerLines: [String] = []
    private var headerRanges: [SourceRange] = []
    private var headerIsOpen = true
    private var tokenCount = 0
    private var statements: [ScenarioDocument.Statement] = []
    /// The statement whose block may still go on.
    private var open: Open?
    /// What was read since the last line with tokens.
    private var pending: [ScenarioDocument.Trivia] = []
    /// How many of ``pending`` come before the first comment or blank line that can only belong to the top level.
    private var pendingIndented = 0

    private struct Open {
        let leading: [ScenarioDocument.Trivia]
        let line: Lexer.Line
        var block: [ScenarioDocument.Statement] = []
        var trailing: [ScenarioDocument.Trivia] = []
    }

    init(_ source: SourceText) {
        self.source = source
    }

    mutating func build() -> (ScenarioDocument, [ScenarioDiagnostic]) {
        for number in source.lines.indices.map({ $0 + 1 }) {
            var lexer = Lexer(source, line: number)
            let line = lexer.lex()
            report(lexer.problems, line: number)
            tokenCount += line.tokens.count + (line.comment == nil ? 0 : 1)
            guard tokenCount <= ScenarioParser.maximumTokenCount else {
                refuseTheRest(from: number)
                break
            }
            if line.tokens.isEmpty && !line.isBroken {
                addTrivia(line, number: number)
            } else {
                headerIsOpen = false
                addStatement(line, number: number)
            }
        }
        close()
        while pending.last == .blank { pending.removeLast() }
        let header = HeaderReader.read(headerLines, ranges: headerRanges, source: source, into: &diagnostics)
        let document = ScenarioDocument(
            path: source.path, header: header, headerLines: headerLines, statements: statements, trailing: pending)
        return (document, diagnostics)
    }

    private mutating func refuseTheRest(from number: Int) {
        diagnostics.append(
            ScenarioDiagnostic(
                range: SourceRange(path: source.path, line: number, column: 1, length: 1),
                message: "the file has more than \(ScenarioParser.maximumTokenCount) words, numbers and signs",
                hint: "write large values as `repeat(\"x\", 100000)` or `data(100000 bytes)`, and several scenarios as several files"))
    }

    private mutating func addTrivia(_ line: Lexer.Line, number: Int) {
        guard let comment = line.comment else {
            if !headerLines.isEmpty { headerIsOpen = false }
            let isFirst = statements.isEmpty && open == nil && pending.isEmpty
            if !isFirst, pending.last != .blank { pending.append(.blank) }
            return
        }
        if headerIsOpen {
            headerLines.append(comment)
            let length = source.line(number)?.unicodeScalars.count ?? 1
            headerRanges.append(SourceRange(path: source.path, line: number, column: 1, length: length))
        } else {
            let isAbove = statements.isEmpty && open == nil
            if let field = HeaderReader.strayField(comment), isAbove || HeaderReader.strayCanary(comment),
                diagnostics.count < DiagnosticList.limit
            {
                let length = source.line(number)?.unicodeScalars.count ?? 1
                diagnostics.append(
                    ScenarioDiagnostic(
                        range: SourceRange(path: source.path, line: number, column: 1, length: length),
                        message: isAbove
                            ? "`\(field)` below the blank line that ends the header says nothing"
                            : "`\(field)` below the head of the file says nothing",
                        hint: "put it into the comment at the head of the file, with no blank line above it",
                        sourceLine: source.line(number)))
            }
            pending.append(.comment(comment))
            if line.isIndented, open != nil { pendingIndented = pending.count }
        }
    }

    private mutating func addStatement(_ line: Lexer.Line, number: Int) {
        if line.isIndented, open != nil {
            let child = ScenarioDocument.Statement(
                leading: takePending(), tokens: line.tokens, comment: line.comment, block: [], blockTrailing: [], isBroken: line.isBroken)
            open?.block.append(child)
            return
        }
        if line.isIndented, let first = line.tokens.first, diagnostics.count < DiagnosticList.limit {
            diagnostics.append(
                ScenarioDiagnostic(
                    range: first.range, message: "an indented line that belongs to nothing",
                    hint: "indent only what belongs to a `key`, `together`, `expect in order` or `examples` above it",
                    sourceLine: source.line(number)))
        }
        close()
        open = Open(leading: takePending(), line: line)
    }

    private mutating func takePending() -> [ScenarioDocument.Trivia] {
        defer {
            pending = []
            pendingIndented = 0
        }
        return pending
    }

    private mutating func close() {
        guard var current = open else { return }
        if !current.block.isEmpty {
            current.trailing = Array(pending.prefix(pendingIndented))
            pending.removeFirst(pendingIndented)
        }
        pendingIndented = 0
        open = nil
        statements.append(
            ScenarioDocument.Statement(
                leading: current.leading, tokens: current.line.tokens, comment: current.line.comment, block: current.block,
                blockTrailing: current.trailing, isBroken: current.line.isBroken))
    }

    private mutating func report(_ problems: [Lexer.Problem], line number: Int) {
        guard !problems.isEmpty, diagnostics.count < DiagnosticList.limit else { return }
        let text = source.line(number)
        for problem in problems {
            diagnostics.append(
                ScenarioDiagnostic(range: problem.range, message: problem.message, hint: problem.hint, sourceLine: text))
        }
    }
}
