import DeviceSimCore

/// Including other files.
extension FileExpander {
    func include(_ path: Token, _ arguments: [(name: Token, value: [Token])], scope: Scope, into expansion: inout Expansion) {
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
            report.diagnose(path.range, "`\(target)` cannot be included: \(error.message)", hint: "the path is relative to this file")
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
            report.diagnose(
                path.range, "the path is relative to this file, with `/` between folders", hint: "such as \"../shared/keys.inc\"")
            return nil
        }
        let target = RelativePath.resolve(text, against: scope.stack.last ?? "")
        if scope.stack.contains(target) {
            let way = (scope.stack.drop { $0 != target } + [target]).joined(separator: " → ")
            report.diagnose(path.range, "the file includes itself", hint: way)
            return nil
        }
        // Such as "." and "..": nothing is left of the path then.
        guard !target.isEmpty else {
            report.diagnose(path.range, "`\(text)` is a folder, and only a file can be included", hint: "such as \"../shared/keys.inc\"")
            return nil
        }
        guard scope.stack.count < Self.maximumDepth else {
            report.diagnose(path.range, "files include each other more than \(Self.maximumDepth) deep")
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
        let given = Set(arguments.map(\.name.text))
        for (name, value) in arguments {
            if value.first?.isSign("=") == true || value.first?.isSign(":") == true {
                report.diagnose(
                    value[0].range, "between a parameter and what it stands for is nothing", hint: "such as `with \(name.text) 5`")
                isComplete = false
            }
            let next = value.dropFirst().dropLast().first { $0.kind == .word && names.contains($0.text) && !given.contains($0.text) }
            if let next {
                report.diagnose(
                    next.range, "`\(next.text)` is a parameter, and stands in what `\(name.text)` is to be",
                    hint: "a comma goes before it: `, \(next.text) …`")
                isComplete = false
            }
            if !names.contains(name.text) {
                let hint = Suggestion.nearest(to: name.text, in: names).map { "did you mean `\($0)`?" }
                report.diagnose(
                    name.range, "`\(document.path)` has no parameter `\(name.text)`",
                    hint: hint ?? (names.isEmpty ? "it has none" : "it has \(Suggestion.list(names, last: "and"))"))
                isComplete = false
            } else if values.updateValue(value, forKey: name.text) != nil {
                report.diagnose(name.range, "the parameter `\(name.text)` is given twice")
                isComplete = false
            }
        }
        guard isComplete else { return nil }
        for parameter in parameters where parameter.tokens.count == 2 && values[parameter.tokens[1].text] == nil {
            let name = parameter.tokens[1].text
            report.diagnose(path.range, "`\(document.path)` needs the parameter `\(name)`", hint: "add `with \(name) …`")
            isComplete = false
        }
        return isComplete ? values : nil
    }
}
