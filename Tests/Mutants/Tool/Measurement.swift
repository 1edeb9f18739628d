import Foundation

/// What the scenario suite makes of a mistake.
struct SuiteResult: Codable {
    /// The first scenario that fails, or how the suite ended otherwise; `nil`: it passes.
    var scenario: String?
    /// Whether the suite came to the mistake at all.
    var isReached: Bool
}

/// What the search makes of a mistake.
struct SearchResult: Codable {
    var find: Find?
    var isReached: Bool
    /// How long it was searched for at most.
    var seconds: Double

    /// What `mutant-search` says.
    struct Find: Codable {
        /// Counted from 1; `nil`: the program ended otherwise.
        var run: Int?
        var seconds: Double
        var steps: Int?
        var invariant: String?
        /// The smallest scenario.
        var text: String?
    }
}

/// What was measured, by the names of mistakes, kept in a file.
struct Memory<Result: Codable> {
    let file: URL
    private(set) var results: [String: Result] = [:]

    init(_ file: URL, isEmpty: Bool) throws {
        self.file = file
        guard !isEmpty, let data = try? Data(contentsOf: file) else { return }
        results = try JSONDecoder().decode([String: Result].self, from: data)
    }

    subscript(mutation: Mutation) -> Result? { results[mutation.identity] }

    mutating func keep(_ result: Result, of mutation: Mutation) throws {
        results[mutation.identity] = result
        try JSONEncoder().encode(results).write(to: file)
    }
}

/// Measures one mistake after the other with what was built.
struct Meter {
    let copy: URL
    /// The folder of what was built.
    let programs: URL
    let seconds: Double
    let seed: UInt64

    private func run(_ number: Int, _ command: [String], seconds: Double) throws -> (Shell.Output, Bool) {
        let mark = programs.appendingPathComponent("reached-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.removeItem(at: mark)
        let output = try Shell.run(
            command, in: copy, environment: [Plantation.variable: String(number), Plantation.reached: mark.path], seconds: seconds)
        let isReached = FileManager.default.fileExists(atPath: mark.path)
        try? FileManager.default.removeItem(at: mark)
        return (output, isReached)
    }

    func suite(_ number: Int) throws -> SuiteResult {
        let pairsim = programs.appendingPathComponent("pairsim").path
        let (output, isReached) = try run(
            number, [pairsim, "run", "--fail-fast", "--jobs", "1", "--stuck-after", "10s", "--report", "tap=-"], seconds: 300)
        if output.isOver { return SuiteResult(scenario: "does not end", isReached: isReached) }
        if output.status == 0 { return SuiteResult(scenario: nil, isReached: isReached) }
        let line = output.text.split(separator: "\n").first { $0.hasPrefix("not ok") }
        let path = line?.split(separator: " ").first { $0.contains(".scenario") }?.replacingOccurrences(of: "Scenarios/", with: "")
        let ending = output.status < 0 || output.status > 127 ? "crashes" : "exit status \(output.status)"
        return SuiteResult(scenario: path ?? ending, isReached: isReached)
    }

    func search(_ number: Int) throws -> SearchResult {
        let program = programs.appendingPathComponent("mutant-search").path
        // What hangs is ended; other work on the machine, and making a find small, take their time.
        let (output, isReached) = try run(number, [program, String(seconds), String(seed), "Scenarios"], seconds: 4 * seconds + 60)
        let line = output.text.split(separator: "\n").last.map { Data($0.utf8) }
        if let find = line.flatMap({ try? JSONDecoder().decode(SearchResult.Find.self, from: $0) }) {
            return SearchResult(find: find, isReached: isReached, seconds: seconds)
        }
        let ending: String? = output.isOver ? "does not end" : output.status != 0 ? "crashes" : nil
        return SearchResult(
            find: ending.map { SearchResult.Find(seconds: seconds, invariant: $0) }, isReached: isReached, seconds: seconds)
    }
}
