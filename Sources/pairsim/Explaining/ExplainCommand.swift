/// `pairsim explain WORD...`: what a word of the language, of the simulation or of the tool means.
///
/// With `--json` the result is an array of objects: `kind`, `name`, `meaning`, `details` (each `name` and `text`).
struct ExplainCommand {
    let command: ParsedCommand
    let host: Host

    /// More forms of lines than this are only named: `expect` begins thirty of them.
    private static let limit = 6

    func run() -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color))
        let query = command.operands.joined(separator: " ")
        let found = Explanations.find(query)
        guard !found.isEmpty else {
            console.answer(.list([]))
            var message = "nothing selected: nothing is known of \"\(SafeText.line(String(query.prefix(200))))\""
            if let meant = Suggestion.meant(by: query) {
                message += "; \(meant)"
            } else if let near = Explanations.suggestion(for: query) {
                message += "; did you mean \(near)?"
            } else {
                message +=
                    "; it explains words of scenario files, errors, events, knobs, rules such as W48, troubles such as P5, and exit statuses"
            }
            console.complain(message)
            return .nothingSelected
        }
        console.answer(.list(found.map(\.json)))
        for explanation in found.prefix(Self.limit) {
            console.printGap()
            for line in explanation.lines(console.style) { console.print(line) }
        }
        let others = found.dropFirst(Self.limit)
        if !others.isEmpty {
            console.print()
            console.print("and \(Plural.of(others.count, "other")):")
            for explanation in others { console.print("  " + SafeText.line(explanation.name)) }
        }
        return .passed
    }
}
