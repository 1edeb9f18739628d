import DeviceSimLanguage
import DeviceSimRunner

/// A small scenario, put together of lines: with the keys that they speak of, in canonical layout.
package struct ProposedScenario: Sendable, Hashable {
    /// What a file of it would have.
    package let text: String
    /// The lines that do something, as a person reads them in a list.
    package let lines: [String]
    private let title: String

    /// - Parameters:
    ///   - title: The first line of the file.
    ///   - lines: What it starts with, and its steps. Keys are added.
    init(title: String, lines: [String]) {
        self.lines = lines
        self.title = title
        let words = Set(lines.joined(separator: " ").split { !$0.isLetter }.map(String.init))
        let keys = Self.keys.filter { key in words.contains { $0 == key.name } }
        let sentence = title.hasSuffix(".") ? title : title + "."
        let parts = [["# \(sentence)"]] + keys.map(\.declaration) + [Self.starts(lines), Self.steps(lines)]
        let text = parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
        guard let source = try? SourceText(path: "proposed", bytes: Array(text.utf8)),
            case .success(let formatted) = ScenarioFormatter.format(source)
        else {
            self.text = text
            return
        }
        self.text = formatted
    }

    /// The scenario that the text stands for; `nil` where it has a mistake.
    package var scenario: Scenario? {
        let compilation = ScenarioCompiler.compile(path: "proposed.scenario", files: .memory(["proposed.scenario": text]))
        return compilation.diagnostics.isEmpty ? compilation.scenarios.first : nil
    }

    /// The same with `fails` behind the last line, where it fails in the situation that the others lead to: run as it is proposed, it shows what comes of it.
    var withItsOutcome: ProposedScenario {
        guard let scenario, let last = lines.last, case .failed(let failure) = ScenarioRunner.run(scenario).outcome,
            failure.line == scenario.steps.last?.range.line, let error = failure.error
        else { return self }
        let told = ProposedScenario(title: title, lines: lines.dropLast() + ["\(last) fails \(error)"])
        guard let scenario = told.scenario, case .passed = ScenarioRunner.run(scenario).outcome else { return self }
        return told
    }

    private static func isStart(_ line: String) -> Bool { line.hasPrefix("start ") || line.hasPrefix("knob ") }
    private static func starts(_ lines: [String]) -> [String] { lines.filter(isStart) }
    private static func steps(_ lines: [String]) -> [String] { lines.filter { !isStart($0) } }

    /// What lines may speak of: the names that the examples of the language have.
    private static let keys: [(name: String, declaration: [String])] = [
        ("theme", ["key theme: String", "    domain    userDefaults", "    security  none", "    sync      automaticSmall"]),
        (
            "migrated",
            [
                "key oldTheme: String", "    domain    userDefaults", "    security  none", "    until     0.9", "", "key migrated: String",
                "    domain    fileSystem documents", "    security  none", "    migrates  from oldTheme",
            ]
        ),
        ("count", ["key count: Int", "    domain    fileSystem documents", "    security  none", "    sync      automaticSmall"]),
        ("note", ["key note: String", "    domain    fileSystem documents", "    security  none"]),
        ("token", ["key token: String", "    domain    keychain", "    security  keychain whenUnlocked", "    sync      automaticSmall"]),
        ("secret", ["key secret: String", "    domain  encryptedFileSystem documents"]),
        (
            "form",
            [
                "key former: String", "    name      \"form\"", "    domain    userDefaults", "    security  none",
                "    sync      automaticSmall", "    schema    1", "    until     1.9", "", "key form: String", "    name      \"form\"",
                "    domain    userDefaults", "    security  none", "    sync      automaticSmall", "    schema    2", "    since     2.0",
            ]
        ),
    ]
}
