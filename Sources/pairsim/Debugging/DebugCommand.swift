import Foundation

/// `pairsim debug`: a time-travel shell over one scenario.
///
/// With `--json` each command is answered by a line: the object that every command has, whose `result` has `position` (`branch`, `path` and `line` of the
/// next step, `steps` that are over, `isWithinStep`, `microseconds` since the first step, `events`, `outcome` of the whole run), `lines` (as a person
/// reads them), and what the command adds: `devices`, `events`, `steps`, `why`, `path`.
struct DebugCommand {
    let command: ParsedCommand
    let host: Host
    let engine: ScenarioEngine

    func run() throws(UsageError) -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color))
        let settings = try DebugSettings(command, files: host.files)
        var scenario: Scenario
        switch select(settings.operand, on: console) {
        case .success(let selected): scenario = selected
        case .failure(let status): return status.status
        }
        if let seed = settings.seed { scenario.seed = seed }
        let (engine, options) = (engine, settings.options)
        let result = engine.run(scenario, options)
        guard let timeline = Timeline(scenario, name: "", result: result) else {
            console.complain(
                "cannot run \(SafeText.line(scenario.name)): \(result.outcome.failure.map { SafeText.line($0.message) } ?? "it has no start")"
            )
            return .cannotRun
        }
        let files = host.files
        let shell = DebugShell(timeline, style: console.style, catalogs: engine.catalogs, isPersonal: console.isPersonal) { scenario in
            engine.run(scenario, options)
        } save: { path, text throws(DebugError) in
            do throws(FileError) {
                guard try files.create(Data(text.utf8), at: path) else {
                    throw FileError(path: path, reason: "it is there already; name another")
                }
            } catch {
                throw DebugError(error.text("write"))
            }
        }
        return converse(shell, settings, on: console)
    }

    // MARK: The scenario

    private struct Refusal: Error {
        let status: ExitStatus
    }

    private func select(_ operand: ScenarioOperand, on console: Console) -> Result<Scenario, Refusal> {
        let loaded = engine.load(operand.path)
        guard loaded.problems.isEmpty else {
            return .failure(Refusal(status: ExitStatus.foremost(ProblemText.show([loaded.problems], on: console))))
        }
        if let objection = operand.objection(to: engine) {
            console.complain("nothing selected: " + objection)
            return .failure(Refusal(status: .nothingSelected))
        }
        guard let scenario = operand.select(loaded.scenarios).first ?? (operand.row == nil ? loaded.scenarios.first : nil) else {
            console.complain(
                "nothing selected: \(SafeText.line(operand.path)) has \(Plural.of(loaded.scenarios.count, "row")), and none of number \(operand.row ?? 0)"
            )
            return .failure(Refusal(status: .nothingSelected))
        }
        if loaded.scenarios.count > 1, operand.row == nil, operand.line == nil {
            console.remark("this is row 1 of \(loaded.scenarios.count); \(SafeText.line(operand.path))[2] is the next")
        }
        return .success(scenario)
    }

    /// Whether the terminal says that it shows no more than ASCII.
    private var isASCII: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { host.environment[$0] }.first { !$0.isEmpty }
        return locale.map { !$0.lowercased().contains("utf") } ?? false
    }

    // MARK: The conversation

    private func converse(_ shell: DebugShell, _ settings: DebugSettings, on console: Console) -> ExitStatus {
        if let line = settings.operand.line, shell.timeline.scenario.row == nil {
            // A line without a step behind it: the start is as good a place.
            if let reply = try? shell.execute("until \(line)") { show(reply, shell, on: console) }
        }
        var commands = settings.commands[...]
        let isScripted = !commands.isEmpty
        let input = host.input
        let isInteractive = !isScripted && input.isInteractive && !console.isForPrograms
        if isInteractive { introduce(shell, on: console) }
        while !host.interruption.isRequested {
            let line: String
            if isScripted {
                guard let next = commands.popFirst() else { break }
                line = next
            } else {
                let timeline = shell.timeline
                guard let next = input.readLine(prompt: shell.prompt, complete: { DebugCompletion.candidates($0, timeline: timeline) })
                else { break }
                line = next
            }
            // An empty line of a script is no command; of a person it repeats the last motion.
            guard isInteractive || !line.allSatisfy(\.isWhitespace) else { continue }
            do throws(DebugError) {
                let reply = try shell.execute(line)
                show(reply, shell, on: console)
                if reply.isOver { break }
            } catch {
                complain(error, on: console)
                guard isInteractive else {
                    host.answer?.isOver = true
                    return .usage
                }
            }
        }
        host.answer?.isOver = true
        return host.interruption.isRequested ? .interrupted : .passed
    }

    private func introduce(_ shell: DebugShell, on console: Console) {
        let timeline = shell.timeline
        let outcome = timeline.result.outcome
        var line = "\(SafeText.line(timeline.scenario.name)): \(Plural.of(timeline.scenario.steps.count, "step")), \(outcome.word)"
        if let failed = timeline.failure { line += " at line \(failed.step.line)" }
        console.print(line + "; help lists the commands")
    }

    private func show(_ reply: DebugReply, _ shell: DebugShell, on console: Console) {
        guard let answer = host.answer else {
            for line in reply.lines { console.print(isASCII ? SafeText.ascii(line) : line) }
            return
        }
        var members = reply.members
        members["position"] = shell.position
        members["lines"] = .texts(reply.lines)
        answer.result = .object(members)
        host.output.write(answer.value(of: .debug, status: .passed).renderedLine())
        answer.startAnew()
    }

    private func complain(_ error: DebugError, on console: Console) {
        guard let answer = host.answer else {
            console.complain(SafeText.line(error.message) + (error.suggestion.map { "; did you mean: \(SafeText.line($0))" } ?? ""))
            return
        }
        answer.note(error: error.message, suggestion: error.suggestion)
        host.output.write(answer.value(of: .debug, status: .usage).renderedLine())
        answer.startAnew()
    }
}

/// What a command line of `debug` asks for.
private struct DebugSettings {
    let operand: ScenarioOperand
    let seed: UInt64?
    var options = RunOptions()
    let commands: [String]

    init(_ command: ParsedCommand, files: any FileAccess) throws(UsageError) {
        guard let path = command.operands.first, command.operands.count == 1 else {
            throw UsageError("debug needs one scenario file: pairsim debug FILE[:LINE]", command: .debug)
        }
        operand = ScenarioOperand(path) { (try? files.kind(of: $0)) != nil }
        seed = command.number(.seed)
        commands = command.texts(.do)
        options.seed = seed ?? RunSettings.defaultSeed
        if let order = command.number(.order), order > 0 { options.order = .seeded(order) }
        options.stuckAfter = try StuckAfter.seconds(of: command)
        options.story = StoryRequest(showsValues: true)
    }
}
