import DeviceSimLanguage
import Foundation

/// What was found: told, made small and saved in one way, whatever made the run.
extension ExploreCommand {
    /// A failing run, with what only the search that made it knows.
    struct FailingRun {
        let violation: Violation
        let scenario: Scenario
        let number: Int
        /// The command line that makes it once more, as a person types it.
        let replay: String
        /// What else there is to say of it, such as where it was cut short.
        var notes: [String] = []
        /// Makes it small, given the command that makes it; `nil`: it is as small as it gets.
        var shrink: (@Sendable (_ replay: String) -> FoundScenario?)?
    }

    /// A failing run of a search that draws.
    func take(_ violation: Violation, of index: Int) {
        failures += 1
        take(violation) { () -> FailingRun? in
            guard let scenario = exploration.draw(index)?.scenario else { return nil }
            var run = FailingRun(violation: violation, scenario: scenario, number: index, replay: replay(index))
            if exploration.writtenName(index) == nil { run.shrink = { [exploration] in exploration.shrink(index, replay: $0) } }
            return run
        }
    }

    /// - Parameter run: Asked only where no failure of this kind was met before; `nil` where there is no such run.
    func take(_ violation: Violation, _ run: () -> FailingRun?) {
        statuses.insert(violation.invariant.status)
        guard !found.contains(where: { $0.signature == violation.signature }), let run = run() else { return }
        let cause =
            violation.invariant == .determinism && engine.search.makeApp != nil
            ? ["code of an app often goes by the order of a Dictionary or a Set, as JSONEncoder does without .sortedKeys"] : []
        let explanation = violation.sentences + run.notes + cause + [run.scenario.noteOnApps].compactMap(\.self)
        var failure = FoundFailure(
            invariant: violation.invariant, detail: violation.signature.detail,
            explanation: SecretMarks.marked(explanation, of: run.scenario), run: run.number, replay: run.replay)
        if violation.invariant != .determinism, !violation.isStall { failure.small = small(run) }
        found.append(failure)
        console.printGap()
        let folder = settings.folder.map { FoundFolder(path: $0, files: host.files) }
        if !console.show(failure, savingIn: folder) { statuses.insert(.cannotRun) }
    }

    /// The command line that makes a run once more, by its number.
    var replay: @Sendable (Int) -> String {
        let (exploration, search) = (exploration, "pairsim explore\(operands)\(settings.drawOptions)")
        return { index in
            exploration.writtenName(index).map { "pairsim run \(ShellWord.quoted($0))" } ?? "\(search) --only \(index)"
        }
    }

    /// On a thread of its own, which is left alone when the user wants to stop: some failures take minutes.
    private func small(_ run: FailingRun) -> FoundFailure.Small? {
        guard let shrink = run.shrink else { return nil }
        console.progress("making run \(run.number) small")
        var small: FoundFailure.Small?
        let (command, replay) = (run.replay, "\(host.program)\(run.replay.dropFirst("pairsim".count))")
        _ = OrderedPool<FoundScenario?>(count: 1).run(jobs: 1, interruption: host.interruption) { _, _ in
            CrashGuard.setName(command)
            return shrink(replay)
        } consume: { _, result in
            small = result.map {
                .init(text: $0.text, slug: $0.slug, steps: $0.stepCount, isConfirmed: $0.isConfirmed, understanding: FoundUnderstanding($0))
            }
            return true
        } waiting: {
        }
        console.clearProgress()
        return small
    }
}
