import DeviceSim
import Testing

@testable import DeviceSimSearch

/// What a search draws, and shows, has no value of a secret that a file gives.
@Suite struct MadeSecretsTests {
    private static let text = """
        # A token that the app puts into its context, too.

        key token: String
            domain  keychain
        key pin: Int
        key parts: [String]
        key theme: String
            security  none

        phone set token "hunter2secret"
        phone set pin -4711
        phone set parts ["zebra", "hunter2secret"]
        phone set theme "dark"
        phone update context {"t": "hunter2secret", "h": "Bearer hunter2secret", "n": -4711}
        expect phone token "hunter2secret"
        """

    private func scenario(_ text: String) throws -> Scenario {
        try #require(ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": text])).scenarios.first)
    }

    @Test func valuesOfSecretsAreMadeEverywhere() throws {
        let scenario = try scenario(Self.text)
        let made = MadeSecrets(scenario).scenario(with: [:])
        let notation = made.notation(header: ["A."])
        for secret in ["hunter2", "zebra", "4711"] { #expect(!notation.contains(secret), "\(notation)") }
        #expect(notation.contains("phone set theme \"dark\""))
        #expect(made.steps.count == scenario.steps.count && made.name == scenario.name && made.path == scenario.path)
        // Of the same type and length, and equal where they were.
        guard case .data(let first) = made.steps[0].action, case .set(_, .string(let token)) = first.action else {
            Issue.record("no text")
            return
        }
        #expect(token.utf8.count == "hunter2secret".utf8.count)
        #expect(notation.contains("{\"h\": \"Bearer \(token)\", \"n\": -1002, \"t\": \"\(token)\"}"), "\(notation)")
        #expect(MadeSecrets(made).scenario(with: [:]).steps.count == made.steps.count)
    }

    /// A short value may be a count, an operation, or the name of an entry: it is made in the steps that give it to the secret alone.
    @Test func shortValuesAreMadeWhereASecretIsGivenThem() throws {
        let text = """
            # A.

            key pin: Int
            key mark: String
            key volume: Int
                security  none

            phone set volume 1
            phone disk fails write 2 with EIO
            phone set pin 1
            phone set pin 2
            phone set mark "ab"
            phone update context {"ab": 1}
            """
        let notation = MadeSecrets(try scenario(text)).scenario(with: [:]).notation(header: ["A."])
        for line in ["phone set volume 1\n", "phone disk fails write 2 with EIO\n", "phone update context {\"ab\": 1}\n"] {
            #expect(notation.contains(line), "\(notation)")
        }
        for line in ["phone set mark \"ab\"", "phone set pin 1\n"] { #expect(!notation.contains(line), "\(notation)") }
    }

    @Test func aScenarioWithoutSecretsStays() throws {
        let scenario = try scenario("# A.\n\nkey theme: String\n    security none\n\nphone set theme \"dark\"\n")
        #expect(MadeSecrets(scenario).scenario(with: [:]) == scenario)
    }

    /// A secret that is called as the key is not taken for it.
    @Test func aSecretThatIsAWordOfTheFile() throws {
        let scenario = try scenario("# A.\n\nkey token: String\n    domain keychain\n\nphone set token \"token\"\n")
        let notation = MadeSecrets(scenario).scenario(with: [:]).notation(header: ["A."])
        #expect(notation.contains("phone set token \"made1\""), "\(notation)")
    }

    @Test func whatIsFoundShowsNone() throws {
        let wrong = """
            # A token that does not sync leaves its device.

            key token: String
                domain  keychain

            phone set token "hunter2secret"
            phone update context {"token": "hunter2secret"}
            settle
            """
        let exploration = Exploration(over: [try scenario(wrong)], hasOwnKeys: false, run: RunOptions()) { Explorer.Options(world: $0) }
        let number = try #require((0..<8).first { exploration.run($0).violation != nil })
        let found = try #require(exploration.shrink(number, replay: "pairsim explore"))
        #expect(!found.text.contains("hunter2") && found.text.contains("made1"), "\(found.text)")
    }
}
