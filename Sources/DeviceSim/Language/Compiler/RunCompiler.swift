import DeviceSimCore
import LocalData

/// Makes one run of a scenario file.
final class RunCompiler {
    let context: LineContext
    private let expander: FileExpander
    private let report: CompilerReport
    private let catalogs: [String: any StorageKeyCatalog]
    private var start = StartState()
    /// Before any line of the file changes it.
    private var freshStart = StartState()
    private var startChanges: [StartChange] = []
    private var startAspects: [String: SourceRange] = [:]
    private var knobs = Knobs()
    private var knobPlaces: [String: SourceRange] = [:]
    private var seed: (value: UInt64, range: SourceRange)?
    private var order: (value: ReadyOrder, range: SourceRange)?
    private var catalogNames: [String] = []
    private var steps: [ScenarioStep] = []
    private var lastAt: VirtualDuration?
    private(set) var keys: [ScenarioKey] = []
    /// Whether a declaration may have been lost.
    private(set) var areKeysComplete = true

    init(expander: FileExpander, report: CompilerReport, catalogs: [String: any StorageKeyCatalog], budget: Int) {
        self.expander = expander
        self.report = report
        self.catalogs = catalogs
        context = LineContext { [report] in report.diagnose($0, $1, hint: $2) }
        context.budget = budget
    }

    func compile(
        _ document: ScenarioDocument, name: String, header: ScenarioHeader, row: String?, variables: [String: [Token]?]
    ) -> Scenario {
        let lines = expander.expand(document, variables: variables, context: context)
        if lines.contains(where: { $0.head == "start" && $0.tokens.count == 3 && $0.tokens[1].isWord("second") }) {
            context.devices.append(.watch2)
            start.watch2 = StartState.Device()
            freshStart = start
        }
        keys = compileKeys(lines)
        context.catalogs = Set(keys.compactMap { $0.declaration?.catalog } + catalogNames + [KeyDeclaration.defaultCatalog]).sorted()
        areKeysComplete = context.keysAreComplete && lines.count { $0.head == "key" } <= keys.count
        noteNames()
        for line in lines where line.head != "key" && line.head != "catalog" {
            if report.isFull { break }
            report.includedFrom = line.includedFrom
            compile(line)
        }
        report.includedFrom = []
        if steps.isEmpty, report.isEmpty {
            report.add(
                .file(
                    document.path, "the file has no step",
                    hint: "a step is such as `phone set theme \"dark\"`; files that are only included end in `.inc`"))
        }
        return Scenario(
            name: name, path: document.path, header: header, row: row, keys: keys, catalogs: catalogNames, start: start, knobs: knobs,
            seed: seed?.value, order: order?.value, steps: steps)
    }

    // MARK: Keys

    /// What steps can name of the keys beside what the file calls them.
    private func noteNames() {
        context.keysAreComplete = areKeysComplete
        for key in keys { context.storedNames[key.name] = key.identifier }
        guard areKeysComplete, keys.allSatisfy({ $0.declaration != nil }) else { return }
        let declarations = keys.compactMap(\.declaration)
        context.keyMaterialSources = Set(
            declarations.flatMap { [$0.security] + $0.formerSecurity }.compactMap { security in
                if case .encrypted(.external(let source, _)) = security { source.id } else { nil }
            })
    }

    private func compileKeys(_ lines: [ExpandedLine]) -> [ScenarioKey] {
        var keys = KeyCompiler(report: report, context: context)
        var unknownCount = 0
        for line in lines {
            report.includedFrom = line.includedFrom
            switch line.head {
            case "key": keys.add(line)
            case "catalog": catalog(line, into: &keys)
            case let head?:
                // What is mistyped is reported when its turn comes; what it meant to declare is not unknown.
                guard Vocabulary.forms(of: Form.Topic.topLevel, beginningWith: head).isEmpty else { break }
                // Nobody reads about more of them, so nobody has to know what they were meant to be.
                unknownCount += 1
                guard unknownCount <= DiagnosticList.limit else { break }
                if Self.isMistyped(head, for: ["key"]) { keys.addFaulty(line) }
                if Self.isMistyped(head, for: ["catalog", "include"]) { context.keysAreComplete = false }
            case nil: break
            }
        }
        return keys.resolve()
    }

    private func catalog(_ line: ExpandedLine, into keys: inout KeyCompiler) {
        refuseBlock(of: line)
        var matcher = FormMatcher(line.tokens, in: context)
        guard let (form, match) = matcher.match(Vocabulary.forms(of: [.structure], beginningWith: "catalog")),
            case .catalog(let name)? = form.build(match)
        else {
            context.keysAreComplete = false
            return
        }
        guard let catalog = catalogs[name.text] else {
            context.keysAreComplete = false
            let hint =
                catalogs.isEmpty
                ? "catalogs are written in Swift; this file runs only in a test that registers `\(name.text)`"
                : Suggestion.nearest(to: name.text, in: catalogs.keys).map { "did you mean `\($0)`?" }
                    ?? "registered are \(Suggestion.list(catalogs.keys.sorted(), last: "and"))"
            return report.diagnose(name.range, "no catalog `\(name.text)` is registered", hint: hint)
        }
        guard !catalogNames.contains(name.text) else { return report.diagnose(name.range, "the catalog `\(name.text)` is named already") }
        catalogNames.append(name.text)
        keys.add(catalog, named: name)
    }

    private static func isMistyped(_ head: String, for words: [String]) -> Bool {
        Suggestion.nearest(to: head, in: Vocabulary.firstWords(of: Form.Topic.topLevel)).map(words.contains) ?? false
    }

    // MARK: Lines

    private func compile(_ line: ExpandedLine) {
        guard let meaning = meaning(of: line, topics: Form.Topic.topLevel, place: nil) else { return }
        switch meaning {
        case .step(let action):
            refuseBlock(of: line)
            checkTime(action, line: line)
            append(action, line: line)
        case .together:
            let inner = together(line)
            if !inner.isEmpty { append(.together(inner), line: line) }
        case .eventBlock(let inOrder, let timing, let since):
            let patterns = eventPatterns(line)
            if !patterns.isEmpty {
                append(.expect(Expectation(inOrder ? .inOrder(patterns) : .inAnyOrder(patterns), timing: timing, since: since)), line: line)
            }
        case .start(let change):
            refuseBlock(of: line)
            apply(change, line: line)
        case .knob(let knob, let setting):
            refuseBlock(of: line)
            guard isBeforeSteps(line) else { return }
            if let earlier = knobPlaces.updateValue(line.range, forKey: knob.name) {
                return report.diagnose(line.range, "the knob `\(knob.name)` is set already, at line \(earlier.line)")
            }
            _ = knobs.set(knob, to: setting)
        case .seed(let value):
            refuseBlock(of: line)
            guard isBeforeSteps(line) else { return }
            if let seed { return report.diagnose(line.range, "there is a seed already, at line \(seed.range.line)") }
            seed = (value, line.range)
        case .order(let value):
            refuseBlock(of: line)
            guard isBeforeSteps(line) else { return }
            if let order { return report.diagnose(line.range, "there is an order already, at line \(order.range.line)") }
            order = (value, line.range)
        default: break
        }
    }

    private func append(_ action: ScenarioStep.Action, line: ExpandedLine) {
        steps.append(step(action, line: line))
    }

    private func step(_ action: ScenarioStep.Action, line: ExpandedLine) -> ScenarioStep {
        ScenarioStep(
            action, range: line.range, source: report.text(at: line.range), phase: line.phase,
            block: line.block.map { ScenarioStep.Line(range: $0.range, source: report.text(at: $0.range)) }
        ).included(from: line.includedFrom)
    }

    /// - Parameter place: what the line stands in, for messages; `nil` at the top level.
    private func meaning(of line: ExpandedLine, topics: Set<Form.Topic>, place: String?) -> Meaning? {
        guard let first = line.tokens.first else { return nil }
        let forms = first.kind == .word ? Vocabulary.forms(of: topics, beginningWith: first.text) : []
        guard !forms.isEmpty else {
            unknownHead(first, before: line.tokens.dropFirst().first, topics: topics, place: place)
            return nil
        }
        var matcher = FormMatcher(line.tokens, in: context)
        if let place, !matcher.fitsOne(of: forms), matcher.fitsOne(of: Vocabulary.forms(of: Form.Topic.topLevel, beginningWith: first.text))
        {
            let words = line.tokens.prefix(3).map(\.text).joined(separator: " ")
            report.diagnose(
                line.range, "a step that begins with `\(words)` cannot stand in \(place)",
                hint: "do not indent it, to make it a step of its own")
            return nil
        }
        guard let (form, match) = matcher.match(forms) else {
            if line.head == "mark" || line.tokens.contains(where: { $0.isWord("as") }) { context.labelsAreComplete = false }
            return nil
        }
        return form.build(match)
    }

    /// What a device does stands behind the device, and here before it, or without one.
    private func deviceVerb(_ token: Token, followedBy second: Token?) -> String? {
        guard token.kind == .word else { return nil }
        let isOfDevice = second.flatMap { DeviceID(scenarioName: $0.text) } != nil
        let device = isOfDevice ? second?.text ?? "" : DeviceID.phone.description
        guard Vocabulary.forms(of: Form.Topic.topLevel, beginningWith: device).contains(where: { $0.verb == token.text }) else {
            return nil
        }
        return "the device comes first: `\(device) \(token.text) …`"
    }

    private func unknownHead(_ token: Token, before second: Token?, topics: Set<Form.Topic>, place: String?) {
        let words = Vocabulary.firstWords(of: topics)
        if token.kind == .word, !Vocabulary.forms(of: Set(Form.Topic.allCases), beginningWith: token.text).isEmpty {
            let where_ = place.map { "in \($0)" } ?? "by itself"
            let hint =
                place == nil
                ? "it belongs into an indented block, such as that of a `key`" : "do not indent it, to make it a step of its own"
            return report.diagnose(token.range, "`\(token.text)` cannot stand \(where_)", hint: hint)
        }
        let verb = deviceVerb(token, followedBy: second)
        report.diagnose(
            token.range, token.kind == .word ? "no line begins with `\(token.shortText)`" : "a line cannot begin with `\(token.shortText)`",
            hint: verb ?? Suggestion.meant(by: token.text) ?? Suggestion.nearest(to: token.text, in: words).map { "did you mean `\($0)`?" }
                ?? "lines begin with \(Suggestion.list(words, limit: 24))")
    }

    // MARK: Blocks

    private func together(_ line: ExpandedLine) -> [ScenarioStep] {
        guard !line.block.isEmpty else {
            report.diagnose(line.range, "`together` without steps", hint: "write them below it, indented")
            return []
        }
        return line.block.compactMap { child in
            guard case .step(let action)? = meaning(of: child, topics: [.device, .link, .session, .transfer, .data], place: "`together`")
            else {
                return nil
            }
            return step(action, line: child)
        }
    }

    private func eventPatterns(_ line: ExpandedLine) -> [EventPattern] {
        guard !line.block.isEmpty else {
            report.diagnose(line.range, "which events?", hint: "write them below it, indented, such as `watch context.delivered`")
            return []
        }
        return line.block.compactMap { child in
            guard case .eventPattern(let pattern)? = meaning(of: child, topics: [.event], place: "a block of events") else { return nil }
            return pattern
        }
    }

    private func refuseBlock(of line: ExpandedLine) {
        guard let child = line.block.first else { return }
        report.diagnose(
            child.range, "`\(line.tokens.prefix(3).map(\.text).joined(separator: " "))` has no block", hint: "do not indent this line")
    }

    // MARK: Start and order

    private func isBeforeSteps(_ line: ExpandedLine) -> Bool {
        guard let first = steps.first else { return true }
        report.diagnose(
            line.range, "`\(line.head ?? "")` must stand before the first step, which is at line \(first.range.line)",
            hint: "move this line above it")
        return false
    }

    private func apply(_ change: StartChange, line: ExpandedLine) {
        guard isBeforeSteps(line) else { return }
        for name in change.devices.isEmpty ? ["the link"] : change.devices.map(\.description) {
            if let earlier = startAspects.updateValue(line.range, forKey: "\(name) \(change.aspect)") {
                return report.diagnose(
                    line.range, "the start says this of \(name) already, at line \(earlier.line)", hint: "remove one of the two")
            }
        }
        // In whatever order they stand: how the app was launched is said of what the others leave there.
        let changes = startChanges + [change]
        var changed = freshStart
        for change in changes.filter({ !$0.isOfLaunch }) + changes.filter(\.isOfLaunch) { change.apply(&changed) }
        for device in change.devices {
            if let contradiction = changed[device].contradiction { return report.diagnose(line.range, "\(device): \(contradiction)") }
        }
        startChanges = changes
        start = changed
    }

    private func checkTime(_ action: ScenarioStep.Action, line: ExpandedLine) {
        guard case .time(.at(let time)) = action else { return }
        if let last = lastAt, time < last {
            report.diagnose(line.range, "time does not go back: `at \(last)` was before", hint: "use `wait` for a time from now")
        }
        lastAt = max(time, lastAt ?? time)
    }
}
