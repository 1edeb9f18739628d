import DeviceSimLanguage
import Testing

@testable import DeviceSimRunner

/// What is said of a mistake, and of a row, tells no value of a secret, and does not hide what is none.
@Suite struct DiagnosticMaskTests {
    static let keys =
        "key token: String\n    domain  keychain\n    security keychain afterFirstUnlock\n\nkey pin: Int\n\nkey theme: String\n    security  none\n\n"

    private func compile(_ text: String) -> ScenarioCompilation {
        ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": "# A.\n\n" + text]))
    }

    @Test(arguments: [
        "phone set token \"hunter2secret", "phone set token hunter2secret", "phone set token \"hunter2secret\" crashs at operation 3",
        "phone set tokn \"hunter2secret\"", "phone set token \"hunter2secret\" \"hunter2secret\"", "phone set pin \"hunter2secret\"",
        "expect phone token \"hunter2secret\" withn 5s", "expect phone tokn \"hunter2secret\"",
        "expect watch widget tokn \"hunter2secret\"",
        "expect phone token \"hunter2secret\" or hunter2secret", "phone plant token {\"a\": \"hunter2secret\"}",
        "let x = \"hunter2secret\" \"y\"", "include \"a.inc\" with x \"hunter2secret\"",
        "examples\n    | a | b |\n    | \"hunter2secret\" |\nwait 1s", "together\n    phone set token hunter2secret",
        "let pw = \"hunter2\"\nphone set token $pw crashs at operation 3", "let pw = \"hunter2\"\nexpect watch token $pw in 5s",
        "let pw = \"hunter2\"\nphone get token $pw", "let pw = {\"a\": hunter2}\nphone set token $pw", "let pw = \"hunter2\"\nwait $pw",
        "examples\n    | pw |\n    | \"hunter2\" |\nphone set token $pw fails lockd", "phone set token hunter2:99",
        "phone set token [hunter2]",
        "phone set token {\"a\": hunter2}", "phone set token {hunter2: 1}", "phone set token hunter2(99)", "phone set token $hunter2",
        "phone set token \"a\" hunter2:9", "phone plant token hunter2:a", "phone overwrite token with hunter2:2",
        "phone set token #hunter2",
        "phone updat context {\"token\": \"hunter2secret\"}", "phone replies {\"token\": \"hunter2\"} afer 2s",
        "phone send message {\"token\": \"hunter2\"} expecting", "watch apply {\"LocalData\": \"hunter2\"",
        "phone set \"hunter2secret\"", "phone settoken \"hunter2secret\"", "expect phone \"hunter2secret\"", "let pw \"hunter2secret\"",
        "let pw hunter2secret", "phone plant \"hunter2secret\" token", "watch received message \"hunter2secret\"", "\"hunter2secret\" | 3",
        "phone transfr user info {\"t\": \"hunter2secret\"}",
        "phone set token hunter#hunter2\"", "expect phone app shows \"pin\" hunter2", "expect message m1 replied hunter2",
        "phone set token for hunter2", "let pw hunter2 =", "expect phone app shows \"pin\" 4711 hunter2",
        "phone write file \"hunter2\"", "phone set key \"hunter2\"", "expect phone file \"hunter2", "expect phone app shows \"hunter2\"",
        "key k: String\n    security encrypted aes256 hkdf salt \"hunter2\" x", "expect event session.observed with value \"hunter2\"",
        "key k: String\n    default \"hunter2\"", "expect event app.log with text \"hunter2\" foo", "phone widget set key \"hunter2\" x",
        "phone set token $hunter", "phone widget set token hunter2secret", "phone set token \"hunter2secret\\q\"",
    ])
    func hides(_ line: String) {
        let diagnostics = compile(Self.keys + line + "\n").diagnostics
        #expect(!diagnostics.isEmpty)
        for diagnostic in diagnostics {
            #expect(!diagnostic.rendered().contains("hunter2"), "\(diagnostic.rendered())")
            #expect(!diagnostic.message.contains("hunter2") && diagnostic.hint?.contains("hunter2") != true)
        }
    }

    /// Also where the mistake is in the declaration.
    @Test func hidesWhereTheKeyIsBroken() {
        let text = ScenarioDiagnostic.rendered(
            compile("key token: Strin\n    domain keychain\n\nphone set token hunter2secret\nphone set token \"hunter2secret\n").diagnostics
        )
        #expect(text.contains("Strin") && !text.contains("hunter2"))
    }

    /// A declaration that says no type declares no key: any may be meant.
    @Test func hidesWhereNoKeyIsComplete() {
        let plain = "key theme: String\n    security  none\n\n"
        let text = ScenarioDiagnostic.rendered(
            compile(plain + "key token String\n    domain  keychain\n\nphone set token \"hunter2secret\nphone set token hunter2secret\n")
                .diagnostics)
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test(arguments: [
        "phone set theme darkish", "phone update context theme {\"n\": darkish}", "wait darkish", "key x darkish",
        "expect transfer t darkish",
        "let v = \"darkish\"\nphone set theme $v withn 5s", "expect phone session isReachable darkish",
        "expect phone theme \"darkish\" withn 5s", "expect phone app darkish", "key k: [String]\n    migrates from token by darkish",
        "key k: String\n    listed as \"darkish\"", "key k: String\n    name \"darkish\" x",
        "expect event storage.set with key \"darkish\"",
        "expect no event sync.sent with keys [\"darkish\"] foo", "expect event sync.applied with from \"darkish\" foo",
        "expect phone audit orphaned \"darkish\" foo", "expect phone file \"Documents/darkish\" exits",
        "phone transfer file \"Documents/darkish\" foo", "expect phone token sealed by source \"darkish\" foo",
    ])
    func showsWhatIsNoSecret(_ line: String) {
        #expect(ScenarioDiagnostic.rendered(compile(Self.keys + line + "\n").diagnostics).contains("darkish"))
    }

    /// Such a line names no key, and what it gives may be what one holds, with its marks or without.
    @Test(arguments: [
        "phone app does \"login\" with hunter2secret", "phone send data hunter2secret", "phone transfer user info \"hunter2secret\"",
        "phone transfer user info hunter2secret", "watch replies hunter2secret", "phone update context hunter2secret",
        "key other: String default \"hunter2secret\"", "phone network answers \"https://x/?k=hunter2secret\" wth {}",
    ])
    func hidesWhatIsGivenWithoutAKey(_ line: String) {
        let text = ScenarioDiagnostic.rendered(compile(Self.keys + line + "\n").diagnostics)
        #expect(!text.isEmpty && !text.contains("hunter2"), "\(text)")
    }

    /// A short one is like a word of the language, and a PIN like a measure.
    @Test(arguments: [
        ("watch replies \"wait\" aftr 2s", "wait"), ("phone app provides \"remote\" \"lock\"", "lock"), ("phone send data 4711", "4711"),
        ("watch replies 4711 aftr 2s", "4711"),
    ])
    func hidesWhatLooksLikeAWord(_ line: String, _ secret: String) {
        let text = ScenarioDiagnostic.rendered(compile(Self.keys + line + "\n").diagnostics)
        #expect(!text.isEmpty && !text.contains(secret), "\(text)")
    }

    @Test func hidesNothingWhereThereIsNoSecret() {
        let plain = "key theme: String\n    security  none\n\n"
        #expect(ScenarioDiagnostic.rendered(compile(plain + "phone set thme \"darkish\"\n").diagnostics).contains("\"darkish\""))
    }

    /// A file with so many mistakes that its keys are not looked for, too.
    @Test func hidesWhereNobodyKnowsTheKeys() {
        let line = "phone set token \"hunter2secret"
        let diagnostics = compile(Self.keys + String(repeating: line + "\n", count: ScenarioCompiler.maximumErrorCount + 1)).diagnostics
        #expect(diagnostics.count >= ScenarioCompiler.maximumErrorCount)
        #expect(!diagnostics.contains { $0.rendered().contains("hunter2") })
        let diagnostic = ScenarioDiagnostic(
            range: SourceRange(path: "a.inc", line: 1, column: 17, length: 14), message: "`\"hunter2secret` does not end", sourceLine: line)
        #expect(!DiagnosticMask().masked(diagnostic).rendered().contains("hunter2"))
    }

    /// For the one who has the file before him, one for one.
    @Test func theSameAsWritten() {
        let compilation = compile(Self.keys + "phone set token hunter2secret\nwait x\n")
        #expect(compilation.diagnostics.map(\.range) == compilation.diagnosticsAsWritten.map(\.range))
        #expect(compilation.diagnosticsAsWritten[0].rendered().contains("    phone set token hunter2secret\n"))
    }

    /// The carets stand where they stood, and the suggestion is there.
    @Test func isStillOfUse() {
        let text = ScenarioDiagnostic.rendered(compile(Self.keys + "expect phone token \"hunter2\" withn 5s\n").diagnostics)
        #expect(text.contains("    expect phone token ••••••••• withn 5s\n                                 ^^^^^"))
    }

    /// What could stand there the language says, also where it is what the line has in quotation marks.
    @Test func whatWasExpectedIsNotHidden() throws {
        let text = "key token: String\n    domain keychain \"service\"\n    security keychain afterFirstUnlock\n"
        let diagnostic = try #require(compile(text).diagnostics.first)
        #expect(diagnostic.hint == "expected `service` or the end of the line", "\(diagnostic)")
        // In the block of a key no value stands.
        #expect(diagnostic.message.contains("`\"service\"` cannot stand"))
        let word = try #require(compile(Self.keys + "phone set token service\n").diagnostics.first)
        #expect(!(word.hint ?? "").contains("service"), "\(word)")
    }

    // MARK: Rows

    private func rows(_ columns: String, _ cells: String, _ steps: String) throws -> String {
        // Each column has to be of some use.
        let idle = columns.split(separator: " | ").filter { !steps.contains("$\($0)") }
        let uses = idle.map { "phone update context {\"x\": $\($0)}\n" }.joined()
        let compilation = compile(Self.keys + "examples\n    | \(columns) |\n    | \(cells) |\n\n\(steps)\n\(uses)")
        #expect(compilation.diagnostics.isEmpty, "\(compilation.diagnostics)")
        return try #require(compilation.scenarios.first?.row)
    }

    @Test(arguments: [
        ("value | size", "\"hunter2\" | 5", "phone set token $value\nwait 1s", "value …, size 5"),
        ("value | n", "7 | 5", "phone set pin $value", "value …, n 5"),
        ("value | n", "\"a\" | 7", "phone set theme $value\nphone set pin 7", "value \"a\", n …"),
        ("value | n", "\"a\" | 5", "phone set theme $value\nexpect phone pin $n", "value \"a\", n …"),
        ("value | n", "\"a\" | 5", "let v = repeat($value, $n)\nphone set token $v", "value …, n …"),
        (
            "value | n", "\"a\" | 5", "let v = repeat($value, 2)\nlet w = $v\nphone set token $w\nexpect phone theme missing within 5s",
            "value …, n 5"
        ),
        ("value | n", "\"a\" | 5", "together\n    phone set token $value\n    watch set theme \"x\"", "value …, n 5"),
        ("value | n", "\"a\" | 5", "phone set theme $value", "value \"a\", n 5"),
    ])
    func rowsTellNoSecret(_ columns: String, _ cells: String, _ steps: String, _ label: String) throws {
        #expect(try rows(columns, cells, steps) == label)
    }

    // MARK: Names

    /// What an app was asked to do, and what a file is called, is in events; they are shown with failures and written into traces.
    @Test func namesInEventsTellNoSecret() throws {
        let text =
            "# A.\n\n" + Self.keys + "phone set token \"hunter2\"\nphone transfer user info {\"hunter2\": 1}\nexpect phone theme \"x\"\n"
        var options = RunOptions()
        options.story = StoryRequest(showsValues: true, showsWrittenValues: true)
        let result = ScenarioRunner.run(try scenario(text), options: options)
        let failure = try #require(result.outcome.failure)
        #expect(failure.lastEvents.contains { $0.contains("userInfo.") } && !failure.lastEvents.contains { $0.contains("hunter2") })
        let trace = String(decoding: try #require(result.story).traceJSON(), as: UTF8.self)
        #expect(trace.contains("userInfo.") && !trace.contains("hunter2"))
    }
}
