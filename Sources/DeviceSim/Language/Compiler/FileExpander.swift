import DeviceSimCore

/// Reads files, each once, and puts included lines and the contents of variables in their places.
final class FileExpander {
    private let files: ScenarioFiles
    let report: CompilerReport
    /// What was read; `nil` for what could not be, which was reported where it was first asked for.
    private var documents: [String: ScenarioDocument?] = [:]

    static let maximumDepth = 16
    /// The lines of a run, all inclusions counted.
    static let maximumLineCount = 100_000
    /// The words, numbers and signs of all runs of a file, with variables replaced by what they stand for.
    static let maximumTokenCount = 500_000
    private var tokenCount = 0
    /// The variables that lines of each file name, in any of its runs.
    private var used: Set<Variable> = []
    /// Where each file defines a variable, each once.
    private var defined: [Variable: SourceRange] = [:]

    /// A variable is one of its file's alone.
    private struct Variable: Hashable {
        let path: String
        let name: String
    }

    init(files: ScenarioFiles, report: CompilerReport) {
        self.files = files
        self.report = report
    }

    /// The root file. What is wrong with it is reported.
    func load(_ path: String) -> ScenarioDocument? {
        do throws(ScenarioDiagnostic) {
            return try read(path)
        } catch {
            report.add(error)
            return nil
        }
    }

    func read(_ path: String) throws(ScenarioDiagnostic) -> ScenarioDocument? {
        if let known = documents[path] { return known }
        documents[path] = .some(nil)
        let source = try SourceText(path: path, bytes: try files.read(path))
        report.add(source)
        let (document, diagnostics) = ScenarioParser.parse(source)
        for diagnostic in diagnostics { report.add(diagnostic) }
        documents[path] = document
        return document
    }

    /// All lines of a run, in order.
    /// - Parameters:
    ///   - variables: what is known from the start; `nil` stands for what is known and faulty.
    ///   - context: is told if lines that may introduce names could not be read.
    func expand(_ root: ScenarioDocument, variables: [String: [Token]?], context: LineContext) -> [ExpandedLine] {
        var expansion = Expansion(context: context)
        expand(root, scope: Scope(isRoot: true, stack: [root.path], includedFrom: [], variables: variables), into: &expansion)
        report.includedFrom = []
        return expansion.lines
    }

    // MARK: Lines

    struct Expansion {
        let context: LineContext
        var lines: [ExpandedLine] = []
        var lineCount = 0

        /// Notes that a line was lost, and with it what it may have introduced.
        func lost(_ head: String?) {
            if head == nil || ["key", "catalog", "include"].contains(head) { context.keysAreComplete = false }
            if head != "key", head != "catalog" { context.labelsAreComplete = false }
        }
    }

    struct Scope {
        let isRoot: Bool
        let stack: [String]
        let includedFrom: [SourceRange]
        var variables: [String: [Token]?]
        var phase: String?
        /// What the `include` gave for parameters.
        var arguments: [String: [Token]] = [:]

        /// Of the file.
        var path: String { stack.last ?? "" }
    }

    func expand(_ document: ScenarioDocument, scope outer: Scope, into expansion: inout Expansion) {
        var scope = outer
        for statement in document.statements {
            report.includedFrom = scope.includedFrom
            if report.isFull || tokenCount > Self.maximumTokenCount { return }
            expansion.lineCount += 1 + statement.block.count
            guard expansion.lineCount <= Self.maximumLineCount else {
                report.diagnose(
                    statement.range, "with all that is included, the scenario has more than \(Self.maximumLineCount) lines",
                    hint: "look for files that include each other's contents again and again")
                expansion.lost(nil)
                return
            }
            scope.phase = phase(of: statement, after: scope.phase)
            guard !statement.isBroken else {
                expansion.lost(Self.head(of: statement.tokens))
                continue
            }
            expand(statement, scope: &scope, into: &expansion)
        }
    }

    private func expand(_ statement: ScenarioDocument.Statement, scope: inout Scope, into expansion: inout Expansion) {
        if Self.head(of: statement.tokens) == "examples" {
            if !scope.isRoot {
                report.diagnose(statement.range, "a table of examples in an included file", hint: "it belongs into the file that is run")
            }
            return
        }
        guard let tokens = substitute(statement.tokens, in: scope) else {
            // What cannot be substituted may have introduced a name.
            let head = Self.head(of: statement.tokens)
            if head == "let" || head == "parameter", statement.tokens.count > 1 {
                scope.variables[statement.tokens[1].text] = .some(nil)
            } else {
                expansion.lost(head)
            }
            return
        }
        // A cell may be the words of a line, its first ones among them.
        let head = Self.head(of: tokens)
        switch head {
        case "let", "parameter", "include":
            if let child = statement.block.first {
                report.diagnose(child.range, "`\(head ?? "")` has no block", hint: "do not indent this line")
            }
            structure(tokens, scope: &scope, into: &expansion)
        default:
            let block = statement.block.compactMap { child -> ExpandedLine? in
                guard !child.isBroken, let tokens = substitute(child.tokens, in: scope) else {
                    expansion.lost("together")
                    return nil
                }
                return ExpandedLine(tokens: tokens, block: [], range: child.range, phase: scope.phase, includedFrom: scope.includedFrom)
            }
            expansion.lines.append(
                ExpandedLine(
                    tokens: tokens, block: block, range: statement.range, phase: scope.phase, includedFrom: scope.includedFrom))
        }
    }

    private static func head(of tokens: [Token]) -> String? {
        tokens.first.flatMap { $0.kind == .word ? $0.text : nil }
    }

    private func structure(_ tokens: [Token], scope: inout Scope, into expansion: inout Expansion) {
        var matcher = FormMatcher(tokens, in: expansion.context)
        let forms = Vocabulary.forms(of: [.structure], beginningWith: tokens[0].text)
        guard let (form, match) = matcher.match(forms), let meaning = form.build(match) else {
            if tokens[0].isWord("include") { expansion.lost("include") }
            if tokens.count > 1 { scope.variables[tokens[1].text] = .some(nil) }
            return
        }
        switch meaning {
        case .variable(let name, let value):
            defined[Variable(path: scope.path, name: name.text)] = name.range
            define(name, value, in: &scope)
        case .parameter(let name, let standard):
            defined[Variable(path: scope.path, name: name.text)] = name.range
            define(name, parameter: standard, in: &scope)
        case .include(let path, let arguments): include(path, arguments, scope: scope, into: &expansion)
        default: break
        }
    }

    /// The comment above a group of statements; the group ends at a blank line.
    private func phase(of statement: ScenarioDocument.Statement, after last: String?) -> String? {
        var comments: [String] = []
        var isBlankBetween = false
        for trivia in statement.leading {
            switch trivia {
            case .blank: isBlankBetween = true
            case .comment(let text):
                if isBlankBetween { comments = [] }
                isBlankBetween = false
                comments.append(text.trimmed)
            }
        }
        if !comments.isEmpty { return comments.joined(separator: " ") }
        return statement.leading.isEmpty ? last : nil
    }

    // MARK: Variables

    /// Reports the columns, variables and parameters of each file that no line of it names: whoever wrote them believes that they matter.
    /// - Parameter path: Of the file that has the columns.
    func refuseUnused(columns: [Token], of path: String) {
        report.includedFrom = []
        for column in columns where !used.contains(Variable(path: path, name: column.text)) {
            report.diagnose(
                column.range, "no line uses the column `\(column.text)`",
                hint: "write `$\(column.text)` where its cells belong, or take it out")
        }
        let unused = defined.filter { !used.contains($0.key) }.sorted { ($0.key.path, $0.value.line) < ($1.key.path, $1.value.line) }
        for (variable, range) in unused {
            let name = variable.name
            report.diagnose(
                range, "no line uses the variable `\(name)`", hint: "write `$\(name)` where its value belongs, or take the line out")
        }
    }

    private func define(_ name: Token, _ value: [Token]?, in scope: inout Scope) {
        guard !name.text.contains(where: { $0 == "." || $0 == "-" }) else {
            return report.diagnose(name.range, "a variable's name is letters, digits and `_`")
        }
        if scope.variables.keys.contains(name.text) {
            return report.diagnose(
                name.range, "there is a variable `\(name.text)` already", hint: "give it another name; a variable never changes")
        }
        scope.variables[name.text] = .some(value)
    }

    private func define(_ name: Token, parameter standard: [Token]?, in scope: inout Scope) {
        if scope.isRoot, standard == nil {
            report.diagnose(
                name.range, "the parameter `\(name.text)` has no value, as nothing includes this file",
                hint: "give it one to fall back on: `parameter \(name.text) = 100`")
        }
        // A missing argument was reported at the include.
        define(name, scope.arguments[name.text] ?? standard, in: &scope)
    }

    /// How many tokens a line has with its variables replaced.
    private func size(of tokens: [Token], in scope: Scope) -> Int {
        tokens.reduce(0) { size, token in
            guard case .variable(let name) = token.kind, case .some(.some(let value)) = scope.variables[name] else { return size + 1 }
            return size + value.count
        }
    }

    /// Counts what a line grows to. What it would be made of is not made where it is too much: lists of lists double with each line.
    private func spend(_ count: Int, at tokens: [Token]) -> Bool {
        let isFirst = tokenCount <= Self.maximumTokenCount
        tokenCount += count
        guard tokenCount > Self.maximumTokenCount else { return true }
        if isFirst, let first = tokens.first {
            report.diagnose(
                first.range, "with its variables replaced, the file grows beyond \(Self.maximumTokenCount) words, numbers and signs",
                hint: "a variable that is named in another is there as often as it is named; write `repeat(\"x\", 100000)` for a large text"
            )
        }
        return false
    }

    /// A variable that a text names: whoever writes that means its value.
    private static func variable(within text: String, among variables: [String: [Token]?]) -> String? {
        guard !variables.isEmpty, text.utf8.contains(UInt8(ascii: "$")) else { return nil }
        for part in text.split(separator: "$", omittingEmptySubsequences: false).dropFirst() {
            let name = String(part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            if variables.keys.contains(name) { return name }
        }
        return nil
    }

    /// - Returns: `nil` if a variable is unknown, which is reported, or stands for something faulty, which was.
    private func substitute(_ tokens: [Token], in scope: Scope) -> [Token]? {
        for token in tokens {
            guard case .string = token.kind, let name = Self.variable(within: token.text, among: scope.variables) else { continue }
            report.diagnose(
                token.range, "`$\(name)` is not replaced within quotation marks",
                hint: "write `$\(name)` without them, or `\\u0024\(name)` where these signs are meant")
            return nil
        }
        for token in tokens { if case .variable(let name) = token.kind { used.insert(Variable(path: scope.path, name: name)) } }
        guard tokens.contains(where: \.isVariable) else { return spend(tokens.count, at: tokens) ? tokens : nil }
        var result: [Token] = []
        var isComplete = true
        guard spend(size(of: tokens, in: scope), at: tokens) else { return nil }
        for token in tokens {
            guard case .variable(let name) = token.kind else {
                result.append(token)
                continue
            }
            switch scope.variables[name] {
            case .some(.some(let value)): result += value.map { $0.moved(to: token.range) }
            case .some(.none): isComplete = false
            case nil:
                let hint =
                    Suggestion.nearest(to: name, in: scope.variables.keys).map { "did you mean `$\($0)`?" }
                    ?? "define it above with `let \(name) = …`, or as a column of `examples`"
                report.diagnose(token.range, "there is no variable `$\(name)`", hint: hint)
                isComplete = false
            }
        }
        return isComplete ? result : nil
    }
}

extension Token {
    var isVariable: Bool { if case .variable = kind { true } else { false } }
}
