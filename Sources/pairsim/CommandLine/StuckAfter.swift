/// The option `--stuck-after`: how long one piece of the apps' code may take by the host's clock.
enum StuckAfter {
    static let option = OptionSpec(
        .stuckAfter, .text("TIME"),
        help:
            "give up a run in which one piece of code takes longer than this by the host's clock, as one that did not settle (default: 20s; 0s: never)"
    )

    /// - Returns: In seconds; `nil` for never.
    static func seconds(of command: ParsedCommand) throws(UsageError) -> Double? {
        guard let text = command.text(.stuckAfter) else { return RunOptions().stuckAfter }
        guard let time = VirtualDuration(notation: text), time >= .zero else {
            throw UsageError(
                "--stuck-after takes a time up to \(VirtualDuration.longestNotation), such as 20s or 2min, or 0s for never",
                command: command.name)
        }
        return time == .zero ? nil : Double(time.microseconds) / 1_000_000
    }
}
