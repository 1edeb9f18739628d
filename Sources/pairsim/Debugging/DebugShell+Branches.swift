/// What if: branches of a run, and keeping them.
extension DebugShell {
    func tryStep(_ rest: String) throws(DebugError) -> DebugReply {
        guard !rest.isEmpty else { throw DebugError("which step? Any of the language, such as try link up") }
        let lines = Self.lines(of: rest)
        let done = timeline.isWithinStep(at: place) ? timeline.doneSteps(at: place) + 1 : timeline.doneSteps(at: place)
        guard done == 0 || timeline.story.steps[done - 1].outcome == .passed else {
            throw DebugError("the run ended here; go back to before the failure", suggestion: "back")
        }
        let isRounded = timeline.isWithinStep(at: place)
        let steps = try compile(lines, in: timeline.scenario.replacing(steps: Array(timeline.scenario.steps[..<done])))
        guard !steps.isEmpty else { throw DebugError("that is no step") }
        let number = nextTryNumber()
        let placed = steps.map { step in
            ScenarioStep(
                step.action, range: SourceRange(path: "try", line: number, column: 1, length: max(1, step.source.count)),
                source: step.source,
                phase: step.phase, block: step.block)
        }
        let all = timeline.scenario.steps
        let scenario = timeline.scenario.replacing(steps: Array(all[..<done]) + placed + Array(all[done...]))
        let mask = TextMask(scenario, showsValues: true)
        let index = try runBranch(scenario, name: placed.map { mask.text(of: $0) }.joined(separator: "; "))
        let before = timeline.place(afterSteps: done)
        var reply = move(to: branches[index].place(afterSteps: done + placed.count), of: index)
        if isRounded { reply.lines.insert("the step that was under way has ended first", at: 0) }
        reply.lines += eventLines(timeline.events(from: min(before, timeline.last), through: place), limit: 12)
        reply.lines.append(style.paint("branch \(index); the rest of it \(outcomeText(timeline))", .dim))
        return reply
    }

    private func outcomeText(_ timeline: Timeline) -> String {
        guard let failed = timeline.failure else { return timeline.result.outcome.word }
        return "\(timeline.result.outcome.word) at \(SafeText.line(failed.step.path)):\(failed.step.line)"
    }

    private func runBranch(_ scenario: Scenario, name: String) throws(DebugError) -> Int {
        guard let timeline = Timeline(scenario, name: name, result: run(scenario)) else {
            throw DebugError("the branch cannot be run")
        }
        return add(timeline)
    }

    func branch(_ rest: String) throws(DebugError) -> DebugReply {
        if rest.isEmpty {
            let lines = branches.enumerated().map { index, timeline in
                let mark = index == branch ? "*" : " "
                let name = index == 0 ? "the file" : timeline.name
                return "\(mark) \(index)  \(SafeText.line(name.replacing("\n", with: "; ")))  " + style.paint(outcomeText(timeline), .dim)
            }
            return DebugReply(lines: lines)
        }
        if rest == "cut" {
            let done = timeline.doneSteps(at: place) + (timeline.isWithinStep(at: place) ? 1 : 0)
            guard done < timeline.scenario.steps.count else { throw DebugError("nothing follows this place") }
            let scenario = timeline.scenario.replacing(steps: Array(timeline.scenario.steps[..<done]))
            let index = try runBranch(scenario, name: "\(branch == 0 ? "the file" : timeline.name), cut after \(Plural.of(done, "step"))")
            return move(to: branches[index].last, of: index)
        }
        guard let number = Int(rest), branches.indices.contains(number) else {
            throw DebugError("there is no branch \"\(rest)\"; there are 0 to \(branches.count - 1)")
        }
        guard number != branch else { throw DebugError("this is branch \(number)") }
        // To the same place, or to where the two part.
        let (here, there) = (timeline.scenario.steps, branches[number].scenario.steps)
        let common = zip(here, there).prefix { $0 == $1 }.count
        return move(to: branches[number].place(afterSteps: min(common, timeline.doneSteps(at: place))), of: number)
    }

    // MARK: Saving

    func saveBranch(_ rest: String) throws(DebugError) -> DebugReply {
        guard !rest.isEmpty else { throw DebugError("save where? Name a file", suggestion: "save branch.scenario") }
        let text = branchText
        let compilation = ScenarioCompiler.compile(path: rest, files: .memory([rest: text]), catalogs: catalogs)
        if let problem = compilation.diagnostics.first {
            throw DebugError("the branch cannot be written as a scenario: \(problem.message)")
        }
        try save(rest, text)
        return DebugReply(
            lines: ["wrote \(SafeText.line(rest)): \(Plural.of(timeline.scenario.steps.count, "step"))"], members: ["path": .text(rest)])
    }

    /// The branch as a file.
    var branchText: String {
        let scenario = timeline.scenario
        let title = scenario.header.title.isEmpty ? "A run of \(scenario.name)." : scenario.header.title
        var header = [SafeText.line(title)]
        if branch > 0 { header.append("A branch of \(SafeText.line(scenario.name)).") }
        if !scenario.header.tags.isEmpty { header.append("Tags: \(scenario.header.tags.joined(separator: " "))") }
        return scenario.notation(header: header)
    }

    // MARK: Reading steps

    /// The steps that lines mean behind those of a scenario, whose keys and names they know.
    func compile(_ lines: [String], in scenario: Scenario) throws(DebugError) -> [ScenarioStep] {
        let base = scenario.notation(header: ["Base."])
        let baseCount = base.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        let path = "try"
        let compilation = ScenarioCompiler.compile(
            path: path, files: .memory([path: base + lines.joined(separator: "\n") + "\n"]), catalogs: catalogs)
        let problems = isPersonal ? compilation.diagnosticsAsWritten : compilation.diagnostics
        if let problem = problems.first(where: { $0.range.line > baseCount || $0.range.path != path }) ?? problems.first {
            guard problem.range.line > 0 else { throw DebugError("that is no step") }
            // A hint is a sentence, and nothing to type.
            throw DebugError([problem.message, problem.hint].compactMap(\.self).joined(separator: "; "))
        }
        guard let compiled = compilation.scenarios.first, compiled.keys.count == scenario.keys.count, compiled.start == scenario.start,
            compiled.knobs == scenario.knobs, compiled.seed == scenario.seed, compiled.order == scenario.order
        else {
            throw DebugError("a branch can have other steps, and no other keys or settings")
        }
        return Array(compiled.steps.dropFirst(scenario.steps.count))
    }

    /// The lines that stand between semicolons; those behind a line that takes a block belong to it.
    static func lines(of text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == ";", !isQuoted {
                parts.append(part)
                part = ""
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = isQuoted
            } else if character == "\"" {
                isQuoted.toggle()
            }
            part.append(character)
        }
        parts.append(part)
        var takesBlock = false
        return parts.map(\.trimmingWhitespace).filter { !$0.isEmpty }.map { line in
            if takesBlock { return "    " + line }
            takesBlock =
                line == "together"
                || ["in order", "in any order"].contains { line.hasPrefix("expect \($0)") || line.hasPrefix("never \($0)") }
            return line
        }
    }
}
