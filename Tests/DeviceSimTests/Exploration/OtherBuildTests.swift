import DeviceSim
import Foundation
import Testing

@testable import DeviceSimCore
@testable import DeviceSimSearch

/// Runs that are held against what another build makes of them.
@Suite struct OtherBuildTests {
    /// A build that reads the text otherwise, as one before a change would act otherwise.
    private struct Build: OtherBuild {
        var read: @Sendable (String) -> String = { $0 }

        func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
            RunAccount(ofText: read(scenario), options: RunOptions(), isWhole: isWhole).map { .account($0) } ?? .none(.unknown)
        }
    }

    /// One that understands nothing.
    private struct Silent: OtherBuild {
        func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer { .none(.unknown) }
    }

    private static let theme = """
        # A theme travels.

        key theme: String
            security  none
            sync      automaticSmall
        key volume: Int
            security  none

        link down
        phone set theme "dark"
        phone set volume 3
        link up
        settle
        """

    private static func explorer(_ other: any OtherBuild, over text: String? = nil) throws -> Explorer {
        let scenario = try text.map { text in
            try #require(ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": text])).scenarios.first)
        }
        var options = Explorer.Options(world: try #require(scenario.map(SearchSpace.init) ?? .builtIn))
        options.other = other
        options.recheckInterval = 0
        options.shrinkBudget = 400
        return Explorer(options)
    }

    /// No false alarms: what is drawn comes to the same as its text.
    @Test(arguments: [nil, theme]) func theSameBuildDiffersInNothing(over text: String?) throws {
        let explorer = try Self.explorer(Build(), over: text)
        for index in 0..<24 {
            let violation = explorer.run(index).violation
            #expect(violation == nil, "run \(index): \(violation?.explanation ?? [])")
        }
    }

    /// Nor is anything held against a build that cannot say what comes of a run.
    @Test func whatCannotBeComparedIsNoFind() throws {
        let explorer = try Self.explorer(Silent())
        for index in 0..<10 { #expect(explorer.run(index).violation == nil) }
    }

    /// A difference that the other build does not tell in full is none, and no agreement.
    @Test func whatIsNotToldInFullIsNotCompared() throws {
        struct Brief: OtherBuild {
            func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
                guard !isWhole, let account = RunAccount(ofText: "# A.\n\nsettle\n", options: RunOptions(), isWhole: false) else {
                    return .none(.late)
                }
                return .account(account)
            }
        }
        let outcome = try Self.explorer(Brief(), over: Self.theme).run(0)
        #expect(outcome.violation == nil && outcome.comparison == .notMade(.late))
    }

    /// Only runs that the other build has made too count as looked at.
    @Test(arguments: [true, false]) func coverageCountsWhatWasCompared(answers: Bool) throws {
        var options = try Self.explorer(answers ? Build() : Silent()).options
        options.coverage = CoverageRequest { _ in [] }
        let coverage = try #require(Explorer(options).run(0).coverage)
        #expect(coverage.count(of: .checks, named: Invariant.sameness.rawValue) == (answers ? 1 : 0))
        #expect(Explorer(options).run(0).comparison == (answers ? .made : .notMade(.unknown)))
    }

    /// What no invariant is about is found, and made small.
    @Test func whatComesOutOtherwiseIsFound() throws {
        let other = Build { $0.replacing("\nsettle\n", with: "\nsettle\nwait 7s\n") }
        let explorer = try Self.explorer(other, over: Self.theme)
        let index = try #require((0..<20).first { explorer.run($0).violation != nil })
        let violation = try #require(explorer.run(index).violation)
        #expect(violation.invariant == .sameness)
        let found = try #require(explorer.shrink(index, replay: "pairsim explore"))
        #expect(found.isConfirmed && found.violation.invariant == .sameness)
        #expect(found.stepCount <= 3, "\(found.text)")
        #expect(ScenarioCompiler.compile(path: "f", files: .memory(["f": found.text])).scenarios.count == 1)
        #expect(found.text.contains("A run comes out as with the other build."))
    }

    /// The first runs of a corpus are what is written, those without keys among them.
    @Test func whatIsWrittenIsCompared() throws {
        let bare = "# No keys.\n\nphone update context {\"n\": 1}\nsettle\n"
        let scenarios = [("bare", bare), ("theme", Self.theme)].flatMap { name, text in
            ScenarioCompiler.compile(path: name, files: .memory([name: text])).scenarios
        }
        func exploration(_ other: any OtherBuild) -> Exploration {
            Exploration(over: scenarios, hasOwnKeys: false, run: RunOptions()) { world in
                var options = Explorer.Options(world: world)
                options.other = other
                options.recheckInterval = 0
                options.shrinkBudget = 200
                return options
            }
        }
        let same = exploration(Build())
        #expect((0..<4).map { same.writtenName($0) } == [nil, nil, nil, nil])
        #expect((0..<4).compactMap { same.draw($0)?.scenario.name } == ["bare", "theme", "theme", "theme"])
        for index in 0..<6 { #expect(same.run(index).violation == nil) }
        let another = exploration(Build { $0.replacing("{\"n\": 1}", with: "{\"number\": 1}") })
        #expect(another.run(0).violation?.invariant == .sameness)
        #expect(another.shrink(0, replay: "")?.isConfirmed == true)
        #expect(another.run(1).violation == nil)
    }

    /// So that a short search has both: what is written in even turns, as it stands, and in the others what is drawn.
    @Test func everySecondRunIsDrawn() throws {
        let scenarios = ["one", "two", "three"].flatMap { name in
            ScenarioCompiler.compile(path: name, files: .memory([name: Self.theme])).scenarios
        }
        let exploration = Exploration(over: scenarios, hasOwnKeys: true, run: RunOptions()) { world in
            var options = Explorer.Options(world: world)
            options.other = Build()
            return options
        }
        let names = (0..<8).compactMap { exploration.draw($0)?.scenario.name }
        #expect([names[0], names[2], names[4]] == ["one", "two", "three"])
        #expect(
            [names[1], names[3], names[5], names[7]] == ["one", "built-in", "grammar", "built-in"],
            "drawn, in turns with keys of its own and what the grammar makes")
        #expect(exploration.runLimit == nil)
        let steps = try #require(exploration.draw(2)?.scenario.steps.prefix(4).map(\.action.notation))
        #expect(steps == scenarios[1].steps.prefix(4).map(\.action.notation))
    }

    /// A find is shown again by its file, so the seed that this names counts.
    @Test func whatIsWrittenHasTheSeedOfItsFile() throws {
        let seeded = try Self.explorer(Build(), over: Self.theme.replacing("link down", with: "seed 77\n\nlink down"))
        #expect(seeded.draw(0, isVaried: false).scenario.seed == 77)
        #expect(seeded.draw(0).scenario.seed != 77)
        #expect(try Self.explorer(Build(), over: Self.theme).draw(0, isVaried: false).scenario.seed != nil)
    }

    /// The sessions are looked at between the steps, and the end is asked for more than the steps are about, with no value in the answers.
    @Test func theEndIsAskedForEverything() throws {
        let text = Self.theme.replacing("dark", with: "aubergine")
        let account = try #require(RunAccount(ofText: text, options: RunOptions(), isWhole: true))
        let texts = account.answers.map(\.text)
        let wanted = [
            "before step 3, the session of phone:", "phone: audit:", "phone: plan of a rotation: none under way",
            "watch: files in documents of the app:",
            "phone: keychain get 'one': 3 B", "phone: keychain set '': fails: ", "phone: keychain exists no more: false",
            "watch: file read documents/closing.bin: 5 B", "phone: preference get 'closing': true", "phone: decrypt as closing: true",
            "phone: decrypt as another: fails: ", "phone: rotate and retire: ", "watch: audit behind the rotation: ",
        ]
        for beginning in wanted { #expect(texts.contains { $0.hasPrefix(beginning) }, "\(beginning)") }
        #expect(!texts.contains { $0.contains("aubergine") })
        #expect(account.things.contains { $0.place.hasSuffix(", after the closing work") })
    }

    /// One thing is wrong while the apps are asked once more, as the seed says.
    @Test(
        arguments: [
            (4, "locked, audit: "), (5, "without keychain.read, audit: "), (6, "without directory.list, audit: "),
            (7, "damaged, get theme: fails: "), (7, "damaged, audit behind the rotation: "),
        ]) func oneThingIsWrongAtTheEnd(seed: Int, answer: String) throws
    {
        let text = Self.theme.replacing("link down", with: "seed \(seed)\n\nlink down")
            .replacing("security  none\n    sync", with: "security  encrypted chacha20Poly1305 hkdf\n    sync")
        let texts = try #require(RunAccount(ofText: text, options: RunOptions(), isWhole: true)).answers.map(\.text)
        #expect(texts.contains { $0.hasPrefix("phone: " + answer) }, "\(texts.suffix(60))")
        for other in ["locked, ", "without ", "damaged, "] where !answer.hasPrefix(other) {
            #expect(!texts.contains { $0.hasPrefix("phone: " + other) })
        }
    }

    /// As a diff of the two builds: what is here alone is added.
    @Test func theDiffIsFromTheOtherBuildToThisOne() {
        let twin = PassingTwin(here: account(["a 1", "c 3"]), there: account(["a 1", "b 2"]))
        #expect(twin.diff == ["- b 2", "+ c 3"])
        #expect(twin.failingEvent == "c 3" && twin.passingEvent == "b 2")
    }

    /// A run that breaks an invariant there is no measure of anything: this build mends it.
    @Test func whatTheOtherBuildBreaksIsNoFind() throws {
        let text = Self.theme
        let own = try #require(RunAccount(ofText: text, options: RunOptions(), isWhole: true))
        #expect(own.broken == nil)
        struct Broken: OtherBuild {
            func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
                let account = RunAccount(ofText: scenario, options: RunOptions(), isWhole: isWhole)
                return .account(
                    RunAccount(
                        fingerprint: "0", broken: "durability: it was lost", events: [], kinds: [], answers: account?.answers ?? [],
                        things: []))
            }
        }
        let explorer = try Self.explorer(Broken(), over: text)
        for index in 0..<10 {
            let outcome = explorer.run(index)
            #expect(outcome.violation == nil && outcome.comparison == .notMade(.brokenThere))
        }
    }

    /// A run's watchdog looks for code that does not come back. The other build is none of it.
    @Test func waitingForTheOtherBuildIsNoStandstill() throws {
        struct Slow: OtherBuild {
            let watch: RunWatch

            func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
                let before = watch.beat
                waiting()
                return watch.beat > before ? .none(.late) : .none(.unknown)
            }
        }
        let watch = RunWatch()
        let explorer = try Self.explorer(Slow(watch: watch)).watched(by: watch)
        #expect(explorer.run(0).comparison == .notMade(.late))
    }

    /// The other build's operation 1 is this one's 40, which no step comes to.
    @Test func aFaultThatStrikesOnlyThereIsKept() throws {
        let other = Build { $0.replacing("crashes at operation 40", with: "crashes at operation 1") }
        let text = Self.theme.replacing("phone set volume 3", with: "phone set volume 3 crashes at operation 40\nphone launch")
        let explorer = try Self.explorer(other, over: text)
        #expect(explorer.run(0, isVaried: false).violation?.invariant == .sameness)
        let found = try #require(explorer.shrink(0, isVaried: false, replay: ""))
        #expect(found.isConfirmed && found.text.contains("crashes at operation 40"), "\(found.text)")
        let together = text.replacing("phone set volume 3 crashes", with: "together\n    phone set volume 3 crashes")
        let inBlock = try #require(try Self.explorer(other, over: together).shrink(0, isVaried: false, replay: ""))
        #expect(inBlock.isConfirmed && inBlock.text.contains("crashes at operation 40"), "\(inBlock.text)")
    }

    /// What is drawn can be asked about, printed and saved: its text is one scenario without errors.
    @Test(arguments: ["backup", "transfers", "extensions", "pairing", "storage", "switching", "sync", "migration"])
    func whatIsDrawnIsAScenario(folder: String) throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Scenarios/\(folder)").standardizedFileURL.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        var worlds = 0
        for name in names.sorted() where name.hasSuffix(".scenario") {
            for scenario in ScenarioCompiler.compile(path: "\(root)/\(name)").scenarios.prefix(1) where !scenario.keys.isEmpty {
                let explorer = Explorer(Explorer.Options(world: SearchSpace(MadeSecrets(scenario).scenario(with: [:]))))
                worlds += 1
                for index in 0..<2 {
                    let text = BuildComparison.text(of: explorer.draw(index).scenario)
                    let read = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
                    #expect(
                        read.scenarios.count == 1 && read.diagnostics.isEmpty, "\(name), run \(index): \(read.diagnostics.map(\.message))")
                }
            }
        }
        try #require(worlds > 0 || !FileManager.default.fileExists(atPath: root))
    }

    /// What is drawn twice, or beside a file's own of the same name, is there once; the second use of a label is no transfer.
    @Test func aNameIsGivenOnce() throws {
        let text = """
            # A backup.

            key theme: String
                security  none

            phone backup as monday
            phone take snapshot as first
            phone transfer user info {"a": 1} as one
            phone send message {"a": 1} as one
            mark begin
            together
                phone set theme "dark"
                watch backup as tuesday
            phone restore from monday
            """
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics.map(\.message))")
        let twice = GivenNames.settled(in: scenario.steps + scenario.steps).map(\.action.notation)
        #expect(
            twice.count == scenario.steps.count + 2 && twice[scenario.steps.count].contains("theme")
                && twice.last?.contains("restore") == true)
    }

    // MARK: What differs

    private func account(_ text: String) throws -> RunAccount {
        try #require(
            RunAccount(
                ofText: "# A.\n\nkey theme: String\n    security  none\n    sync      automaticSmall\n\n\(text)\n", options: RunOptions(),
                isWhole: true))
    }

    @Test func theFirstEventThatDiffersIsTold() throws {
        let (one, other) = (try account("phone set theme \"dark\"\nsettle"), try account("settle"))
        let told = one.differences(from: other)
        #expect(told.first == "context.updated where the other build has storage.failed")
        #expect(told.last?.contains("context.updated") == true)
        #expect(one.fingerprint != other.fingerprint)
        #expect(try account("settle") == other)
    }

    private func account(_ events: [String], things: [RunAccount.Thing] = []) -> RunAccount {
        let kinds = events.map { String($0.split(separator: " ")[0]) }
        return RunAccount(fingerprint: "\(events)", broken: nil, events: events, kinds: kinds, answers: [], things: things)
    }

    /// The event that only one of them has gives the find its name, and not the one that comes next.
    @Test func theEventThatIsMissingGivesTheName() {
        let (one, two) = (account(["a 1", "b 2", "c 3"]), account(["a 1", "c 3"]))
        #expect(one.differences(from: two).first == "one b more than with the other build")
        #expect(two.differences(from: one).first == "one b less than with the other build")
        #expect(account(["a 1", "b 2"]).differences(from: account(["a 1", "b 3"])).first == "another b than with the other build")
        #expect(account(["a 1", "b 2"]).differences(from: account(["a 1", "c 3"])).first == "b where the other build has c")
        #expect(account(["a 1"]).differences(from: two).first == "one c less than with the other build")
        #expect(two.differences(from: account(["a 1"])).first == "one c more than with the other build")
    }

    /// One storage operation more shows in each fault behind it, and is told where nothing else differs.
    @Test func operationsBeforeAFaultAreTheLastToBeTold() {
        let (one, two) = ("scenario.fault phone number=64 place=a effect=b", "scenario.fault phone number=65 place=a effect=b")
        let told = account(["a 1", one]).differences(from: account(["a 1", two]))
        #expect(told.first == "the same events, answers and things, and another number of storage operations than with the other build")
        #expect(told.last?.contains("number=64") == true && told.last?.contains("number=65") == true)
        #expect(account([one, "b 2"]).differences(from: account([two, "b 3"])).first == "another b than with the other build")
    }

    /// Values are told apart, and not shown.
    @Test func anotherValueIsTold() throws {
        let own = try account("link down\nphone set theme \"dark\"\nphone get theme")
        let other = try account("link down\nphone set theme \"grey\"\nphone get theme")
        #expect(own.events == other.events && own.fingerprint != other.fingerprint)
        let told = own.differences(from: other)
        #expect(told.first == "the same events, and another answer than with the other build")
        #expect(told.last == "another value here than there: `step 3, phone get theme: a value`")
    }

    @Test func whatLiesThereOtherwiseIsTold() throws {
        let own = try account("link down\nphone set theme \"dark\"")
        let thing = try #require(own.things.first { $0.place.contains("preference") && $0.place.hasSuffix(" theme") })
        func with(_ thing: RunAccount.Thing?) -> RunAccount {
            let others = own.things.filter { !($0.place.contains("preference") && $0.place.hasSuffix(" theme")) }
            return RunAccount(
                fingerprint: "", broken: nil, events: own.events, kinds: own.kinds, answers: own.answers,
                things: others + (thing.map { [$0] } ?? []))
        }
        func told(_ size: Int, _ standing: String, _ content: UInt64) -> String? {
            own.differences(from: with(.init(place: thing.place, size: size, standing: standing, content: content))).last
        }
        #expect(told(thing.size, thing.standing, thing.content &+ 1) == "\(thing.place): other bytes")
        #expect(told(thing.size + 1, thing.standing, thing.content) == "\(thing.place): here \(thing.size) B, there \(thing.size + 1) B")
        #expect(told(thing.size, "in no backup", thing.content) == "\(thing.place): here nothing besides, there in no backup")
        #expect(own.differences(from: with(nil)).last == "here, and not there: \(thing.place), \(thing.size) B")
        #expect(with(nil).differences(from: own).last == "there, and not here: \(thing.place), \(thing.size) B")
    }
}
