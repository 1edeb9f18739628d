import DeviceSimCatalogue
import DeviceSimLanguage
import Foundation

/// What the repository's scenarios and tests say that they cover.
enum RuleCoverage {
    /// The scenario files that name each rule or trouble, by their paths in the folder `Scenarios`.
    static let scenarios: [String: [String]] = {
        var coverage: [String: [String]] = [:]
        for path in RepositoryFiles.paths(in: "Scenarios") where path.hasSuffix(".scenario") {
            let compilation = ScenarioCompiler.compile(path: RepositoryFiles.root.appendingPathComponent("Scenarios/\(path)").path)
            for rule in compilation.header.rules { coverage[rule, default: []].append(path) }
        }
        return coverage
    }()

    /// The test suites that name each rule at the beginning of a test's title, by the names of their files.
    static let suites: [String: Set<String>] = {
        var coverage: [String: Set<String>] = [:]
        for path in RepositoryFiles.paths(in: "Tests") where path.hasSuffix(".swift") {
            guard let text = RepositoryFiles.text("Tests/\(path)") else { continue }
            for title in text.matches(of: /@(?:Test|Suite)\(\s*"((?:W[0-9]+ )+)/) {
                for rule in title.1.split(separator: " ") {
                    let suite = path.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
                    coverage[String(rule), default: []].insert(String(suite))
                }
            }
        }
        return coverage
    }()

    /// The source file with the suites of each rule, which the program lists.
    static var sourceOfSuites: String {
        let entries = SessionRule.table.compactMap { rule -> String? in
            guard let suites = suites[rule.name]?.sorted() else { return nil }
            let line = "        \(rule.number): [\(suites.map { "\"\($0)\"" }.joined(separator: ", "))],"
            guard line.count > 140 else { return line }
            return "        \(rule.number): [\n" + suites.map { "            \"\($0)\",\n" }.joined() + "        ],"
        }
        return """
            // Made from the titles of the tests by `swift run documents`.

            extension SessionRule {
                /// The suites whose tests name the rule, sorted.
                public var tests: [String] { Self.suites[number] ?? [] }

                static let suites: [Int: [String]] = [
            \(entries.joined(separator: "\n"))
                ]
            }

            """
    }
}
