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
