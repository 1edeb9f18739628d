/// Help, written from the table of commands.
enum HelpText {
    static let versionNumber = "0.1.0"
    static let version = "pairsim " + versionNumber

    /// The examples of the overall help: the first of each command, and more of the one that people come for.
    private static var firstExamples: [CommandSpec.Example] {
        CommandTable.commands.flatMap { $0.examples.prefix($0.name == .run ? 3 : 1) }
    }

    /// `pairsim --help`.
    static func overall() -> String {
        var text = """
            pairsim runs an app's data layer on a simulated phone and a simulated watch, driven by scenario files.

            Usage: pairsim COMMAND [OPTIONS] [PATH...]

            Commands:

            """
        text += columns(CommandTable.commands.map { ($0.name.rawValue, $0.summary) })
        text += "\nOptions of every command:\n" + columns(CommandTable.common.map(row))
        text += "\nExamples:\n"
        text += examples(firstExamples)
        text +=
            "\nExit status (of several, the first in this order: \(ExitStatus.precedence.map { "\($0.rawValue)" }.joined(separator: ", "))):\n"
        text += columns(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
        text += "\nMore on a command: pairsim COMMAND --help\n"
        return text
    }

    /// `pairsim COMMAND --help`.
    static func of(_ spec: CommandSpec) -> String {
        var text = "pairsim \(spec.name.rawValue): \(spec.summary)\n\nUsage: pairsim \(spec.name.rawValue)"
        text += spec.options.isEmpty ? "" : " [OPTIONS]"
        switch spec.operands {
        case .none: break
        case .paths:
            text +=
                " [PATH...]\n\nPATH is a file or a folder, in which every *.scenario file counts (default: the folder Scenarios).\n"
                + "FILE[2] is the second row of its examples, FILE:12 the row at that line\(spec.name == .watch ? "." : ", - standard input.")"
        case .optionalPaths:
            text += " [PATH...]\n\nPATH is a file or a folder of *.scenario files; without one, keys of its own are used."
        case .files(let placeholder), .words(let placeholder):
            text += " \(placeholder)..."
        case .subject(let word, let placeholder, let name):
            text += " \(name)\n       pairsim \(spec.name.rawValue) [OPTIONS] \(word) \(placeholder)"
        case .folder(let placeholder), .file(let placeholder):
            text += " \(placeholder)"
        case .choice(let placeholder, let words):
            text += " \(placeholder)\n\n\(placeholder) is one of \(words.joined(separator: ", "))."
        case .command:
            text += " [COMMAND]"
        }
        text += "\n\nOptions:\n" + columns((spec.options + CommandTable.common).map(row))
        for note in spec.notes {
            text += "\n" + wrapped(note, width: width, indent: 0) + "\n"
        }
        if !spec.examples.isEmpty {
            text += "\nExamples:\n"
            text += examples(spec.examples)
        }
        return text
    }

    /// The same for programs: of each command `name`, `summary`, `options` (`flag`, `value` or `null`, `repeatable`, `help`), `notes` and `examples`
    /// (`line`, `explanation`); the options of every command; and the exit statuses.
    static func json(_ commands: [CommandSpec]) -> JSONValue {
        func option(_ option: OptionSpec) -> JSONValue {
            .object([
                "flag": .text(option.flag), "value": .optional(option.placeholder), "repeatable": .flag(option.isRepeatable),
                "help": .text(option.help),
            ])
        }
        return .object([
            "commands": .list(
                commands.map { spec in
                    .object([
                        "name": .text(spec.name.rawValue), "summary": .text(spec.summary), "options": .list(spec.options.map(option)),
                        "notes": .texts(spec.notes),
                        "examples": .list(spec.examples.map { .object(["line": .text($0.line), "explanation": .text($0.explanation)]) }),
                    ])
                }),
            "options": .list(CommandTable.common.map(option)),
            "statuses": .list(ExitStatus.allCases.map { .object(["status": .number(Int64($0.rawValue)), "meaning": .text($0.meaning)]) }),
        ])
    }

    private static func examples(_ examples: [CommandSpec.Example]) -> String {
        examples.map { "  \($0.line)\n      \($0.explanation)\n" }.joined()
    }

    private static let width = 100

    private static func row(_ option: OptionSpec) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        return (short + option.flag + (option.placeholder.map { " \($0)" } ?? ""), option.help)
    }

    /// Two columns; a left side that is too wide for its column gets a line of its own.
    private static func columns(_ rows: [(String, String)]) -> String {
        let fitting = rows.map(\.0.count).filter { $0 <= 34 }.max() ?? 0
        let indent = 2 + fitting + 2
        return rows.map { left, right in
            let body = wrapped(right, width: width, indent: indent)
            guard left.count <= fitting else {
                return "  \(left)\n" + String(repeating: " ", count: indent) + body + "\n"
            }
            return "  " + left + String(repeating: " ", count: fitting - left.count + 2) + body + "\n"
        }.joined()
    }

    /// Breaks at spaces; all lines but the first are indented.
    private static func wrapped(_ text: String, width: Int, indent: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        lines.append(line)
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
