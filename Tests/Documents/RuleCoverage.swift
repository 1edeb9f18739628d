import DeviceSim
import Foundation
import Testing

/// What the repository's scenarios and tests say that they cover.
enum RuleCoverage {
    /// The scenario files that name each rule or trouble, by their paths in the folder `Scenarios`.
    static let scenarios: [String: [String]] = {
        let folder = repository.appendingPathComponent("Scenarios")
        var coverage: [String: [String]] = [:]
        for path in files(in: folder) where path.hasSuffix(".scenario") {
            let compilation = ScenarioCompiler.compile(path: folder.appendingPathComponent(path).path)
            for rule in compilation.header.rules { coverage[rule, default: []].append(path) }
        }
        return coverage
    }()

    /// The test suites that name each rule at the beginning of a test's title, by the names of their files.
    static let suites: [String: Set<String>] = {
        let folder = repository.appendingPathComponent("Tests")
        var coverage: [String: Set<String>] = [:]
        for path in files(in: folder) where path.hasSuffix(".swift") {
            guard let text = try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8) else { continue }
            for title in text.matches(of: /@(?:Test|Suite)\(\s*"((?:W[0-9]+ )+)/) {
                for rule in title.1.split(separator: " ") {
                    let suite = path.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
                    coverage[String(rule), default: []].insert(String(suite))
                }
            }
        }
        return coverage
    }()

    private static func files(in folder: URL) -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    /// Compares a file of the repository with what it is made from. With `UPDATE_GOLDENS` set it is written anew, and the test fails.
    static func check(_ path: String, is text: String) throws {
        let file = repository.appendingPathComponent(path)
        let old = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        if old != text, ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
            try Data(text.utf8).write(to: file)
            Issue.record("rewritten: \(path)")
        }
        #expect(old == text, "\(path) is made from tables and headers: set UPDATE_GOLDENS to write it anew")
    }
}
