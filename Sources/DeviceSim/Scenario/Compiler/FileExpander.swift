/// Reads files, each once, and puts included lines and the contents of variables in their places.
final class FileExpander {
    private let files: ScenarioFiles
    private let report: CompilerReport
    /// What was read; `nil` for what could not be, which was reported where it was first asked for.
    private var documents: [String: ScenarioDocument?] = [:]

    static let maximumDepth = 16
    /// The lines of a run, all inclusions counted.
    static let maximumLineCount = 100_000

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

    private func read(_ path: String) throws(ScenarioDiagnostic) -> ScenarioDocument? {
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

    private struct Expansion {
        let context: LineContext
        var lines: [ExpandedLine] = []
        var lineCount = 0

        /// Notes that a line was lost, and with it what it may have introduced.
        func lost(_ head: String?) {
            if head == nil || ["key", "catalog", "include"].contains(head) { context.keysAreComplete = false }
            if head != "key", head != "catalog" { context.labelsAreComplete = false }
        }
    }

    private struct Scope {
        let isRoot: Bool
        let stack: [String]
        let includedFrom: [SourceRange]
        var variables: [String: [Token]?]
        var phase: String?
        /// What the `include` gave for parameters.
        var arguments: [String: [Token]] = [:]
    }

    private func expand(_ document: ScenarioDocument, scope outer: Scope, into expansion: inout Expansion) {
        var scope = outer
        for statement in document.statements {
            report.includedFrom = scope.includedFrom
            expansion.lineCount += 1 + statement.block.count
            guard expansion.lineCount <= Self.maximumLineCount else {
                report.fault(
                    statement.range, "with all that is included, the scenario has more than \(Self.maximumLineCount) lines",
                    hint: "look for files that include each other's contents again and again")
                expansion.lost(nil)
                return
            }
            scope.phase = phase(of: statement, after: scope.phase)
            guard !statement.isBroken else {
                expansion.lost(Self.head(of: statement))
                continue
            }
            expand(statement, scope: &scope, into: &expansion)
        }
    }

    private func expand(_ statement: ScenarioDocument.Statement, scope: inout Scope, into expansion: inout Expansion) {
        let head = Self.head(of: statement)
        if head == "examples" {
            if !scope.isRoot {
                report.fault(statement.range, "a table of examples in an included file", hint: "it belongs into the file that is run")
            }
            return
        }
        guard let tokens = substitute(statement.tokens, in: scope) else {
            // What cannot be substituted may have introduced a name.
            if head == "let" || head == "parameter", statement.tokens.count > 1 {
                scope.variables[statement.tokens[1].text] = .some(nil)
            } else {
                expansion.lost(head)
            }
            return
        }
        switch head {
        case "let", "parameter", "include":
            if let child = statement.block.first {
                report.fault(child.range, "`\(head ?? "")` has no block", hint: "do not indent this line")
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

    private static func head(of statement: ScenarioDocument.Statement) -> String? {
        statement.tokens.first.flatMap { $0.kind == .word ? $0.text : nil }
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
        case .variable(let name, let value): define(name, value, in: &scope)
        case .parameter(let name, let standard): define(name, parameter: standard, in: &scope)
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

    private func define(_ name: Token, _ value: [Token]?, in scope: inout Scope) {
        guard !name.text.contains(where: { $0 == "." || $0 == "-" }) else {
            return report.fault(name.range, "a variable's name is letters, digits and `_`")
        }
        if scope.variables.keys.contains(name.text) {
            return report.fault(
                name.range, "there is a variable `\(name.text)` already", hint: "give it another name; a variable never changes")
        }
        scope.variables[name.text] = .some(value)
    }

    private func define(_ name: Token, parameter standard: [Token]?, in scope: inout Scope) {
        if scope.isRoot, standard == nil {
            report.fault(
                name.range, "the parameter `\(name.text)` has no value, as nothing includes this file",
                hint: "give it one to fall back on: `parameter \(name.text) = 100`")
        }
        // A missing argument was reported at the include.
        define(name, scope.arguments[name.text] ?? standard, in: &scope)
    }

    /// - Returns: `nil` if a variable is unknown, which is reported, or stands for something faulty, which was.
    private func substitute(_ tokens: [Token], in scope: Scope) -> [Token]? {
        guard tokens.contains(where: \.isVariable) else { return tokens }
        var result: [Token] = []
        var isComplete = true
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
                report.fault(token.range, "there is no variable `$\(name)`", hint: hint)
                isComplete = false
            }
        }
        return isComplete ? result : nil
    }

    // MARK: Including

    private func include(_ path: Token, _ arguments: [(name: Token, value: [Token])], scope: Scope, into expansion: inout Expansion) {
        guard case .string(let text) = path.kind, let target = resolve(text, at: path, from: scope) else {
            expansion.lost("include")
            return
        }
        var document: ScenarioDocument?
        let includedFrom = [path.range] + scope.includedFrom
        do throws(ScenarioDiagnostic) {
            report.includedFrom = includedFrom
            document = try read(target)
            report.includedFrom = scope.includedFrom
        } catch {
            report.includedFrom = scope.includedFrom
            report.fault(path.range, "`\(target)` cannot be included: \(error.message)", hint: "the path is relative to this file")
        }
        guard let document else {
            expansion.lost("include")
            return
        }
        guard let values = bind(arguments, to: document, at: path) else {
            expansion.lost("include")
            return
        }
        let inner = Scope(isRoot: false, stack: scope.stack + [target], includedFrom: includedFrom, variables: [:], arguments: values)
        expand(document, scope: inner, into: &expansion)
        report.includedFrom = scope.includedFrom
    }

    /// The path of the file meant, or `nil` for one that cannot be, which is reported.
    private func resolve(_ text: String, at path: Token, from scope: Scope) -> String? {
        guard !text.isEmpty, !text.hasPrefix("/"), !text.contains("\\") else {
            report.fault(path.range, "the path is relative to this file, with `/` between folders", hint: "such as \"../shared/keys.inc\"")
            return nil
        }
        let target = RelativePath.resolve(text, against: scope.stack.last ?? "")
        if scope.stack.contains(target) {
            let way = (scope.stack.drop { $0 != target } + [target]).joined(separator: " → ")
            report.fault(path.range, "the file includes itself", hint: way)
            return nil
        }
        guard scope.stack.count < Self.maximumDepth else {
            report.fault(path.range, "files include each other more than \(Self.maximumDepth) deep")
            return nil
        }
        return target
    }

    /// The arguments by name; `nil` if one is missing, unknown or given twice, which is reported.
    private func bind(
        _ arguments: [(name: Token, value: [Token])], to document: ScenarioDocument, at path: Token
    ) -> [String: [Token]]? {
        let parameters = document.statements.filter { $0.tokens.first?.isWord("parameter") == true && $0.tokens.count > 1 }
        let names = parameters.map { $0.tokens[1].text }
        var values: [String: [Token]] = [:]
        var isComplete = true
        for (name, value) in arguments {
            if !names.contains(name.text) {
                let hint = Suggestion.nearest(to: name.text, in: names).map { "did you mean `\($0)`?" }
                report.fault(
                    name.range, "`\(document.path)` has no parameter `\(name.text)`",
                    hint: hint ?? (names.isEmpty ? "it has none" : "it has \(Suggestion.list(names, last: "and"))"))
                isComplete = false
            } else if values.updateValue(value, forKey: name.text) != nil {
                report.fault(name.range, "the parameter `\(name.text)` is given twice")
                isComplete = false
            }
        }
        guard isComplete else { return nil }
        for parameter in parameters where parameter.tokens.count == 2 && values[parameter.tokens[1].text] == nil {
            let name = parameter.tokens[1].text
            report.fault(path.range, "`\(document.path)` needs the parameter `\(name)`", hint: "add `with \(name) …`")
            isComplete = false
        }
        return isComplete ? values : nil
    }
}

extension Token {
    var isVariable: Bool { if case .variable = kind { true } else { false } }
}

/// Paths of included files.
enum RelativePath {
    /// `path` as seen from the folder of `file`, without `.` and `..` where that is possible.
    static func resolve(_ path: String, against file: String) -> String {
        var parts = file.split(separator: "/", omittingEmptySubsequences: true).dropLast().map(String.init)
        for part in path.split(separator: "/", omittingEmptySubsequences: true).map(String.init) {
            switch part {
            case ".": break
            case ".." where parts.last.map({ $0 != ".." }) ?? false: parts.removeLast()
            default: parts.append(part)
            }
        }
        return (file.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
