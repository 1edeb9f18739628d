/// Reads a command line by the table of commands.
///
/// Options may stand anywhere after the command, as `--seed 1` or `--seed=1`, `-j 4` or `-j4`; everything after `--` is an operand.
struct ArgumentParser {
    private let arguments: [String]
    private var position = 0

    /// - Parameter arguments: Without the name of the program.
    static func parse(_ arguments: [String]) throws(UsageError) -> ParsedCommand {
        var parser = ArgumentParser(arguments: arguments)
        return try parser.parse()
    }

    private init(arguments: [String]) {
        self.arguments = arguments
    }

    private mutating func parse() throws(UsageError) -> ParsedCommand {
        guard let first = arguments.first else {
            throw UsageError("Say what to do, such as pairsim run")
        }
        if first == "--help" || first == "-h" { return ParsedCommand(name: .help) }
        guard first.first != "-" else { return try parseWithoutCommand(first) }
        guard let name = CommandName(rawValue: first) else { throw Self.unknownCommand(first) }
        position = 1
        return try parse(CommandTable.command(name))
    }

    /// `pairsim --version`, and options in front of the command.
    private mutating func parseWithoutCommand(_ first: String) throws(UsageError) -> ParsedCommand {
        if first == "--version" {
            var command = ParsedCommand(name: .help)
            command.add("", to: .version, isRepeatable: false)
            return command
        }
        let all = Self.allFlags
        let flag = String(first.prefix { $0 != "=" })
        if all.contains(flag) || first.count == 2 {
            throw UsageError("\(flag) stands before the command; name the command first, such as pairsim run \(flag)")
        }
        throw UsageError("There is no option \(flag)", suggestion: Suggestion.closest(to: flag, among: all))
    }

    private mutating func parse(_ spec: CommandSpec) throws(UsageError) -> ParsedCommand {
        var command = ParsedCommand(name: spec.name)
        var optionsEnded = false
        while position < arguments.count {
            let argument = arguments[position]
            position += 1
            if optionsEnded || argument == "-" || argument.first != "-" {
                command.operands.append(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try parseLong(argument, of: spec, into: &command)
            } else {
                try parseShort(argument, of: spec, into: &command)
            }
        }
        // Help is given whatever else is on the line.
        guard !command.has(.help), !command.has(.version) else { return command }
        try checkOperands(of: command, by: spec)
        if command.has(.quiet), command.has(.verbose) {
            throw UsageError("--quiet and --verbose exclude each other", command: spec.name)
        }
        return command
    }

    private mutating func parseLong(_ argument: String, of spec: CommandSpec, into command: inout ParsedCommand) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = (spec.options + CommandTable.common).first(where: { $0.flag == parts[0] }) else {
            throw Self.unknownOption(parts[0], of: spec)
        }
        if case .none = option.value {
            guard parts.count == 1 else { throw UsageError("\(option.flag) takes no value", suggestion: option.flag, command: spec.name) }
            command.add("", to: option.name, isRepeatable: false)
        } else {
            let value = parts.count == 2 ? parts[1] : try nextValue(for: option, of: spec)
            try Self.validate(value, of: option, in: spec)
            command.add(value, to: option.name, isRepeatable: option.isRepeatable)
        }
    }

    /// `-q`, `-j 4`, `-j4`, and switches together as in `-qv`.
    private mutating func parseShort(_ argument: String, of spec: CommandSpec, into command: inout ParsedCommand) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = (spec.options + CommandTable.common).first(where: { $0.short == letter }) else {
                throw Self.unknownOption(argument, of: spec)
            }
            if case .none = option.value {
                command.add("", to: option.name, isRepeatable: false)
                continue
            }
            if letters.first == "=" { letters.removeFirst() }
            let value = letters.isEmpty ? try nextValue(for: option, of: spec) : String(letters)
            try Self.validate(value, of: option, in: spec)
            command.add(value, to: option.name, isRepeatable: option.isRepeatable)
            return
        }
    }

    private mutating func nextValue(for option: OptionSpec, of spec: CommandSpec) throws(UsageError) -> String {
        // A lone dash is a value (standard output), anything longer that starts with one is the next option.
        guard position < arguments.count, arguments[position] == "-" || arguments[position].first != "-" else {
            throw UsageError(
                "\(option.flag) needs a value: \(option.flag) \(option.placeholder ?? "VALUE")", command: spec.name)
        }
        position += 1
        return arguments[position - 1]
    }
}
