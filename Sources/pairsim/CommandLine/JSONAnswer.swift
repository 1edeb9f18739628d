/// What a command says to a program that called it with `--json`: one object on standard output, whatever happens, instead of the text for people.
///
/// - `version`: `1`. A later version may add keys; it does not change these. `command`: its name, or `null` where the command line has none.
/// - `status`: the exit status.
/// - `errors`: a list of objects, empty where nothing went wrong outside of the scenarios: `message`, and where they are known `suggestion` (what was
///   probably meant), `path`, `line` and `column`.
/// - `result`: what the command is for, or `null` where it did not come to that. JSON.md says what it is for each command.
///
/// Confined to the thread of the command.
final class JSONAnswer {
    static let version: Int64 = 1

    var result: JSONValue?
    private(set) var errors: [JSONValue] = []
    /// Whether the command has written all that it has to say: one that goes on until it is told to stop writes an object to a line.
    var isOver = false

    func note(error message: String, suggestion: String? = nil, path: String? = nil, line: Int? = nil, column: Int? = nil) {
        var members: [String: JSONValue] = ["message": .text(message)]
        if let suggestion { members["suggestion"] = .text(suggestion) }
        if let path { members["path"] = .text(path) }
        if let line { members["line"] = .number(Int64(line)) }
        if let column { members["column"] = .number(Int64(column)) }
        errors.append(.object(members))
    }

    /// After a line of a command that answers line by line.
    func startAnew() {
        result = nil
        errors = []
    }

    func note(_ problem: FileProblem) {
        note(error: problem.message, path: problem.path, line: problem.line, column: problem.column)
    }

    /// The object, for one line or several.
    func value(of command: CommandName?, status: ExitStatus) -> JSONValue {
        .object([
            "version": .number(Self.version), "command": .optional(command?.rawValue), "status": .number(Int64(status.rawValue)),
            "errors": .list(errors), "result": result ?? .null,
        ])
    }
}
