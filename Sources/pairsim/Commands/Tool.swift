/// The tool as a function: arguments in, text and an exit status out.
struct Tool {
    let host: Host
    let engine: ScenarioEngine

    /// - Parameter arguments: Without the name of the program.
    func run(_ arguments: [String]) -> ExitStatus {
        guard Self.asksForJSON(arguments) else { return attempt(arguments) }
        let answer = JSONAnswer()
        var host = host
        host.answer = answer
        let status = Tool(host: host, engine: engine).attempt(arguments)
        // A command that answers line by line has said all.
        guard !answer.isOver else { return status }
        let command = arguments.lazy.compactMap(CommandName.init).first
        host.output.write(answer.value(of: command, status: status).rendered())
        return status
    }

    /// Also of a command line that nobody can read otherwise: its errors are to be read by a program too.
    private static func asksForJSON(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    private func attempt(_ arguments: [String]) -> ExitStatus {
        do throws(UsageError) {
            return try run(try ArgumentParser.parse(arguments))
        } catch {
            if let answer = host.answer {
                answer.note(error: error.message, suggestion: error.suggestion)
            } else {
                if arguments.isEmpty { host.errors.write(HelpText.overall() + "\n") }
                host.errors.write(error.text)
            }
            return .usage
        }
    }

    private func run(_ parsed: ParsedCommand) throws(UsageError) -> ExitStatus {
        let command = parsed.has(.version) || parsed.has(.help) ? parsed : try ProjectFile.applied(to: parsed, host: host)
        if command.has(.version) {
            say(HelpText.version + "\n", as: .object(["version": .text(HelpText.versionNumber)]))
            return .passed
        }
        if command.has(.help) {
            let spec = CommandTable.command(command.name)
            say(HelpText.of(spec), as: HelpText.json([spec]))
            return .passed
        }
        if let obstacle = engine.obstacle, [.run, .explore, .debug, .watch, .account].contains(command.name) {
            Console(host: host, colour: command.text(.color)).complain("cannot run: \(obstacle).")
            return .cannotRun
        }
        switch command.name {
        case .run:
            let settings = try RunSettings(command, cores: host.cores, environment: host.environment)
            return try RunCommand(settings: settings, host: host, engine: engine).run()
        case .explore:
            let settings = try ExploreSettings(command, cores: host.cores, environment: host.environment)
            return try ExploreCommand(settings: settings, host: host, engine: engine).run()
        case .merge: return try MergeCommand(command: command, host: host).run()
        case .check: return CheckCommand(command: command, host: host, engine: engine).run()
        case .list: return ListCommand(command: command, host: host, engine: engine).run()
        case .fmt: return FormatCommand(command: command, host: host, engine: engine).run()
        case .debug: return try DebugCommand(command: command, host: host, engine: engine).run()
        case .watch: return try WatchCommand(command: command, host: host, engine: engine).run()
        case .explain: return ExplainCommand(command: command, host: host).run()
        case .new: return NewCommand(command: command, host: host).run()
        case .account: return try AccountCommand(command: command, host: host, engine: engine).run()
        case .lsp: return try LanguageServerCommand(host: host, engine: engine).run()
        case .audit: return AuditCommand(command: command, host: host, engine: engine).run()
        case .observe: return ObserveCommand(command: command, host: host, engine: engine).run()
        case .completions:
            // The parser lets only names of shells through.
            guard let shell = command.operands.first.flatMap(Completions.Shell.init) else { return .usage }
            let script = Completions.script(for: shell)
            say(script, as: .object(["shell": .text(shell.rawValue), "script": .text(script)]))
        case .help:
            let topic = command.operands.first.flatMap(CommandName.init)
            say(
                topic.map { HelpText.of(CommandTable.command($0)) } ?? HelpText.overall(),
                as: HelpText.json(topic.map { [CommandTable.command($0)] } ?? CommandTable.commands))
        }
        return .passed
    }

    /// What stands in no other output.
    private func say(_ text: String, as json: @autoclosure () -> JSONValue) {
        guard let answer = host.answer else { return host.output.write(text) }
        answer.result = json()
    }
}
