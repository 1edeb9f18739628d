/// Collects what is wrong with a file and what it includes, each place and message once.
struct DiagnosticList {
    private(set) var diagnostics: [ScenarioDiagnostic] = []
    private var seen: Set<Place> = []
    /// With so many, a file is no scenario, and what follows is not looked at.
    static let limit = 1_000

    private struct Place: Hashable {
        let path: String
        let line: Int
        let column: Int
        let message: String
    }

    var isEmpty: Bool { diagnostics.isEmpty }
    var isFull: Bool { diagnostics.count >= Self.limit }

    mutating func append(_ diagnostic: ScenarioDiagnostic) {
        guard !isFull else { return }
        let range = diagnostic.range
        guard seen.insert(Place(path: range.path, line: range.line, column: range.column, message: diagnostic.message)).inserted else {
            return
        }
        diagnostics.append(diagnostic)
    }

    mutating func append(contentsOf others: [ScenarioDiagnostic]) {
        for diagnostic in others { append(diagnostic) }
    }

    /// By place: the errors of the file at `path` first, then those of included files in the order in which they were met.
    func sorted(rootPath path: String) -> [ScenarioDiagnostic] {
        var order: [String: Int] = [path: 0]
        for diagnostic in diagnostics where order[diagnostic.range.path] == nil {
            order[diagnostic.range.path] = order.count
        }
        return diagnostics.enumerated().sorted { first, second in
            let (left, right) = (first.element.range, second.element.range)
            return (order[left.path] ?? 0, left.line, left.column, first.offset) < (
                order[right.path] ?? 0, right.line, right.column, second.offset
            )
        }.map(\.element)
    }
}
