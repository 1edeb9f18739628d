import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimRunner

/// Files as strangers write them: lines that begin with a variable, lines in another order, numbers that are too great, things that are said twice.
@Suite struct WrittenOtherwiseTests {
    private static let theme = "key theme: String\n    security none\n\n"

    private func compile(_ text: String, _ others: [String: String] = [:]) -> ScenarioCompilation {
        ScenarioCompiler.compile(path: "a", files: .memory(others.merging(["a": text]) { $1 }))
    }

    // MARK: The first word is a variable

    /// A cell may be the words of a line, whichever line that is.
    @Test(arguments: [
        ("include \"fails.inc\"", 1), ("wait 1s", 0), ("include \"none.inc\"", nil), ("let theme = 1", nil),
    ])
    func aLineMayBeginWithAVariable(_ words: String, _ status: Int?) throws {
        let text = Self.theme + "examples\n    | what |\n    | \(words) |\n\nphone set theme \"a\"\n$what\n"
        let compilation = compile(text, ["fails.inc": "expect phone theme \"b\"\n"])
        #expect(compilation.diagnostics.isEmpty == (status != nil), "\(compilation.diagnostics)")
        if let status { #expect(ScenarioRunner.run(try #require(compilation.scenarios.first)).outcome.status == status) }
    }

    @Test func aKeyOfAVariableHasItsOwnName() throws {
        let compilation = compile("let declared = key theme\n$declared: String\n    security none\n\nphone set theme \"a\"\n")
        #expect(compilation.scenarios.first?.keys.map(\.identifier) == ["theme"], "\(compilation.diagnostics)")
    }

    /// Whoever defines a variable or a parameter that nothing uses believes that it matters, also in another file.
    @Test(arguments: [
        ("include \"a.inc\" with unused 9\n", "parameter unused = 5\n"), ("include \"a.inc\"\n", "let unused = 5\n"),
        ("parameter unused = 5\n", ""), ("let unused = 5\ninclude \"a.inc\"\n", "let unused = 1s\nwait $unused\n"),
    ])
    func whatNothingUsesIsRefused(_ text: String, _ included: String) {
        let diagnostics = compile(text + "phone lock\n", ["a.inc": included]).diagnostics
        #expect(diagnostics.contains { $0.message == "no line uses the variable `unused`" }, "\(diagnostics)")
    }

    // MARK: In any order

    @Test(arguments: [
        ["start phone off", "start phone in background"], ["start watch not installed", "start watch in background"],
        ["start watch-only app", "start phone in background"], ["start phone before first unlock", "start phone in background"],
    ])
    func startLinesMeanTheSameInAnyOrder(_ lines: [String]) {
        let messages = [lines, lines.reversed()].map { compile(Self.theme + $0.joined(separator: "\n") + "\nphone lock\n").diagnostics }
        #expect(messages.allSatisfy { $0.count == 1 } && messages[0][0].message == messages[1][0].message, "\(messages)")
    }

    // MARK: Too much

    @Test(arguments: ["phone set theme \"a\" crashes at operation 1000001", "expect watch received context 9223372036854775808 times"])
    func aNumberThatIsTooGreatIsRefused(_ line: String) {
        #expect(compile(Self.theme + line + "\n").diagnostics.map(\.hint) == ["the greatest number is 1000000"])
    }

    @Test func timeEndsWhereNothingCanCountItAnyMore() {
        #expect(VirtualTime(microseconds: .max - 1) + .seconds(1) == VirtualTime(microseconds: .max))
        #expect(VirtualTime(microseconds: .min + 1) + VirtualDuration(microseconds: -5) == VirtualTime(microseconds: .min))
    }

    @Test func aSeedHasAllItsBits() {
        #expect(compile("seed 18446744073709551615\nphone lock\n").scenarios.first?.seed == .max)
        #expect(compile("seed 18446744073709551616\nphone lock\n").diagnostics.first?.hint?.contains("18446744073709551615") == true)
    }

    /// One long text does not make a file of it that nobody can read any more.
    @Test func aLongCellDoesNotWidenItsColumn() throws {
        let long = String(repeating: "x", count: 5_000)
        let text = "examples\n    | v |\n    | \"\(long)\" |\n    | \"b\" |\n    | \"cc\" |\n\nphone lock\nwait $v\n"
        let formatted = try ScenarioFormatter.format(SourceText(path: "a", bytes: Array(text.utf8))).get()
        #expect(formatted.contains("    | \"b\"  |\n    | \"cc\" |\n") && formatted.utf8.count < text.utf8.count + 100)
    }

    // MARK: Twice

    @Test(arguments: [
        ("expect no event storage.set with key \"theme\", key \"lone\"", "the fact `key` is given twice"),
        ("expect event storage.set at least 0 times", "at least 0 times it always is"),
        ("expect watch received message at least 0 times", "at least 0 times it always is"),
    ])
    func whatCannotFailIsRefused(_ line: String, _ message: String) {
        let diagnostics = compile(Self.theme + line + "\n").diagnostics
        #expect(diagnostics.first?.message.hasPrefix(message) == true, "\(diagnostics)")
    }

    @Test func twoKeysOfOneContextAreTwoFacts() {
        #expect(compile("phone lock\nexpect no event context.updated with keys \"a\", keys \"b\"\n").diagnostics.isEmpty)
    }

    @Test func aCanaryEndsWithOneStatus() {
        #expect(
            compile("# It fails.\n# Canary: 1\n# Canary: 6\n\nphone lock\n").diagnostics.map(\.message) == [
                "there is a `# Canary: 1` already"
            ])
    }
}
