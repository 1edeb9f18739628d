/// Where text goes.
protocol TextSink: AnyObject {
    func write(_ text: String)
}

/// What people see: finished lines, and on a terminal one line below them that is rewritten in place.
///
/// Confined to the thread of the command.
final class Console {
    let style: Style
    private let output: any TextSink
    private let errors: any TextSink
    /// Cells in a line of the terminal; `nil` when the output is none.
    private let columns: Int?
    private let isOnGitHub: Bool
    private let repository: RepositoryPlace?
    /// Standard output belongs to a report or a trace, so people are told on standard error.
    let isOutputTaken: Bool
    private var progressText = ""
    private var hasPrinted = false
    /// How the user calls the tool, for commands to paste.
    let program: String
    /// Whether what is printed is read at a terminal by the person who has the files, and kept by nobody: no pipe, no file, no program, no CI system.
    let isPersonal: Bool
    /// Takes what is said where a program reads it; people are told nothing then.
    private let json: JSONAnswer?

    init(host: Host, colour: String?, isOutputTaken: Bool = false) {
        let isTerminal = host.columns != nil && !isOutputTaken
        style =
            host.answer == nil
            ? Style.chosen(option: colour, environment: host.environment, isTerminal: isTerminal) : Style(isColoured: false)
        output = host.output
        program = host.program
        errors = host.errors
        json = host.answer
        isPersonal = isTerminal && host.answer == nil && !Self.isInCI(host.environment)
        columns = host.answer != nil || isOutputTaken || host.environment["TERM"] == "dumb" ? nil : host.columns
        isOnGitHub = host.environment["GITHUB_ACTIONS"] == "true"
        repository = isOnGitHub ? RepositoryPlace(host) : nil
        self.isOutputTaken = isOutputTaken
    }

    /// Some CI systems give their jobs a terminal, and keep what is written to it.
    private static func isInCI(_ environment: [String: String]) -> Bool {
        ["CI", "GITHUB_ACTIONS"].contains { !["", "0", "false"].contains((environment[$0] ?? "").lowercased()) }
    }

    func print(_ line: String = "") {
        guard json == nil else { return }
        clearProgress()
        (isOutputTaken ? errors : output).write(shown(line) + "\n")
        hasPrinted = true
    }

    /// An empty line, unless it would be the first.
    func printGap() {
        if hasPrinted { print() }
    }

    /// A message of the tool about itself: on standard error.
    func complain(_ line: String) {
        if let json { return json.note(error: line) }
        remark(line)
    }

    /// A message about how the work goes on: on standard error, whoever reads the result.
    func remark(_ line: String) {
        clearProgress()
        errors.write("pairsim: " + shown(line) + "\n")
    }

    /// Whether a program reads what the command says.
    var isForPrograms: Bool { json != nil }

    /// What the command is for, to a program that asked with `--json`.
    func answer(_ result: @autoclosure () -> JSONValue) {
        json?.result = result()
    }

    /// What is wrong with a file, to such a program.
    func answer(_ problem: FileProblem) {
        json?.note(problem)
    }

    /// Text for programs, byte for byte, on standard output.
    func emit(_ text: String) {
        clearProgress()
        output.write(text)
    }

    /// A workflow command for GitHub, when it is GitHub that reads.
    func annotate(_ annotation: @autoclosure () -> String) {
        guard isOnGitHub, json == nil else { return }
        clearProgress()
        (isOutputTaken ? errors : output).write(annotation() + "\n")
    }

    /// The path of a file as GitHub knows it.
    func annotated(_ path: String) -> String { repository?.path(of: path) ?? path }

    /// Whether ``progress(_:)`` is seen.
    var showsProgress: Bool { columns != nil }

    /// Shows progress; does nothing where the output is not a terminal.
    func progress(_ text: String) {
        guard let columns else { return }
        // The last cell stays free: some terminals wrap when it is filled.
        let line = SafeText.clipped(text, to: columns - 1)
        guard line != progressText else { return }
        output.write("\r" + line + "\u{1B}[K")
        progressText = line
    }

    /// Begins a screen of its own on a terminal; does nothing elsewhere.
    func clearScreen() {
        guard columns != nil else { return }
        clearProgress()
        output.write("\u{1B}[H\u{1B}[2J\u{1B}[3J")
    }

    func clearProgress() {
        guard !progressText.isEmpty else { return }
        progressText = ""
        output.write("\r\u{1B}[K")
    }

    /// GitHub obeys lines that start with `::`, so no line of a scenario may.
    private func shown(_ line: String) -> String {
        guard isOnGitHub else { return line }
        return line.split(separator: "\n", omittingEmptySubsequences: false).map { part in
            let start = part.drop { $0 == " " }
            return start.hasPrefix("::") || start.hasPrefix("##[") ? "| " + part : String(part)
        }.joined(separator: "\n")
    }
}

/// Whether and how output is coloured.
struct Style: Sendable {
    let isColoured: Bool

    enum Paint: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case boldRed = "1;31"
    }

    func paint(_ text: String, _ paint: Paint) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// By the option, then by `NO_COLOR`, then by what the output is.
    static func chosen(option: String?, environment: [String: String], isTerminal: Bool) -> Style {
        switch option {
        case "always": return Style(isColoured: true)
        case "never": return Style(isColoured: false)
        default:
            let isRefused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
            return Style(isColoured: isTerminal && !isRefused)
        }
    }
}
