import DeviceSim
import DeviceSimCore
import DeviceSimLanguage
import Testing

@testable import DeviceSimRunner

/// What a failure says of secrets: marks, which tell equal values from different ones.
@Suite struct SecretMarksTests {
    private static let keys = """
        # Secrets.

        key theme: String
            security none
            sync automaticSmall
        key token: String
            sync automaticSmall
        key pin: Int
            domain keychain
            security none
        key codes: [String]
            sync automaticSmall

        """

    private func failure(_ steps: String) throws -> ScenarioFailure {
        let scenario = try scenario(Self.keys + "\n" + steps + "\n")
        return try #require(ScenarioRunner.run(scenario).outcome.failure)
    }

    @Test func anotherValueHasAnotherMark() throws {
        let failure = try failure("phone set token \"S3CRET-A\"\nexpect phone token \"S3CRET-B\"")
        #expect(failure.expected == "expect phone token (secret 1)")
        #expect(failure.actual == "expect phone token (secret 2)")
        #expect(failure.source == "expect phone token (secret 1)")
    }

    /// The value that is not there yet is the one that another key or an earlier step had: equal marks say so.
    @Test func equalValuesHaveEqualMarks() throws {
        let failure = try failure("phone set token \"S3CRET-A\"\nsettle\nphone set token \"S3CRET-B\"\nexpect devices agree on token")
        #expect(failure.actual == "expect phone token (secret 1), expect watch token (secret 2)")
        let other = try self.failure("phone set token \"S3CRET-A\"\nexpect phone token \"S3CRET-B\" or \"S3CRET-C\"")
        #expect(other.expected == "expect phone token (secret 1) or (secret 2)")
        #expect(other.actual == "expect phone token (secret 3)")
    }

    /// A secret that stands in a longer text is written there with backslashes, in a text within that text with more.
    @Test(arguments: [
        "BEGIN\\nMIIEpAIB\\nEND", "my \\\"quoted\\\" one", "back\\\\slash",
    ])
    func aSecretWithinALongerTextIsMarked(_ secret: String) throws {
        let twice = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let failure = try failure(
            "phone set token \"\(secret)\"\nphone update context {\"log\": \"it is \(secret) now\", \"json\": \"{'t': '\(twice)'}\"}\n"
                + "expect phone session applicationContext {\"log\": \"none\"}")
        #expect(
            failure.actual
                == "expect phone session applicationContext {\"json\": \"{'t': '(secret 1)'}\", \"log\": \"it is (secret 1) now\"}",
            "\(failure.actual ?? "")")
    }

    @Test func whatIsMissingIsMissing() throws {
        let failure = try failure("expect watch token \"S3CRET-A\"")
        #expect(failure.actual == "expect watch token missing")
        #expect(try self.failure("phone set token \"S3CRET-A\"\nexpect phone token missing").actual == "expect phone token (secret 1)")
    }

    @Test func valuesOfPlainKeysStay() throws {
        let failure = try failure("phone set token \"dark\"\nphone set theme \"light\"\nexpect phone theme \"dark\"")
        #expect(failure.expected == "expect phone theme \"dark\"")
        #expect(failure.actual == "expect phone theme \"light\"")
    }

    @Test(arguments: [
        "phone set token \"S3CRET-A\"\nexpect phone token \"S3CRET-B\" within 5s", "phone set pin 12345678\nexpect phone pin 23456789",
        "let v = \"S3CRET-A\"\nphone set token $v\nexpect phone token missing",
        "phone set token \"S3CRET-A\" crashes at every operation\nexpect phone token \"S3CRET-B\"",
        "phone set token \"S3CRET-A\"\nexpect devices agree", "phone\tset\ttoken\t\"S3CRET-A\"\nexpect\tphone\ttoken\t\"S3CRET-B\"",
        "phone set token \"S3CRET-A\" fails locked",
        "phone set codes [\"S3CRET-A\", \"S3CRET-B\"]\nphone set theme \"x S3CRET-A\"\nexpect phone codes [\"S3CRET-C\"]",
        "phone set pin 12345678\nphone send message {\"n\": 12345678, \"m\": [12345678]} fails sessionInactive",
        "phone set codes [\"S3CRET-A\"]\nphone send message {\"n\": {\"m\": \"S3CRET-A\"}} fails sessionInactive",
        "together\n    phone set token \"S3CRET-A\"\n    phone set token \"S3CRET-B\" fails locked",
    ])
    func noFailureTellsASecret(_ steps: String) throws {
        let told = "\(try failure(steps))"
        #expect(!told.contains("S3CRET") && !told.contains("12345678") && !told.contains("23456789"), "\(told)")
    }

    @Test(arguments: [
        ("it is 1234.", "it is (m)."), ("[1234, 12345, 0.1234, 1234.5]", "[(m), 12345, 0.1234, 1234.5]"), ("{\"a\":1234}", "{\"a\":(m)}"),
        ("x1234 1234-a", "x1234 1234-a"), ("1234", "(m)"), ("-1234", "-1234"),
    ])
    func aNumberIsLeftOutWhereItIsThatNumber(text: String, masked: String) {
        #expect(TextMask.replacing("1234", in: text, by: "(m)") == masked)
    }

    /// Marks stay marks where a mask is put over them, and so in pictures.
    @Test func aPictureHasTheSameMarks() throws {
        let scenario = try scenario(Self.keys + "\nphone set token \"S3CRET-A\"\nexpect phone token \"S3CRET-B\"\n")
        var options = RunOptions()
        options.story = StoryRequest(showsWrittenValues: true)
        let step = try #require(ScenarioRunner.run(scenario, options: options).story?.steps.last)
        #expect(step.expected == "expect phone token (secret 1)")
        #expect(step.actual == "expect phone token (secret 2)")
    }

    /// A value may be a word of a mark, or one that a line begins with: that stays where it is no value.
    @Test(arguments: ["secret", "phone", "expect", "settle"]) func aValueThatIsAWordOfTheReportGarblesNothing(_ value: String) throws {
        let failure = try failure("phone set token \"\(value)\"\nexpect phone token \"S3CRET-B\"")
        #expect(failure.expected == "expect phone token (secret 1)" && failure.actual == "expect phone token (secret 2)")
        #expect(failure.source == "expect phone token (secret 1)")
        #expect(failure.lastEvents.contains { $0.contains(" phone ") })
        #expect(!"\(failure)".contains("(secret 1) token") && !"\(failure)".contains("((secret"))
    }
}
