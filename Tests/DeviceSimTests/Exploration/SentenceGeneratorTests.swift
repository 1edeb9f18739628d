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

    /// The same number gives the same scenario.
    @Test func theSameNumberGivesTheSame() {
        for number in 0..<20 { #expect(Self.sentences(number) == Self.sentences(number)) }
        #expect(Set((0..<20).map(Self.sentences)).count == 20)
    }

    /// No false alarms: the same build differs in nothing, and what is drawn by the grammar is only compared.
    @Test func theSameBuildDiffersInNothing() throws {
        var options = Self.options(try #require(SearchSpace.builtIn))
        options.other = Same()
        options.comparesAlone = true
        for number in 0..<60 {
            let explorer = try #require(Explorer(options, byGrammar: number))
            let outcome = explorer.run(number)
            #expect(outcome.violation == nil, "run \(number): \(outcome.violation?.explanation ?? [])")
            #expect(outcome.comparison == .made, "run \(number)")
        }
    }

    private struct Same: OtherBuild {
        func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
            RunAccount(ofText: scenario, options: RunOptions(), isWhole: isWhole).map { .account($0) } ?? .none(.unknown)
        }
    }
}
