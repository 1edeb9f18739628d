import Foundation

/// What the scenario suite makes of a mistake.
struct SuiteResult: Codable {
    /// The first scenario that fails, or how the suite ended otherwise; `nil`: it passes.
    var scenario: String?
    /// Whether the suite came to the mistake at all.
    var isReached: Bool
}

/// What the unit tests of its module make of a mistake that neither the suite nor the search has found.
struct TestsResult: Codable {
    /// The first test that fails, or how they ended otherwise; `nil`: all pass.
    var test: String?
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

    /// The tests of LocalData for a mistake there, and those of DeviceSim for others, built for debugging.
    /// - Parameter known: The tests that fail without any mistake, such as those that read the sources.
    func tests(_ number: Int, of path: String, besides known: Set<String>) throws -> TestsResult {
        let (output, _) = try run(number, tests(of: path), seconds: 1_800)
        if output.isOver { return TestsResult(test: "do not end") }
        let failing = Self.failing(in: output.text)
        if let test = failing.first(where: { !known.contains($0) }) { return TestsResult(test: test) }
        let isEnded = output.text.contains("Test run with ")
        return TestsResult(test: isEnded ? nil : "exit status \(output.status)")
    }

    /// The tests that fail although no mistake is in force.
    func failingTests(of path: String) throws -> Set<String> { Set(Self.failing(in: try run(-1, tests(of: path), seconds: 3_600).0.text)) }

    private func tests(of path: String) -> [String] {
        let module = path.hasPrefix("Sources/LocalData/") ? "LocalDataTests" : "DeviceSimTests"
        return ["swift", "test", "--skip-build", "--package-path", copy.path, "--filter", "^\(module)\\."]
    }

    /// `✘ Test name() recorded an issue at File.swift:12:3: …`
    private static func failing(in output: String) -> [String] {
        output.split(separator: "\n").filter { $0.contains(" recorded an issue ") }.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let test = words.firstIndex(of: "Test"), test + 1 < words.count, let place = words.firstIndex(of: "at"),
                place + 1 < words.count
            else { return nil }
            return "\(words[place + 1].split(separator: ":").first ?? ""): \(words[test + 1])"
        }
    }

    /// - Parameter isComparing: Whether runs are held against the tool without the mistake, too.
    func search(_ number: Int, isComparing: Bool = false) throws -> SearchResult {
        let program = programs.appendingPathComponent("mutant-search").path
        let other = isComparing ? [programs.appendingPathComponent("pairsim").path] : []
        // What hangs is ended; other work on the machine, and making a find small, take their time.
        let (output, isReached) = try run(number, [program, String(seconds), String(seed), "Scenarios"] + other, seconds: 4 * seconds + 60)
        let line = output.text.split(separator: "\n").last.map { Data($0.utf8) }
        if let find = line.flatMap({ try? JSONDecoder().decode(SearchResult.Find.self, from: $0) }) {
            return SearchResult(find: find, isReached: isReached, seconds: seconds)
        }
        let ending: String? = output.isOver ? "does not end" : output.status != 0 ? "crashes" : nil
        return SearchResult(
            find: ending.map { SearchResult.Find(seconds: seconds, invariant: $0) }, isReached: isReached, seconds: seconds)
    }
}
