/// Collects what is wrong while a file is compiled, with the lines at fault and the way they were included.
final class CompilerReport {
    private let rootPath: String
    private var list = DiagnosticList()
    private var sources: [String: SourceText] = [:]
    /// The line that was asked for last: a long line can have many errors, and needs to be there once.
    private var lastLine: (path: String, number: Int, text: String?)?
    /// Where the line at hand was included from, innermost first.
    var includedFrom: [SourceRange] = []

    init(rootPath: String) {
        self.rootPath = rootPath
    }

    var isEmpty: Bool { list.isEmpty }
    var isFull: Bool { list.isFull }
    var sorted: [ScenarioDiagnostic] { list.sorted(rootPath: rootPath) }

    func add(_ source: SourceText) { sources[source.path] = source }

    func diagnose(_ range: SourceRange, _ message: String, hint: String? = nil) {
        add(ScenarioDiagnostic(range: range, message: message, hint: hint, sourceLine: line(at: range)))
    }

    private func line(at range: SourceRange) -> String? {
        if let lastLine, lastLine.path == range.path, lastLine.number == range.line { return lastLine.text }
        let text = sources[range.path]?.line(range.line)
        lastLine = (range.path, range.line, text)
        return text
    }

    func add(_ diagnostic: ScenarioDiagnostic) {
        var diagnostic = diagnostic
        diagnostic.includedFrom = includedFrom
        list.append(diagnostic)
    }

    func faultFile(_ path: String, isEmpty: Bool) {
        add(
            .file(
                path, isEmpty ? "the file is empty" : "the file has comments and nothing else",
                hint: "a scenario is steps such as `phone set theme \"dark\"`, one to a line; see Scenarios/GRAMMAR.md"))
    }

    /// The lines of all files that define what others use: variables, rows of tables, inclusions.
    var definitions: [String] {
        sources.sorted { $0.key < $1.key }.flatMap { _, source in
            (1...max(1, source.lineCount)).compactMap(source.line).filter { line in
                let start = line.drop { $0 == " " || $0 == "\t" }
                return start.hasPrefix("|") || ["let", "parameter", "include"].contains(start.prefix { $0 != " " && $0 != "\t" })
            }
        }
    }

    /// What stands at a range of a file, as written.
    func text(at range: SourceRange) -> String {
        guard let line = sources[range.path]?.line(range.line) else { return "" }
        // Most lines are ASCII, where columns are bytes.
        if line.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(Substring(line.utf8.dropFirst(range.column - 1).prefix(range.length)))
        }
        return String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(range.column - 1).prefix(range.length)))
    }
}
