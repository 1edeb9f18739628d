/// One command as the table declares it.
struct CommandSpec: Sendable {
    let name: CommandName
    /// What it does, as a phrase without a full stop.
    let summary: String
    let operands: Operands
    let options: [OptionSpec]
    /// Paragraphs of the command's own help, after the options.
    let notes: [String]
    let examples: [Example]

    /// What may follow the options.
    enum Operands: Sendable {
        case none
        /// Files and folders; the folder `Scenarios` when none is named.
        case paths
        /// Files and folders; none need be named.
        case optionalPaths
        /// One file or folder, or more.
        case files(String)
        /// Exactly one folder.
        case folder(String)
        /// Exactly one of these words.
        case choice(String, [String])
        /// At most one name of a command.
        case command
    }

    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            self.line = line
            self.explanation = explanation
        }
    }

    func option(_ name: OptionName) -> OptionSpec? {
        options.first { $0.name == name }
    }
}

enum CommandName: String, CaseIterable, Sendable {
    case run, explore, merge, check, list, fmt, audit, completions, help
}
