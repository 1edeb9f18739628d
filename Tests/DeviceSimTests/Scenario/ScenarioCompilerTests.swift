import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage

@Suite struct ScenarioCompilerTests {
    /// Taken for prose it would select nothing, and a canary would be none.
    @Test(arguments: [("Tag: x", "Tags"), ("tags: x", "Tags"), ("Canry: 1", "Canary"), ("rules: W1", "Rules")])
    func aMistypedFieldOfTheHeaderIsAnError(_ line: String, _ meant: String) {
        let diagnostics = compile("# A title.\n# \(line)\n\nphone launch\n").diagnostics
        #expect(diagnostics.map(\.hint) == ["write `# \(meant): …`"] && diagnostics.first?.range.line == 2)
        #expect(compile("# A title: of two parts.\n# The rule: nothing, and the tags of it: none.\n\nphone launch\n").diagnostics.isEmpty)
    }

    /// Below the blank line that ends the header a field says nothing, and a canary would be none.
    @Test(arguments: ["Canary: 1", "Tags: x", "tags = x", "Rules : W1"]) func aFieldBelowTheHeaderIsAnError(_ line: String) {
        let diagnostics = compile("# A title.\n\n# \(line)\nphone launch\n").diagnostics
        #expect(diagnostics.count == 1 && diagnostics.first?.message.contains("below the blank line") == true)
        // Behind the first statement it is a comment like others, but where it would make the file a canary.
        let isCanary = line.hasPrefix("Canary")
        #expect(compile("# A title.\n\nphone launch\n\n# \(line)\nwait 1s\n").diagnostics.isEmpty == !isCanary)
        #expect(compile("# A title.\n# \(line.replacing(":", with: " ="))\n\nphone launch\n").diagnostics.count == 1)
    }

    /// Whoever writes a variable within quotation marks means its value.
    @Test func variablesWithinQuotationMarksAreAnError() {
        let key = "# A title.\n\nkey theme: String\n    security none\n\nlet n = \"x\"\nphone set theme $n\n"
        for text in ["$n", "a $n.", "$$n"] {
            let diagnostics = compile(key + "phone set theme \"\(text)\"\n").diagnostics
            #expect(diagnostics.map(\.message) == ["`$n` is not replaced within quotation marks"])
        }
        for text in ["$", "$nn", "5 $", "\\u0024n", "n$"] { #expect(compile(key + "phone set theme \"\(text)\"\n").diagnostics.isEmpty) }
    }

    /// What no event can have would be expected in vain, or not to happen for ever.
    @Test(arguments: [
        ("with error \"notReachble\"", "there is no error \"notReachble\""),
        ("with sequence \"5\"", "the fact `sequence` is a whole number"),
    ])
    func factsThatNoEventHasAreAnError(_ facts: String, _ message: String) {
        #expect(compile("# A title.\n\nexpect no event message.failed \(facts)\n").diagnostics.map(\.message) == [message])
        #expect(compile("# A title.\n\nexpect no event app.log with error \"MyStoreIsClosed\"\n").diagnostics.isEmpty)
    }

    @Test func theSketchOfTheSpecificationCompiles() throws {
        let run = try scenario(
            """
            # A theme chosen out of range reaches the watch when it returns.
            # Rules: W41 W42 W44

            key theme: String
                domain        userDefaults
                availability  all
                sync          automaticSmall

            link down
            phone set theme "dark"
            phone set theme "light"
            expect watch theme missing

            # back in range
            link up
            expect watch theme "light" within 5s
            expect phone delivered context 1 time
            """)
        #expect(run.header.title == "A theme chosen out of range reaches the watch when it returns.")
        #expect(run.header.rules == ["W41", "W42", "W44"])
        let theme = KeyReference(index: 0, identifier: "theme")
        #expect(
            run.steps.map(\.action) == [
                .link(.down),
                .data(DataStep(.phone, .set(theme, .string("dark")))),
                .data(DataStep(.phone, .set(theme, .string("light")))),
                .expect(Expectation(.value(.watch, theme, .missing))),
                .link(.up),
                .expect(Expectation(.value(.watch, theme, .equals(.string("light"))), timing: .within(.seconds(5)))),
                .expect(Expectation(.deliveries(.phone, .delivered, .context, .exactly(1)))),
            ])
        #expect(run.steps.map(\.phase) == [nil, nil, nil, nil, "back in range", "back in range", "back in range"])
        #expect(run.steps[5].source == "expect watch theme \"light\" within 5s")
        #expect(run.steps[5].range == SourceRange(path: "test.scenario", line: 16, column: 1, length: 36))
        let declaration = try #require(run[theme].declaration)
        #expect(declaration.domain == .userDefaults(suite: nil))
        #expect(declaration.security == .recommended)
        #expect(declaration.syncPolicy == .automaticSmall)
        #expect(run.start == StartState())
    }

    @Test func keysDeclareEverything() throws {
        let run = try scenario(
            """
            key a: [Int]
                name "stored.a"
                domain appGroupFileSystem "group.a" caches
                security encrypted aes256 pbkdf2 iterations 20000 salt base64("AAAAAAAAAAAAAAAAAAAAAA==")
                serializer plist
                owner "Team"
                description "Numbers"
                availability phoneWithWatchSync
                sync manual
                since 1.2
                until 2.0
                catalog Numbers
                migrates from b
            key b: [Int]
                security keychain afterFirstUnlock biometryCurrentSetOrDevicePasscode
                domain keychain service "com.example"
                unregistered
            key c: Data
                serializer data
                domain fileSystem custom "/data"
                security encrypted external "remote.key" hkdf info base64("aW5mbw==")
                migrates from userDefaults suite "old" name "c.old"
            key d: Any
                serializer custom "reversed"
            wait 1s
            """)
        let declarations = run.keys.compactMap(\.declaration)
        #expect(run.keys.map(\.identifier) == ["a", "b", "c", "d"])
        #expect(run.keys.map(\.type) == [.array(.int), .array(.int), .data, .any])
        #expect(declarations[0].name == "stored.a")
        #expect(declarations[0].domain == .appGroupFileSystem(identifier: "group.a", directory: .caches))
        #expect(declarations[0].security == .encrypted(.aes256(keyDerivation: .pbkdf2(iterations: 20_000, salt: Data(count: 16)))))
        #expect(declarations[0].serializer == .plist)
        #expect(declarations[0].owner == "Team")
        #expect(declarations[0].description == "Numbers")
        #expect(declarations[0].availability == .phoneWithWatchSync)
        #expect(declarations[0].syncPolicy == .manual)
        #expect(declarations[0].catalog == "Numbers")
        #expect(declarations[0].migrationSource == .key(KeyReference(index: 1, identifier: "b")))
        #expect(AppVersion("1.2").map(declarations[0].exists) == true)
        #expect(AppVersion("2").map(declarations[0].exists) == true)
        #expect(AppVersion("2.0.1").map(declarations[0].exists) == false)
        #expect(declarations[1].security == .keychain(accessibility: .afterFirstUnlock, accessControl: .biometryCurrentSetOrDevicePasscode))
        #expect(declarations[1].domain == .keychain(service: "com.example"))
        #expect(declarations[1].catalog == nil)
        #expect(declarations[2].domain == .fileSystem(directory: .custom(URL(fileURLWithPath: "/data", isDirectory: true))))
        #expect(
            declarations[2].security
                == .encrypted(.external(source: KeyMaterialSource(id: "remote.key"), keyDerivation: .hkdf(info: Data("info".utf8)))))
        #expect(declarations[2].migrationSource == .place(name: "c.old", domain: .userDefaults(suite: "old")))
        #expect(declarations[3].serializer == .custom("reversed"))
        #expect(declarations[3].catalog == KeyDeclaration.defaultCatalog)
    }

    @Test func theStartIsDescribed() throws {
        let run = try scenario(
            """
            start apps not activated
            start phone version 1.9
            start phone before first unlock
            start watch in background
            start watch without passcode
            start link down
            start unpaired
            knob link.latency 1s
            knob context.duplicates true
            knob context.limit 1000 bytes
            seed 42
            settle
            """)
        #expect(run.start.phone.condition == .beforeFirstUnlock)
        #expect(run.start.phone.launch == nil)
        #expect(run.start.phone.appVersion == AppVersion("1.9"))
        #expect(!run.start.phone.activatesSession && !run.start.watch.activatesSession)
        #expect(run.start.watch.launch == .background && !run.start.watch.hasPasscode && run.start.phone.hasPasscode)
        #expect(!run.start.isLinkUp && !run.start.isPaired)
        #expect(run.knobs.linkLatency == .seconds(1) && run.knobs.duplicateContexts && run.knobs.contextLimit == 1_000)
        #expect(run.seed == 42)
    }

    @Test func eachRowOfExamplesIsARun() throws {
        let compilation = compile(
            """
            # Sizes.
            examples
                | size         | outcome              | times   |
                | 10           |                fails locked | 1 time  |
                | 2000         | loses power at operation 2 | 2 times |
            key theme: String
            let long = repeat("x", $size)
            phone set theme $long $outcome
            expect watch received context $times
            """)
        #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))")
        #expect(compilation.scenarios.map(\.name) == ["test.scenario[1]", "test.scenario[2]"])
        #expect(
            compilation.scenarios.map(\.row) == [
                "size …, outcome fails locked, times 1 time", "size …, outcome loses power at operation 2, times 2 times",
            ])
        let theme = KeyReference(index: 0, identifier: "theme")
        #expect(
            compilation.scenarios.compactMap(\.steps.first?.action) == [
                .data(DataStep(.phone, .set(theme, .string(String(repeating: "x", count: 10))), outcome: .fails(.storage(.locked)))),
                .data(DataStep(.phone, .set(theme, .string(String(repeating: "x", count: 2_000))), outcome: .losesPower(atOperation: 2))),
            ])
        #expect(compilation.scenarios[1].steps[0].source == "phone set theme $long $outcome")
    }

    @Test func includedFilesGiveKeysAndStepsAndTakeArguments() throws {
        let run = try scenario(
            """
            include "shared/keys.inc"
            include "shared/steps.inc" with value {"a": [1, 2]}, time 5s
            phone set theme "dark"
            """,
            with: [
                "shared/keys.inc": "key theme: String\nkey note: Any\n",
                "shared/steps.inc":
                    "include \"deeper/../more.inc\"\nparameter value\nparameter time = 1s\nparameter who = watch\n$who set note $value\nwait $time\n",
                "shared/more.inc": "phone lock\n",
            ])
        #expect(
            run.steps.map(\.action) == [
                .device(DeviceStep(.phone, .lock)),
                .data(
                    DataStep(.watch, .set(KeyReference(index: 0, identifier: "note"), .object(["a": .array([.integer(1), .integer(2)])])))),
                .time(.wait(.seconds(5))),
                .data(DataStep(.phone, .set(KeyReference(index: 1, identifier: "theme"), .string("dark")))),
            ])
        #expect(run.steps[0].range.path == "shared/more.inc")
    }

    @Test func blocksHoldStepsAndEvents() throws {
        let run = try scenario(
            Vocabulary.testPreamble + """
                together
                    phone set theme "a"
                    # at the same time
                    watch set theme "b"
                expect in order since reconnected within 5s
                    phone context.sent
                    watch context.delivered with sequence 2, keys "theme"
                    link.down
                """)
        let theme = KeyReference(index: 3, identifier: "theme")
        #expect(
            run.steps.suffix(2).map(\.action) == [
                .together([
                    ScenarioStep(.data(DataStep(.phone, .set(theme, .string("a")))), range: run.steps[0].range, source: ""),
                    ScenarioStep(.data(DataStep(.watch, .set(theme, .string("b")))), range: run.steps[0].range, source: ""),
                ]),
                .expect(
                    Expectation(
                        .inOrder([
                            EventPattern(.contextSent, on: .phone),
                            EventPattern(
                                .contextDelivered, on: .watch, facts: [.init("keys", .string("theme")), .init("sequence", .integer(2))]),
                            EventPattern(.linkDown),
                        ]), timing: .within(.seconds(5)), since: "reconnected")),
            ])
    }

    @Test func aCatalogOfATestSuppliesKeys() throws {
        let files = ScenarioFiles.memory(["a.scenario": "catalog App\nphone set launches 3\nphone set profile {\"name\": \"x\"}\n"])
        let compilation = ScenarioCompiler.compile(path: "a.scenario", files: files, catalogs: ["App": TestCatalog()])
        #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))")
        let run = try #require(compilation.scenarios.first)
        #expect(run.keys.map(\.type) == [.int, .codable("Profile")])
        #expect(run.catalogs == ["App"])
        let wrong = ScenarioCompiler.compile(
            path: "a.scenario", files: .memory(["a.scenario": "catalog App\nphone set launches \"x\"\n"]), catalogs: ["App": TestCatalog()])
        #expect(wrong.diagnostics.map(\.message) == ["`launches` is of the type Int, and this has a String"])
    }

    @Test func compilingTwiceGivesEqualScenarios() {
        let text = Vocabulary.testPreamble + "examples\n    | n |\n    | 1 |\n    | 2 |\nphone set count $n\n"
        #expect(compile(text).scenarios == compile(text).scenarios)
        #expect(compile(text).scenarios.count == 2)
    }

    @Test(arguments: [
        ("", "", ""), ("Shows a thing", "Shows a thing", ""), ("Shows W1. And more.", "Shows W1.", "And more."),
        ("One\nsentence. Two.\n\nThree", "One sentence.", "Two.\nThree"),
    ])
    func theHeaderHasATitle(_ comment: String, _ title: String, _ details: String) throws {
        let lines = comment.isEmpty ? "" : comment.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)\n" }.joined()
        let header = try scenario(lines + "# Tags: a, b-2\n# Canary: 6\n\nwait 1s").header
        #expect(header.title == title)
        #expect(header.details == details)
        #expect(header.tags == ["a", "b-2"])
        #expect(header.canary == 6)
    }
}

private struct TestCatalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] { [.key(LaunchesKey()), .key(ProfileKey())] }
}

private struct LaunchesKey: StorageKey {
    typealias Value = Int
    let name = "launches"
    let domain = StorageDomain.userDefaults(suite: nil)
    let owner = "Tests"
}

private struct Profile: Codable, Sendable {
    let name: String
}

private struct ProfileKey: StorageKey {
    typealias Value = Profile
    let name = "profile"
    let domain = StorageDomain.userDefaults(suite: nil)
    let owner = "Tests"
}
