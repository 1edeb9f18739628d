/// The commands of `pairsim debug`: help, completion and suggestions come from here.
enum DebugVerb: String, CaseIterable, Sendable {
    case step, back, next, prev, until, list, show, events, why, watch
    case `try`, branch, save, help, quit

    /// What may follow, and what it does.
    var form: (arguments: String, help: String) {
        switch self {
        case .step: ("[N]", "run the next step, or N of them")
        case .back: ("[N]", "go back to before the last step, or N of them")
        case .next: ("[N]", "go to the next instant at which something happened, or N of them")
        case .prev: ("[N]", "go back to the instant before, or N of them")
        case .until:
            (
                "LINE | EVENT | KEY | EXPECTATION | failure | end | start",
                "go on to before that line, to where an event happened (watch context.delivered), a key changed or an expectation holds (expect watch theme \"dark\"), "
                    + "or to the failure, the end, the start"
            )
        case .list: ("[N]", "show N steps around this place")
        case .show:
            (
                "[DEVICE] [keys | session | disk | keychain | pending | app]",
                "show what a device holds here; values of plain keys and of what an app sends, of secrets only that and where they lie"
            )
        case .events: ("[N | all] [DEVICE]", "show the events of the last step, the last N, or all up to here")
        case .why:
            (
                "[DEVICE] KEY",
                "say which write, which delivery and which merge made the key what it is here, and why a later value did not come"
            )
        case .watch: ("[KEY]", "say after each command when the key has changed on a device; again: no longer")
        case .try:
            ("STEP [; STEP …]", "go on in a branch with any step of the language put in here; the lines of a block follow it after ;")
        case .branch: ("[N | cut]", "list the branches, go to one, or leave out in this one all that follows this place")
        case .save: ("FILE", "write this branch as a scenario file")
        case .help: ("[COMMAND]", "show this, or what one command does")
        case .quit: ("", "leave")
        }
    }

    /// One letter that does the same.
    var letter: Character? {
        switch self {
        case .step, .back, .next, .prev, .until, .list, .events, .why, .try, .help, .quit: rawValue.first
        case .show, .watch, .branch, .save: nil
        }
    }

    /// Whether an empty line does it again.
    var isRepeated: Bool { [.step, .back, .next, .prev].contains(self) }

    init?(typed: String) {
        guard let verb = Self(rawValue: typed) ?? Self.allCases.first(where: { $0.letter.map(String.init) == typed }) else { return nil }
        self = verb
    }
}

/// Why a command of the shell was not carried out.
struct DebugError: Error, Equatable, CustomStringConvertible {
    let message: String
    var suggestion: String?

    init(_ message: String, suggestion: String? = nil) {
        self.message = message
        self.suggestion = suggestion
    }

    var description: String { [message, suggestion].compactMap(\.self).joined(separator: "; ") }
}

/// What a command of the shell says.
struct DebugReply {
    var lines: [String] = []
    /// For programs, beside the position.
    var members: [String: JSONValue] = [:]
    /// The shell is to end.
    var isOver = false
}
