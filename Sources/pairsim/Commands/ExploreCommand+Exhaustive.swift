import DeviceSimLanguage
import Foundation

/// `pairsim explore --exhaustive FILE`: every order and every crash point of small scenarios.
extension ExploreCommand {
    /// Goes through the scenarios one after the other.
    func tryEverything(from begin: Double) {
        guard !settings.command.operands.isEmpty else {
            console.complain("--exhaustive tries every order of small scenarios: name a file, such as Scenarios/sync/no-echo.scenario")
            statuses.insert(.nothingSelected)
            return
        }
        if let shard = settings.undividedShard {
            console.remark("\(shard.origin): --exhaustive is not divided into shards, so this one tries everything; run it in one job")
        }
        introduceApp()
        var tried = 0
        for scenario in corpus {
            do throws(SmallWorld.Refusal) {
                let world = try SmallWorld(scenario, options: smallWorldOptions)
                tried += 1
                if scenario.hasExpectations {
                    tell(
                        "\(scenario.name): what it expects is passed over, every promise of LocalData is held; `pairsim run` holds the rest"
                    )
                }
                guard tryEverything(of: world, from: begin) else { break }
            } catch {
                console.print(console.style.paint("\(SafeText.line(scenario.name)): left out: \(error)", .dim))
            }
        }
        if tried == 0 {
            console.complain("nothing selected: no scenario is a small world")
            statuses.insert(.nothingSelected)
        }
        guard !settings.isQuiet || failures > 0, tried > 0 else { return }
        console.printGap()
        let start = statuses.contains(.interrupted) ? "interrupted: " : ""
        let text = start + summary(seconds: host.seconds() - begin) + reservation
        console.print(console.style.paint(text, failures > 0 ? .boldRed : .green))
    }

    var smallWorldOptions: SmallWorld.Options {
        var options = SmallWorld.Options()
        options.run = runOptions
        options.run.seed = settings.seed
        options.losesPower = settings.losesPower
        if let steps = settings.stepLimit { options.stepLimit = steps }
        return options
    }

    /// - Returns: Whether the next scenario's turn comes.
    private func tryEverything(of world: SmallWorld, from begin: Double) -> Bool {
        let (seconds, limit, interruption) = (host.seconds, settings.seconds.map { begin + $0 }, host.interruption)
        let isOver: @Sendable () -> Bool = { interruption.isRequested || limit.map { seconds() >= $0 } ?? false }
        let command = replay(of: world)
        CrashGuard.setName(command)
        let survey = world.survey()
        var places = world.crashPoints(in: survey).count
        console.printGap()
        tell(
            "Exploring every order and crash point of \(world.world.name): \(Plural.of(world.world.base.steps.count, "step")), seed \(settings.seed)"
        )
        introduce(world.world)
        tell(
            "in the plain order \(Plural.of(places, "crash point")), and \(Plural.of(survey.mostChoices, "moment")) with a choice of what runs next: "
                + "at least \(Plural.of(places + 1, "run"))")
        // Each crash point has the same share, so that what is left out does not depend on what was faster.
        let share = max(1, settings.runs == .max ? .max : settings.runs / (places + 1))
        var count = ExhaustiveCount(scenario: world.world.name)
        let plain = world.tally(nil, limit: share, isOver: isOver)
        take(plain, of: world, into: &count)
        let points = world.crashPoints(in: plain)
        places = points.count
        count.crashPoints = places
        // Each has one run at least; where there are fewer runs than crash points, the later ones have no turn.
        let left = settings.runs == .max ? Int.max : max(0, settings.runs - plain.runs)
        let pointShare = left == .max ? .max : max(1, left / max(1, places))
        if !count.isCutShort {
            tell(
                "without a crash \(Plural.of(plain.orders, "order")) that \(plain.orders == 1 ? "is" : "are") not equivalent to another: "
                    + "about \(Plural.of(plain.runs * (places + 1), "run")) in all")
        }
        var lastShown = begin
        _ = OrderedPool<SmallWorld.Tally?>(count: min(places, left)).run(jobs: settings.jobs, interruption: interruption) { place, _ in
            if isOver() { return nil }
            CrashGuard.setName(command)
            return world.tally(points[place], limit: pointShare, isOver: isOver)
        } consume: { _, tally in
            guard let tally else { return false }
            take(tally, of: world, into: &count)
            return true
        } waiting: {
            guard host.seconds() - lastShown >= 0.2 else { return }
            lastShown = host.seconds()
            console.progress(summary(seconds: host.seconds() - begin))
        }
        console.clearProgress()
        count.untried = places - count.tried
        count.limit = max(share, pointShare)
        if count.untried > 0 || count.isCutShort { count.isComplete = false }
        exhaustive.append(count)
        for line in count.lines { console.print(line) }
        if interruption.isRequested { statuses.insert(.interrupted) }
        return !isOver()
    }

    private func take(_ tally: SmallWorld.Tally, of world: SmallWorld, into count: inout ExhaustiveCount) {
        states.insert(tally.states)
        count.seen.insert(tally.states)
        count.states = count.seen.count
        count.orders += tally.orders
        count.leftOut += tally.leftOut
        count.runs += tally.runs
        if tally.point != nil { count.tried += 1 }
        if tally.isCutShort { count.cutShort += 1 }
        let first = done
        done += tally.runs
        failures += tally.failingRuns
        for failure in tally.failures { take(failure, at: tally.point, run: first + failure.order, of: world) }
    }

    private func take(_ failure: SmallWorld.Failure, at point: SmallWorld.CrashPoint?, run: Int, of world: SmallWorld) {
        take(failure.violation) { () -> FailingRun? in
            let note = [point.map { "\($0)" } ?? "no crash", failure.scenario.order.map { "order \($0)" } ?? "the plain order"]
                .joined(separator: ", ")
            return FailingRun(
                violation: failure.violation, scenario: failure.scenario, number: run, replay: replay(of: world), notes: [note],
                shrink: { world.shrink(failure, replay: $0) })
        }
    }

    private func replay(of world: SmallWorld) -> String {
        "pairsim explore --exhaustive \(ShellWord.quoted(world.world.name))\(settings.exhaustiveOptions)"
    }
}

extension Scenario {
    /// Whether it says what must come of its steps, or between them.
    fileprivate var hasExpectations: Bool {
        steps.contains { step in
            if case .expect = step.action { true } else { false }
        }
    }
}
