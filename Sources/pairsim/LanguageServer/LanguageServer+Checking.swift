import Foundation

/// Diagnostics, formatting, and running a scenario.
extension LanguageServer {
    private enum Severity: Int64 { case error = 1, information = 3 }

    // MARK: Diagnostics

    /// What is wrong with each open file; one may include another, so a change of one may concern all.
    func publishAll() {
        for uri in documents.keys.sorted() { publish(uri) }
    }

    private func publish(_ uri: String) {
        guard let document = documents[uri] else { return }
        var diagnostics = problems(of: document).prefix(200).map { problem -> JSONValue in
            let place =
                problem.range.path == document.path && problem.range.line > 0
                ? problem.range : problem.includedFrom.first { $0.path == document.path }
            let prefix = problem.range.path == document.path ? "" : "\(problem.range.path):\(problem.range.line): "
            let text = prefix + problem.message + (problem.hint.map { "\n\($0)" } ?? "")
            return diagnostic(place.map(document.range) ?? document.range(ofLine: 0), .error, "pairsim", text)
        }
        for row in document.results.keys.sorted() {
            guard let result = document.results[row], let line = result.line else { continue }
            diagnostics.append(diagnostic(document.range(ofLine: line - 1), .error, "pairsim run", result.message))
        }
        notify("textDocument/publishDiagnostics", ["uri": .text(uri), "diagnostics": .list(Array(diagnostics))])
    }

    private func diagnostic(_ range: JSONValue, _ severity: Severity, _ source: String, _ message: String) -> JSONValue {
        .object(["range": range, "severity": .number(severity.rawValue), "source": .text(source), "message": .text(message)])
    }

    /// As the file has it: the person sees it before him. Of a file that is only included, what can be said without those that include it.
    private func problems(of document: ServedDocument) -> [ScenarioDiagnostic] {
        guard !document.path.hasSuffix(".inc") else {
            do throws(ScenarioDiagnostic) {
                return ScenarioParser.parse(try SourceText(path: document.path, bytes: Array(document.text.utf8))).diagnostics
            } catch {
                return [error]
            }
        }
        return engine.compile(document.path, texts).diagnosticsAsWritten
    }

    // MARK: Formatting

    /// One edit, or none; `null` for a text that does not parse.
    func formatting(of document: ServedDocument) -> JSONValue {
        guard let source = try? SourceText(path: document.path, bytes: Array(document.text.utf8)),
            case .success(let formatted) = ScenarioFormatter.format(source)
        else { return .null }
        guard formatted != document.text else { return .list([]) }
        return .list([.object(["range": document.whole, "newText": .text(formatted)])])
    }

    // MARK: Running

    /// One lens above the file, or one at each row of its examples, with what came of the last run.
    func lenses(of document: ServedDocument) -> [JSONValue] {
        guard !document.path.hasSuffix(".inc") else { return [] }
        let scenarios = engine.compile(document.path, texts).scenarios
        let rows = scenarios.enumerated().filter { $0.element.rowLine != nil }
        let places = rows.isEmpty ? [(row: 0, line: 0)] : rows.map { (row: $0.offset + 1, line: ($0.element.rowLine ?? 1) - 1) }
        return places.prefix(500).map { row, line in
            let title =
                document.results[row].map { "\($0.hasPassed ? "✓" : "✗") \($0.text), run again" }
                ?? (row == 0 ? "run this scenario" : "run this row")
            return .object([
                "range": document.range(ofLine: line),
                "command": .object([
                    "title": .text(title), "command": .text(Self.runCommand),
                    "arguments": .list([.text(document.uri)] + (row == 0 ? [] : [.number(Int64(row))])),
                ]),
            ])
        }
    }

    /// `pairsim.run` with the file's address, and the row where one is meant. The answer has `passed` and `text`, and where it failed `line` (from 1).
    func execute(_ parameters: [String: JSONValue]) throws(Refusal) -> JSONValue {
        guard case .text(let command)? = parameters["command"], command == Self.runCommand else {
            throw .wrongParameters("there is no such command")
        }
        guard case .list(let arguments)? = parameters["arguments"], case .text(let uri)? = arguments.first, let document = documents[uri]
        else {
            throw .wrongParameters("\(Self.runCommand) takes the address of an open file")
        }
        var row = 0
        if arguments.count > 1, case .number(let number) = arguments[1] { row = Int(clamping: number) }
        if let obstacle = engine.obstacle { throw Refusal(code: -32803, message: "cannot run: \(obstacle)") }
        let compilation = engine.compile(document.path, texts)
        let result: ServedDocument.RunResult
        if compilation.scenarios.isEmpty {
            result = .init(hasPassed: false, text: "does not parse")
        } else {
            guard row == 0 || row > 0 && compilation.scenarios.indices.contains(row - 1) else {
                throw .wrongParameters("there is no row \(row)")
            }
            result = run(row == 0 ? compilation.scenarios : [compilation.scenarios[row - 1]], of: document)
        }
        documents[uri]?.results[row] = result
        publish(uri)
        refreshLenses()
        var members: [String: JSONValue] = ["passed": .flag(result.hasPassed), "text": .text(result.text)]
        if let line = result.line { members["line"] = .number(Int64(line)) }
        return .object(members)
    }

    private func run(_ scenarios: [Scenario], of document: ServedDocument) -> ServedDocument.RunResult {
        for scenario in scenarios {
            let result = engine.run(scenario, RunOptions())
            guard let failure = result.outcome.failure else { continue }
            // A canary that fails as it must has passed.
            let isCanary = scenario.header.canary.map { $0 == Int(result.outcome.status.rawValue) } ?? false
            if isCanary, result.canaryObjection == nil { continue }
            let step = scenario.steps.first { $0.range.line == failure.line && $0.range.path == failure.path }
            let mask = TextMask(scenario, showsValues: true)
            func shown(_ text: String) -> String { step.map { mask.text(text, of: $0.action) } ?? text }
            var message = (result.canaryObjection.map { "\($0): " } ?? "") + failure.message
            if let expected = failure.expected { message += "\nexpected: \(shown(expected))" }
            if let actual = failure.actual { message += "\nactual:   \(shown(actual))" }
            let line = failure.path == document.path ? failure.line : nil
            return .init(
                hasPassed: false, text: failure.line.map { "\(result.outcome.word) at line \($0)" } ?? result.outcome.word, line: line ?? 1,
                message: message)
        }
        let canaries = scenarios.filter { $0.header.canary != nil }
        let isCanaryGreen = canaries.allSatisfy { engine.run($0, RunOptions()).outcome.failure != nil }
        guard isCanaryGreen else {
            return .init(hasPassed: false, text: "this canary must fail, and passed", line: 1, message: "this canary must fail, and passed")
        }
        return .init(hasPassed: true, text: "passed")
    }
}

extension ScenarioResult.Outcome {
    fileprivate var status: ExitStatus {
        switch self {
        case .passed: .passed
        case .failed: .failed
        case .didNotSettle: .didNotSettle
        case .notDeterministic: .notDeterministic
        case .cannotRun: .cannotRun
        }
    }
}
