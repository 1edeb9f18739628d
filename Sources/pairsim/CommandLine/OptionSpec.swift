/// One option as the table of commands declares it. Parser, help and completions read nothing else.
struct OptionSpec: Sendable {
    let name: OptionName
    let short: Character?
    let value: Value
    /// What it does, as a phrase without a full stop.
    let help: String
    /// Each use adds a value; otherwise the last one counts.
    let isRepeatable: Bool

    init(_ name: OptionName, short: Character? = nil, _ value: Value = .none, repeatable: Bool = false, help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        isRepeatable = repeatable
    }

    enum Value: Sendable {
        /// A switch.
        case none
        case number(ClosedRange<UInt64>)
        case text(String)
        case choice([String])
        /// `I/N`: one of N parts.
        case share
        /// A file or folder.
        case path(String)
        /// `FORMAT=FILE`, with these formats.
        case formattedFile([String])
    }

    var flag: String { "--\(name.rawValue)" }

    /// What stands for the value in help texts.
    var placeholder: String? {
        switch value {
        case .none: nil
        case .number: "N"
        case .share: "I/N"
        case .text(let placeholder), .path(let placeholder): placeholder
        case .choice(let words): words.joined(separator: "|")
        case .formattedFile: "FORMAT=FILE"
        }
    }
}

/// Every option there is.
enum OptionName: String, CaseIterable, Sendable {
    case seed, seeds, order, orders, jobs, filter, tag, roots, report, trace, quiet, verbose, color, check, json, rules, help, version
    case runs, `for`, strategy, save, steps, only, recheck
    case scenario, strict, troubles
    case shard
    case shardCount = "shard-count"
    case skipTag = "skip-tag"
    case failFast = "fail-fast"
    case crashPoints = "crash-points"
    case maxErrors = "max-errors"
    case `repeat`
}
