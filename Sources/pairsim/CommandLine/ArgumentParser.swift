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
        // A lone dash is a value (standard output), a number below zero a wrong one; anything else that starts with one is the next option.
        guard position < arguments.count, arguments[position].first != "-" || arguments[position].dropFirst().allSatisfy(\.isNumber) else {
            throw UsageError(
                "\(option.flag) needs a value: \(option.flag) \(option.placeholder ?? "VALUE")", command: spec.name)
        }
        position += 1
        return arguments[position - 1]
    }
}

extension ArgumentParser {
    /// Decimal, or hexadecimal after `0x`; digits may be grouped with `_`.
    static func number(_ text: String) -> UInt64? {
        let digits = text.filter { $0 != "_" }
        guard let first = text.first, first.isASCII, first.isNumber else { return nil }
        return digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    }

    static func validate(_ value: String, of option: OptionSpec, in spec: CommandSpec) throws(UsageError) {
        switch option.value {
        case .none:
            return
        case .number(let range):
            guard let number = number(value), range.contains(number) else {
                let bounds = range.upperBound == .max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
                throw UsageError("\(option.flag) needs a whole number \(bounds), not \"\(value)\"", command: spec.name)
            }
        case .text(let placeholder), .path(let placeholder):
            guard !value.isEmpty else {
                throw UsageError("\(option.flag) needs a value: \(option.flag) \(placeholder)", command: spec.name)
            }
        case .share:
            guard Shard(notation: value, origin: "") != nil else {
                throw UsageError(
                    "\(option.flag) needs I/N, shard I of N with I from 1 to N and N up to \(Shard.maximumCount), such as 1/4, not \"\(value)\"",
                    command: spec.name)
            }
        case .choice(let words):
            guard words.contains(value) else {
                throw UsageError(
                    "\(option.flag) is one of \(words.joined(separator: ", ")), not \"\(value)\"",
                    suggestion: Suggestion.closest(to: value, among: words).map { "\(option.flag) \($0)" }, command: spec.name)
            }
        case .formattedFile(let formats):
            try validateFormattedFile(value, formats: formats, of: option, in: spec)
        }
    }

    private static func validateFormattedFile(
        _ value: String, formats: [String], of option: OptionSpec, in spec: CommandSpec
    ) throws(UsageError) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard formats.contains(parts[0]) else {
            throw UsageError(
                "\(option.flag) knows the formats \(formats.joined(separator: ", ")), not \"\(parts[0])\"",
                suggestion: Suggestion.closest(to: parts[0], among: formats).map {
                    "\(option.flag) \($0)=\(parts.dropFirst().first ?? "FILE")"
                },
                command: spec.name)
        }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw UsageError("\(option.flag) needs a file: \(option.flag) \(parts[0])=FILE", command: spec.name)
        }
    }

    func checkOperands(of command: ParsedCommand, by spec: CommandSpec) throws(UsageError) {
        switch spec.operands {
        case .paths, .optionalPaths:
            guard !command.operands.contains("") else { throw UsageError("A path is empty", command: spec.name) }
        case .files(let placeholder):
            guard !command.operands.isEmpty, !command.operands.contains("") else {
                throw UsageError(
                    "\(spec.name.rawValue) needs a file or more: pairsim \(spec.name.rawValue) \(placeholder)", command: spec.name)
            }
        case .none:
            guard let extra = command.operands.first else { return }
            throw UsageError("\(spec.name.rawValue) takes no \"\(extra)\"", command: spec.name)
        case .file(let placeholder):
            guard command.operands.count == 1, command.operands[0] != "" else {
                throw UsageError("\(spec.name.rawValue) needs one file: pairsim \(spec.name.rawValue) \(placeholder)", command: spec.name)
            }
        case .folder(let placeholder):
            guard command.operands.count == 1, command.operands[0] != "" else {
                throw UsageError("\(spec.name.rawValue) needs one folder: pairsim \(spec.name.rawValue) \(placeholder)", command: spec.name)
            }
        case .subject(let word, let placeholder, let name):
            if command.operands.count == 1, let only = command.operands.first, only != word, !only.isEmpty { return }
            guard (2...3).contains(command.operands.count), command.operands[0] == word, !command.operands.contains("") else {
                throw UsageError(
                    "\(spec.name.rawValue) needs a name, or a word and a folder: pairsim \(spec.name.rawValue) \(name), or pairsim \(spec.name.rawValue) \(word) \(placeholder)",
                    command: spec.name)
            }
        case .choice(let placeholder, let words):
            guard command.operands.count == 1, words.contains(command.operands[0]) else {
                let typed = command.operands.first ?? ""
                throw UsageError(
                    "\(spec.name.rawValue) needs one \(placeholder): \(words.joined(separator: ", "))",
                    suggestion: Suggestion.closest(to: typed, among: words).map { "pairsim \(spec.name.rawValue) \($0)" },
                    command: spec.name)
            }
        case .words(let placeholder):
            guard !command.operands.allSatisfy(\.isEmpty) else {
                throw UsageError(
                    "\(spec.name.rawValue) needs a word: pairsim \(spec.name.rawValue) \(placeholder)", command: spec.name)
            }
        case .command:
            guard let typed = command.operands.first else { return }
            guard CommandName(rawValue: typed) != nil else { throw Self.unknownCommand(typed) }
        }
    }

    static func unknownCommand(_ typed: String) -> UsageError {
        // A newcomer hands the file over without a verb.
        guard !typed.contains("/"), !typed.hasSuffix(".scenario") else {
            return UsageError("\"\(typed)\" is not a command", suggestion: "pairsim run \(ShellWord.quoted(typed))")
        }
        let known = CommandName.allCases.map(\.rawValue)
        return UsageError(
            "There is no command \"\(typed)\"; the commands are \(known.joined(separator: ", "))",
            suggestion: Suggestion.closest(to: typed, among: known).map { "pairsim \($0)" })
    }

    static func unknownOption(_ typed: String, of spec: CommandSpec) -> UsageError {
        let flags = (spec.options + CommandTable.common).map(\.flag)
        guard typed.hasPrefix("--") else {
            // `-seed` for `--seed`
            let long = flags.first { $0 == "-" + typed.prefix { $0 != "=" } }
            return UsageError("\(spec.name.rawValue) has no option \(typed)", suggestion: long, command: spec.name)
        }
        if let suggestion = Suggestion.closest(to: typed, among: flags) {
            return UsageError("\(spec.name.rawValue) has no option \(typed)", suggestion: suggestion, command: spec.name)
        }
        let owner = CommandTable.commands.first { $0.options.contains { $0.flag == typed } }
        return UsageError(
            "\(spec.name.rawValue) has no option \(typed)" + (owner.map { "; it belongs to \($0.name.rawValue)" } ?? ""), command: spec.name
        )
    }

    static var allFlags: [String] {
        OptionName.allCases.map { "--\($0.rawValue)" }
    }
}

/// A command line that has been read: the command, its options with their values, and its operands. All values are valid.
struct ParsedCommand: Equatable, Sendable {
    let name: CommandName
    var operands: [String] = []
    /// The options that the project's file gave, and not the command line.
    var projectOptions: Set<OptionName> = []
    private var values: [OptionName: [String]] = [:]

    init(name: CommandName) {
        self.name = name
    }

    mutating func add(_ value: String, to option: OptionName, isRepeatable: Bool) {
        if isRepeatable {
            values[option, default: []].append(value)
        } else {
            values[option] = [value]
        }
    }

    func has(_ option: OptionName) -> Bool { values[option] != nil }
    /// Whether it stands on the command line, and not only in the project's file.
    func names(_ option: OptionName) -> Bool { has(option) && !projectOptions.contains(option) }
    func text(_ option: OptionName) -> String? { values[option]?.last }
    func texts(_ option: OptionName) -> [String] { values[option] ?? [] }
    func number(_ option: OptionName) -> UInt64? { text(option).flatMap(ArgumentParser.number) }
}

/// What is wrong with a command line.
struct UsageError: Error, Equatable, Sendable {
    /// In one sentence, without a full stop.
    let message: String
    /// What was probably meant, as it should be typed.
    let suggestion: String?
    /// The command that was being read, when it was known.
    let command: CommandName?

    init(_ message: String, suggestion: String? = nil, command: CommandName? = nil) {
        self.message = message
        self.suggestion = suggestion
        self.command = command
    }

    /// What the user reads on standard error.
    var text: String {
        var lines = ["pairsim: \(SafeText.line(message))."]
        if let suggestion {
            lines.append("Did you mean: \(SafeText.line(suggestion))")
        }
        lines.append("Try: pairsim \(command.map { "\($0.rawValue) " } ?? "")--help")
        return lines.joined(separator: "\n") + "\n"
    }
}
