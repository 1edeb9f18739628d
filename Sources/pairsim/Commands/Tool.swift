/// The tool as a function: arguments in, text and an exit status out.
struct Tool {
    let host: Host
    let engine: ScenarioEngine

    /// - Parameter arguments: Without the name of the program.
    func run(_ arguments: [String]) -> ExitStatus {
        do throws(UsageError) {
            return try run(try ArgumentParser.parse(arguments))
        } catch {
            if arguments.isEmpty { host.errors.write(HelpText.overall() + "\n") }
            host.errors.write(error.text)
            return .usage
        }
    }

    private func run(_ command: ParsedCommand) throws(UsageError) -> ExitStatus {
        if command.has(.version) {
            host.output.write(HelpText.version + "\n")
            return .passed
        }
        if command.has(.help) {
            host.output.write(HelpText.of(CommandTable.command(command.name)))
            return .passed
        }
        if let obstacle = engine.obstacle, [.run, .explore].contains(command.name) {
            host.errors.write("pairsim: cannot run: \(obstacle).\n")
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
        case .new: return NewCommand(command: command, host: host).run()
        case .audit: return AuditCommand(command: command, host: host, engine: engine).run()
        case .completions:
            // The parser lets only names of shells through.
            guard let shell = command.operands.first.flatMap(Completions.Shell.init) else { return .usage }
            host.output.write(Completions.script(for: shell))
        case .help:
            let topic = command.operands.first.flatMap(CommandName.init)
            host.output.write(topic.map { HelpText.of(CommandTable.command($0)) } ?? HelpText.overall())
        }
        return .passed
    }
}
