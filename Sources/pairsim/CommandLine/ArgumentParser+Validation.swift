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
                    "\(option.flag) needs I/N, shard I of N with I from 1 to N, such as 1/4, not \"\(value)\"", command: spec.name)
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
        case .folder(let placeholder):
            guard command.operands.count == 1, command.operands[0] != "" else {
                throw UsageError("\(spec.name.rawValue) needs one folder: pairsim \(spec.name.rawValue) \(placeholder)", command: spec.name)
            }
        case .choice(let placeholder, let words):
            guard command.operands.count == 1, words.contains(command.operands[0]) else {
                let typed = command.operands.first ?? ""
                throw UsageError(
                    "\(spec.name.rawValue) needs one \(placeholder): \(words.joined(separator: ", "))",
                    suggestion: Suggestion.closest(to: typed, among: words).map { "pairsim \(spec.name.rawValue) \($0)" },
                    command: spec.name)
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
