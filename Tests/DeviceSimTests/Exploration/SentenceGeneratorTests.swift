import DeviceSim
import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimSearch

/// Scenarios that the grammar makes.
@Suite struct SentenceGeneratorTests {
    private static func sentences(_ number: Int) -> Scenario? {
        var generator = SentenceGenerator(SeededGenerator(seed: 4_711).fork("\(number)"))
        return generator.scenario()
    }

    private static func options(_ world: SearchSpace) -> Explorer.Options {
        var options = Explorer.Options(world: world)
        options.recheckInterval = 0
        return options
    }

    /// Hardly a draw is in vain, and what it gives has keys and steps more often than not.
    @Test func mostDrawsGiveAScenario() {
        let scenarios = (0..<200).map(Self.sentences)
        #expect(scenarios.count { $0 == nil } < 4)
        #expect(scenarios.count { ($0?.keys.count ?? 0) > 0 } > 120)
        #expect(scenarios.count { ($0?.steps.count ?? 0) > 5 } > 120)
    }

    /// What is drawn over them is what its text says, since the other build gets no more than that.
    @Test func theirTextSaysAllOfThem() throws {
        let options = Self.options(try #require(SearchSpace.builtIn))
        for number in 0..<200 {
            let explorer = try #require(Explorer(options, byGrammar: number))
            let scenario = explorer.draw(number).scenario
            let text = BuildComparison.text(of: scenario)
            let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
            #expect(
                compilation.diagnostics.isEmpty, "run \(number): \(compilation.diagnostics.map { "\($0.sourceLine ?? ""): \($0.message)" })"
            )
            guard let again = compilation.scenarios.first else { continue }
            #expect(again.steps.map(\.action.notation) == scenario.steps.map(\.action.notation), "run \(number)")
            #expect(again.keys == scenario.keys, "run \(number)")
            #expect(again.start == scenario.start, "run \(number)")
            #expect(again.knobs == scenario.knobs, "run \(number)")
        }
    }

    /// Lines of every form come, but for those that are left out for a reason.
    @Test func everyFormComes() {
        var seen: Set<String> = []
        for number in 0..<1_500 {
            for step in Self.sentences(number)?.steps ?? [] {
                seen.formUnion(step.action.notation.split(separator: " ").dropFirst().prefix(1).map(String.init))
            }
        }
        let verbs = Vocabulary.forms.filter { [.data, .transfer, .session, .device, .fault].contains($0.topic) }.compactMap(\.secondWord)
        #expect(Set(verbs).subtracting(seen).sorted() == [])
    }

    /// Later versions of the app declare keys in the stead of others, under the same name and by a migration, and devices come to those versions.
    @Test func laterVersionsDeclareKeysAnew() {
        let scenarios = (0..<300).compactMap(Self.sentences)
        let later = scenarios.filter { scenario in scenario.keys.contains { $0.declaration?.since != nil } }
        let sameName = later.filter { Set($0.keys.map(\.name)).count < $0.keys.count }
        let moved = later.filter { scenario in scenario.keys.contains { $0.declaration?.migrationSource?.keys.isEmpty == false } }
        #expect(sameName.count > 20 && moved.count > 20)
        let arrived = (sameName + moved).count { scenario in scenario.steps.contains { $0.action.notation.contains("update to") } }
        #expect(arrived > (sameName + moved).count * 3 / 4)
    }

    /// The same number gives the same scenario.
    @Test func theSameNumberGivesTheSame() {
        for number in 0..<20 { #expect(Self.sentences(number) == Self.sentences(number)) }
        #expect(Set((0..<20).map(Self.sentences)).count == 20)
    }

    /// What comes and goes every few seconds does not do so for days, which would be a great many events.
    @Test(arguments: [("wait 36h", false), ("wait 36s", true), ("link latency 192h", false)])
    func nothingFlapsForDays(span: String, flaps: Bool) throws {
        let source = "# A.\n\nkey k: String\n    sync automaticSmall\n\nphone set k \"a\"\n\(span)\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": source])).scenarios.first)
        let explorer = Explorer(Self.options(SearchSpace(scenario)))
        let drawn = (0..<400).map { explorer.draw($0).scenario }
        let isLong = { (scenario: Scenario) in scenario.steps.contains { $0.action.notation == span } }
        #expect(drawn.contains(where: isLong))
        #expect(drawn.contains { isLong($0) && $0.knobs.reachabilityFlapAfter > .zero } == flaps)
    }

    /// What an app sends or writes beside its keys holds no value of theirs that could be told again where it is seen: a secret must be found nowhere else.
    @Test func whatIsBesideKeysIsNoValueOfTheirs() {
        var kept: Set<String> = []
        var beside: Set<String> = []
        for number in 0..<400 {
            for step in Self.sentences(number)?.steps ?? [] {
                // The number of an operation is no value.
                let text = step.action.with(outcome: .succeeds).notation
                if let value = try? #/^[a-z0-9]+ (?:widget )?(?:set|plant) \w+ (.*)/#.wholeMatch(in: text)?.1 {
                    kept.formUnion(Self.scalars(in: value))
                } else if let value = try? #/^[a-z0-9]+ (?:update context|send|replies|transfer user info|write file "[^"]*") (.*)/#
                    .wholeMatch(in: text)?.1
                {
                    beside.formUnion(Self.scalars(in: value))
                }
            }
        }
        #expect(kept.count > 10 && beside.count > 10)
        #expect(kept.intersection(beside).sorted() == [])
    }

    /// The texts, numbers and dates of a value as it is written that are long enough to be told again, and what long texts are made of; not the texts that have
    /// a number of their own, the name of what fills a payload up, and bytes, which are of one pattern.
    private static func scalars(in text: Substring) -> [String] {
        // Nor is how often a text is repeated.
        let text = text.replacing(#/base64\("[^"]*"\)/#, with: "").replacing(#/", [0-9]+\)/#, with: "\")")
        let scalars = text.matches(of: #/(?:repeat\()?"(?:[^"\\]|\\.)*"|[-+.e0-9]{6,}/#)
        return scalars.map { String($0.0) }.filter { $0.utf8.count >= 6 && !$0.hasPrefix("\"text") && $0 != "\"pad\"" }
    }

    /// No false alarms: the same build differs in nothing, and what is drawn by the grammar is only compared.
    @Test func theSameBuildDiffersInNothing() throws {
        var options = Self.options(try #require(SearchSpace.builtIn))
        options.other = Same()
        options.comparesAlone = true
        for number in 0..<24 {
            let explorer = try #require(Explorer(options, byGrammar: number))
            let outcome = explorer.run(number)
            #expect(outcome.violation == nil, "run \(number): \(outcome.violation?.explanation ?? [])")
            #expect(outcome.comparison == .made, "run \(number)")
        }
    }

    /// Nor is anything that they do taken for a mistake of LocalData's.
    @Test func everyInvariantIsKept() throws {
        let options = Self.options(try #require(SearchSpace.builtIn))
        for number in 0..<120 {
            let violation = try #require(Explorer(options, byGrammar: number)).run(number).violation
            #expect(violation == nil, "run \(number): \(violation?.explanation ?? [])")
        }
    }

    /// Worlds that the grammar made, and what was once taken for a mistake in them.
    private static let suspected: [(world: String, source: String)] = [
        (
            "limits that a knob lowered",
            "key k: String\n    security none\n    sync automaticSmall\n\nknob context.limit 133 bytes\n\nphone set k \"a\"\nphone sync"
        ),
        (
            "a payload of the app's own that is too large",
            "key k: String\n\nwatch update context {\"pad\": data(262081 bytes)} fails payloadTooLarge"
        ),
        (
            "a payload of the app's own that no property list can hold",
            "key k: String\n\nwatch update context {\"e\": url(\"https://a.example\")} fails payloadUnsupportedTypes"
        ),
        (
            "a device that loses power while the app writes a file of its own",
            "key k: String\n    security none\n\nwatch set k \"first\"\nwatch write file \"Documents/a\" data(130 bytes) loses power at operation 5"
        ),
        (
            "a device that loses power in the step that comes next",
            "key k: String\n    security none\n\nwatch set k \"first\"\nwatch loses power at operation 1 of the next step\nwatch audit"
        ),
        (
            "a key that no catalog lists, and a rotation",
            "key k: Double\n    sync automaticSmall\n    unregistered\n\nwatch set k 5.5\nwatch rotate keys"
        ),
        (
            "secrets that are no more than a yes, or no time at all",
            "key k: Bool\n    domain encryptedFileSystem documents\nkey d: Date\n    domain fileSystem documents\n    sync automaticSmall\n\nphone set k true\nwatch set d date(\"2001-01-01T00:00:00Z\")"
        ),
        (
            "a link that takes a day",
            "start second watch\nkey k: String\n    security none\n    sync automaticSmall\n\nphone set k \"a\"\nlink latency 24h\nphone switches to watch2\nsettle"
        ),
        (
            "a link that took a week, and takes a moment again",
            "start second watch\nkey k: String\n    security none\n    sync automaticSmall\n\nphone switches to watch2\nlink latency 192h\nwait 1s\nlink latency 20ms\nsettle"
        ),
        (
            "storage that denies what is there, and a rotation",
            "key k: String\n    domain encryptedFileSystem caches\n\nphone set k \"first\"\nphone disk fails every read with ENOENT\nphone set k \"second\"\nphone rotate keys"
        ),
        (
            "an app that lets go of its delegate, and another watch",
            "start second watch\nkey k: String\n\nphone release delegate\nphone switches to watch2\nsettle"
        ),
        (
            "an app that lets go of its delegate, and syncs",
            "key k: Int\n    security none\n    sync automaticSmall\n\nwatch release delegate\nwatch set k 1\nwatch sync fails inputOutput"
        ),
        ("a snapshot of the app's own", "key k: String\n\nphone take snapshot as s\nphone apply snapshot s fails invalidSnapshot"),
        (
            "two keys of one name that declare another sync",
            "key k1: Date\n    name \"n\"\n    security none\n    sync automaticSmall\nkey k3: [Int]\n    name \"n\"\n    security none\n    unregistered\n\nphone get k3 fails notFound"
        ),
        (
            "bytes of one pattern in a value and in a file",
            "key k: Data\n\nwatch set k data(32 bytes)\nwatch write file \"Library/Caches/clip\" data(100 bytes)"
        ),
        (
            "bytes of one pattern in a value and in a context",
            "key k: Data\n    security none\n\nphone update context {\"pad\": data(300 bytes)}\nphone set k data(128 bytes)\nsettle"
        ),
        (
            "an app that completes no refresh task",
            "key k: String\n\nwatch never completes refresh tasks\nwatch terminate\nwatch refreshes in background\nsettle"
        ),
        (
            "a watch-only app and a refresh task",
            "key k: String\n\nstart watch-only app\nstart watch locked\n\nwatch refreshes in background\nsettle"
        ),
        (
            "an app that does not take contexts",
            "key k: Int\n    security none\n    sync automaticSmall\n\nphone app does not implement didReceiveApplicationContext\nphone relaunch\nwatch set k 1\nsettle"
        ),
        (
            "a choice to sync what only a later version has",
            "key k: Any\n    security none\n    since 2.0\n\nphone update to 2.0\nphone launch\nphone set k \"first\"\nphone overrides sync of k with manual\nsettle"
        ),
        (
            "a migration from a sealed key's place by its name",
            "key k1: String\n    sync automaticSmall\nkey k2: Int\n    security none\n    sync automaticSmall\n    migrates from userDefaults name \"k1\"\n\nphone set k1 \"first\"\nphone migrate all keys fails undeclaredPolicy"
        ),
        (
            "a context of the app's own that leaves no room",
            "key k: Int\n    security none\n\nphone update context {\"pad\": data(262072 bytes)}\nphone overrides sync of k with automaticSmall\nphone sync fails inputOutput"
        ),
        (
            "a key that only a version had which never ran since the app came back",
            "key k1: Data\n    security none\nkey k2: String\n    domain keychain service \"tmp-1\"\n    security keychain whenUnlockedThisDeviceOnly biometryAny\n    until 1.9\n\nphone plant k2 \"first\"\nphone uninstall\nphone install\nphone update to 2.0\nphone launch\nsettle"
        ),
        (
            "a secret that is as short as the name of a group is",
            "key k: String\n    domain appGroupUserDefaults \"ß\"\n    sync automaticSmall\n\nphone plant k \"ß\"\nsettle"
        ),
        (
            "two keys of one place",
            "key k1: String\n    name \"n\"\n    domain fileSystem documents\n    security none\n    unregistered\nkey k2: String\n    name \"n\"\n    domain fileSystem documents\n\nphone plant k1 \"first\"\nsettle"
        ),
        (
            "a dependent app whose session is observed",
            "key k: String\n\nstart dependent watch app\nstart unpaired\n\nwatch observes the session\nsettle"
        ),
        (
            "an app that lets go of its delegate, and a widget that begins",
            "key k: String\n    security none\n    sync automaticSmall\n\nwatch release delegate\nwatch widget launch\nwatch sync now fails inputOutput"
        ),
        (
            "a name of run time that is switched on, and an update",
            "key pin_1: String\n    security none\n    listed as \"pin_<id>\"\n\nphone overrides sync of pin_1 with automaticSmall\nwatch overrides sync of pin_1 with automaticSmall\nphone set pin_1 \"first\"\nwatch update to 1.0\nwatch launch\nphone sync\nwatch sync\nsettle"
        ),
        ("a link that comes and goes for days", "key k: String\n\nknob reachability.flapAfter 20s\nphone set k \"a\"\nwait 36h"),
    ]

    @Test(arguments: suspected.map(\.world)) func whatWasOnceSuspectedIsRight(world: String) throws {
        let suspect = try #require(Self.suspected.first { $0.world == world })
        let source = "# \(world).\n\n\(suspect.source)\n"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": source]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics.map(\.message))")
        let explorer = Explorer(Self.options(SearchSpace(scenario)))
        for (index, isVaried) in [(0, false), (0, true), (1, true), (2, true), (3, true), (4, true)] {
            let violation = explorer.run(index, isVaried: isVaried).violation
            #expect(violation == nil, "run \(index): \(violation?.invariant.rawValue ?? "") \(violation?.explanation ?? [])")
        }
    }

    /// A find that says what the app's own steps were told is one that fails at its last line, and not before.
    @Test func aRefusalOfTheAppsOwnIsWrittenDown() throws {
        let source = "# A.\n\nkey k: String\n\nwatch update context {\"e\": url(\"https://a.example\")}\nphone set k \"a\"\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": source])).scenarios.first)
        let result = CheckedRun.run(scenario, options: RunOptions())
        let found = FoundScenario(
            scenario, violation: Violation(.durability, step: 1, explanation: ["made up"]), outcomes: result.outcomes, notes: [],
            replay: "",
            options: RunOptions())
        #expect(found.text.contains("fails payloadUnsupportedTypes"), "\(found.text)")
    }

    private struct Same: OtherBuild {
        func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
            RunAccount(ofText: scenario, options: RunOptions(), isWhole: isWhole).map { .account($0) } ?? .none(.unknown)
        }
    }
}
