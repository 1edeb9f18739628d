import DeviceSim
import Foundation
import Testing

@testable import DeviceSimRunner
@testable import DeviceSimSearch
@testable import Specimens

/// A search over an app that does not use LocalData: its actions are drawn, and it is held to its own invariants.
@Suite struct OwnCodeSearchTests {
    private static let text = """
        # A theme goes over.

        phone app does "choose" with "dark"
        watch app does "choose" with "light"
        phone app does "choose" with "sepia"
        settle

        """

    /// What such an app must bear: not that its data, which are in the contexts, are taken away.
    private static let bearable: Set<FaultKind> = [.link, .latency, .lifecycle, .crash, .lock, .together, .duplicates]

    private func exploration(
        _ mistake: ThemeInContexts.Mistake?, of text: String = text, hasOwnKeys: Bool = false,
        invariants: [AppInvariant] = [.bothShow("theme")],
        faultKinds: Set<FaultKind>? = bearable
    ) throws -> Exploration {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        var run = RunOptions()
        run.makeApp = { _ in ThemeInContexts(mistake) }
        run.invariants = invariants
        // What never comes to rest is known soon.
        run.waitWorkLimit = 20_000
        return Exploration(over: [scenario], hasOwnKeys: hasOwnKeys, run: run) { world in
            var options = Explorer.Options(world: world)
            options.run = run
            options.faultKinds = faultKinds
            return options
        }
    }

    private func first(
        of exploration: Exploration, among count: Int, where isMeant: (Violation) -> Bool = { _ in true }
    ) -> (run: Int, violation: Violation)? {
        for index in 0..<count { if let violation = exploration.run(index).violation, isMeant(violation) { return (index, violation) } }
        return nil
    }

    @Test func anAppThatKeepsWhatItPromisesIsNoFind() throws {
        let exploration = try exploration(nil)
        #expect(exploration.appUse == .ownCode && exploration.worlds.count == 1)
        let find = first(of: exploration, among: 150)
        #expect(find == nil, "run \(find?.run ?? 0): \(find?.violation.explanation ?? [])")
    }

    @Test(arguments: [ThemeInContexts.Mistake.takesWhatComes, .takesWhatCameAtLaunch])
    func whatItPromisesAndDoesNotKeepIsFound(_ mistake: ThemeInContexts.Mistake) throws {
        let exploration = try exploration(mistake)
        let find = try #require(first(of: exploration, among: 150))
        #expect(find.violation.invariant == .app)
        #expect(find.violation.explanation.first == "\"both show the same theme\" does not hold")
        #expect(find.violation.explanation.dropFirst().allSatisfy { $0.contains(" app shows \"theme\" ") })
        // What is printed fails with the mistake, passes without it, and asks for nothing that the app does not have.
        let found = try #require(exploration.shrink(find.run, replay: "pairsim explore a"))
        #expect(found.isConfirmed, "\(found.text)")
        #expect(found.text.contains("expect invariant \"both show the same theme\"") && found.stepCount <= 8, "\(found.text)")
        let compilation = ScenarioCompiler.compile(path: "found", files: .memory(["found": found.text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        func outcome(_ mistake: ThemeInContexts.Mistake?) -> ScenarioResult.Outcome {
            var options = RunOptions()
            options.makeApp = { _ in ThemeInContexts(mistake) }
            options.invariants = [.bothShow("theme")]
            return ScenarioRunner.run(scenario, options: options).outcome
        }
        #expect(outcome(nil).status == 0, "\(outcome(nil).failure?.message ?? ""): \(found.text)")
        #expect(outcome(mistake).status == 1)
    }

    /// What is found is called by what the app promises.
    @Test func aFindHasTheNameOfTheInvariant() throws {
        let exploration = try exploration(.takesWhatComes)
        let find = try #require(first(of: exploration, among: 150))
        let found = try #require(exploration.shrink(find.run, replay: "pairsim explore a"))
        #expect(found.text.hasPrefix("# \"both show the same theme\" does not hold.\n"), "\(found.text)")
        #expect(found.slug == "app-both-show-the-same-theme")
    }

    /// What never comes to rest is not waited for in the file that shows it: that would take a minute.
    @Test func anEndlessFindIsShownWithoutARest() throws {
        let exploration = try exploration(.answersEachContext, invariants: [], faultKinds: [])
        let find = try #require(first(of: exploration, among: 20) { $0.invariant == .quiet })
        let found = try #require(exploration.shrink(find.run, replay: "pairsim explore a"))
        #expect(found.isConfirmed && !found.text.contains("settle"), "\(found.text)")
    }

    /// Nobody uses an app that is suspended, or in the background, or on a locked device.
    @Test(arguments: ["phone background", "phone background\nphone suspend", "phone lock", "phone reboot\nphone launch in background"])
    func nobodyUsesAnAppThatIsNotInFront(_ steps: String) throws {
        func result(_ steps: String) throws -> CheckedResult {
            let text = "# A.\n\n\(steps)\nphone app does \"choose\" with \"dark\"\n"
            let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
            var options = RunOptions()
            options.makeApp = { _ in ThemeInContexts(nil) }
            return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"), options: options)
        }
        #expect(try result(steps).outcomes.last == [.impossible])
        #expect(try result("settle").outcomes.last == [.succeeded])
    }

    /// Every order and crash point of a few actions.
    @Test func actionsAreASmallWorld() throws {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.text]))
        var options = SmallWorld.Options()
        options.run.makeApp = { _ in ThemeInContexts(.takesWhatComes) }
        options.run.invariants = [.bothShow("theme")]
        let world = try SmallWorld(try #require(compilation.scenarios.first), options: options)
        #expect(world.tally(nil, limit: 60).failures.contains { $0.violation.invariant == .app })
        options.run.makeApp = nil
        #expect(throws: SmallWorld.Refusal.empty) { try SmallWorld(try #require(compilation.scenarios.first), options: options) }
    }

    /// An app that says nothing of itself is held to what every app must do.
    @Test func aTaskThatIsLeftOpenIsFoundWithoutInvariants() throws {
        let waking = try exploration(.leavesTasksOpen, invariants: [], faultKinds: nil)
        let find = try #require(first(of: waking, among: 300))
        #expect(find.violation.explanation.first?.contains("0xc51bad02") == true, "\(find.violation.explanation)")
    }

    /// It is looked after each step, too, where an invariant says so.
    @Test func whatMustHoldAfterEachStepIsLookedForThere() throws {
        let never = AppInvariant("the phone never shows sepia", .afterEachStep) { try $0.phone("theme") != .string("sepia") }
        let exploration = try exploration(nil, invariants: [never])
        let find = try #require(first(of: exploration, among: 60))
        let found = try #require(exploration.shrink(find.run, replay: "pairsim explore a"))
        #expect(found.isConfirmed && found.text.contains("expect invariant \"the phone never shows sepia\""), "\(found.text)")
        #expect(!found.text.contains("Everything works again"))
        // At rest it holds, whatever happened before.
        let always = AppInvariant("both always show the same", .afterEachStep) { try $0.phone("theme") == $0.watch("theme") }
        #expect(try first(of: self.exploration(nil, invariants: [always]), among: 20)?.violation.invariant == .app)
        let atLast = AppInvariant("both show the same in the end") { try $0.phone("theme") == $0.watch("theme") }
        #expect(try first(of: self.exploration(nil, invariants: [atLast]), among: 20) == nil)
    }

    /// An invariant may be about what was done.
    @Test func whatWasDoneIsTold() throws {
        let counted = AppInvariant("at most two choices") { apps in apps.actions.count { $0.name == "choose" && $0.isDone } <= 2 }
        let find = try #require(first(of: try exploration(nil, invariants: [counted]), among: 20))
        #expect(find.violation.explanation == ["\"at most two choices\" does not hold"])
    }

    /// Nothing that belongs to LocalData is drawn, and no fault but those that are named. Its storage's faults are only where they are.
    @Test func nothingOfLocalDataIsDrawn() throws {
        let withKeys = Self.text.replacing(
            "phone app does \"choose\" with \"dark\"",
            with: "key volume: Int\n    sync  automaticSmall\n\nphone set volume 3\nphone app does \"choose\" with \"dark\"")
        for (kinds, forbidden) in [
            (nil, ["disk fails", "keychain fails", "free space"]), (Self.bearable, ["power", "reboot", "unpair", "install"]),
        ] {
            let exploration = try exploration(nil, of: withKeys, hasOwnKeys: true, faultKinds: kinds)
            #expect(exploration.leftOutKeys == 1 && exploration.worlds.count == 1)
            var actions = 0
            for index in 1..<60 {
                let scenario = try #require(exploration.draw(index)).scenario
                #expect(scenario.keys.isEmpty)
                for step in scenario.steps {
                    if case .data = step.action { Issue.record("run \(index): \(step.action.notation)") }
                    if case .device(let device) = step.action, case .perform = device.action { actions += 1 }
                    #expect(!forbidden.contains { step.action.notation.contains($0) }, "run \(index): \(step.action.notation)")
                }
            }
            #expect(actions > 100)
        }
    }

    /// A scenario of an app that has no such invariant says what there is.
    @Test func anUnknownInvariantSaysWhatThereIs() throws {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": "# A.\n\nexpect invariant \"both show\"\n"]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        var options = RunOptions()
        options.makeApp = { _ in ThemeInContexts(nil) }
        #expect(ScenarioRunner.run(scenario, options: options).outcome.failure?.message.contains("Pairsim.main(invariants:)") == true)
        options.invariants = [.bothShow("theme")]
        let message = ScenarioRunner.run(scenario, options: options).outcome.failure?.message
        #expect(message == "the app under test has no invariant \"both show\"; it has \"both show the same theme\"")
    }

    /// One whose app shows no such thing does not hold, and says why; while an app does not run, nothing is known.
    @Test func anInvariantThatCannotBeToldFailsAScenario() throws {
        let compilation = ScenarioCompiler.compile(
            path: "a", files: .memory(["a": "# A.\n\nphone terminate\nexpect invariant \"both show the same theme\"\n"]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        var options = RunOptions()
        options.makeApp = { _ in ThemeInContexts(nil) }
        options.invariants = [.bothShow("theme")]
        #expect(ScenarioRunner.run(scenario, options: options).outcome.failure?.message.contains("cannot be told") == true)
        let mistyped = try exploration(nil, invariants: [.bothShow("thema")])
        let find = try #require(first(of: mistyped, among: 10))
        #expect(find.violation.explanation.last?.contains("there is no 'thema'") == true, "\(find.violation.explanation)")
    }

    /// An app that registers a catalog uses LocalData, and one that answers for keys keeps them itself.
    @Test func howAnAppKeepsItsValuesIsFoundOut() {
        var options = RunOptions()
        #expect(AppUse(of: options) == .localData)
        options.makeApp = { _ in ThemeInContexts(nil) }
        #expect(AppUse(of: options) == .ownCode)
        options.makeApp = { _ in ReferenceApp(catalogs: []) }
        #expect(AppUse(of: options) == .localData)
    }
}
