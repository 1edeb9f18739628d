import Foundation

/// What `pairsim explore` searches over, and what it says of that before it begins.
extension ExploreCommand {
    func selectCorpus() -> Bool {
        guard !settings.command.operands.isEmpty else {
            let unheeded = [OptionName.filter, .tag, .skipTag].first { !settings.command.texts($0).isEmpty }
            if let unheeded { console.complain("no file is named, so --\(unheeded.rawValue) leaves nothing out") }
            // Without a file it draws keys of the tool's own.
            guard exploration.appUse == .ownCode else { return true }
            console.complain(
                "nothing selected: the app under test does not use LocalData, so it has none of the keys that are drawn where no file is named; "
                    + "name scenarios that ask it for its actions (`phone app does …`), which are then varied")
            statuses.insert(.nothingSelected)
            return false
        }
        operands = settings.command.operands.map { " " + ShellWord.quoted($0) }.joined()
        let selection = Selection(settings.command, host: host, engine: engine)
        for trouble in selection.troubles {
            console.complain(trouble)
            statuses.insert(.cannotRun)
        }
        for file in selection.broken {
            for line in ProblemText.lines(of: file.problems, style: console.style, isPersonal: console.isPersonal) { console.print(line) }
            for problem in file.problems { console.answer(problem) }
            statuses.formUnion(file.problems.map(\.status))
        }
        corpus = selection.scenarios
        if exploration.appUse == .ownCode, settings.proposals != nil {
            console.complain("--propose writes scenarios about LocalData's keys, which the app under test does not have; leave it out")
            statuses.insert(.cannotRun)
            return false
        }
        let isVaried = settings.against != nil && !corpus.isEmpty || settings.isExhaustive && !corpus.isEmpty || !worlds.isEmpty
        guard !isVaried, statuses.isEmpty else { return isVaried && selection.broken.isEmpty }
        let keyless =
            "nothing selected: no scenario with keys, and none that asks an app under test for an action, so there is nothing to vary; "
            + "`pairsim run --orders N` runs one in N orders of what is ready"
        console.complain(selection.scenarios.isEmpty ? selection.emptyMessage : keyless)
        statuses.insert(.nothingSelected)
        return false
    }

    func introduce() {
        if let shard = settings.shard {
            let part =
                settings.runs == .max
                ? "one run of every \(shard.count)" : "\(shard.runCount(of: settings.runs)) of \(Plural.of(settings.runs, "run"))"
            console.introduce(shard, part: part)
        }
        guard !settings.isQuiet else { return }
        let drawsOwnKeys = settings.hasOwnKeys && exploration.appUse != .ownCode
        let scenarios = drawsOwnKeys ? worlds.count - 1 : worlds.count
        var over = worlds.count == 1 ? SafeText.line(worlds[0].name) : Plural.of(scenarios, "scenario")
        let varied = Set(worlds.map(\.name))
        let keyless = exploration.written.count { !varied.contains($0.name) }
        if keyless > 0 {
            let asWritten = "without keys, as \(keyless == 1 ? "it is" : "they are") written"
            over = worlds.isEmpty ? "\(Plural.of(keyless, "scenario")) \(asWritten)" : "\(over) and \(keyless) \(asWritten)"
        }
        if drawsOwnKeys, scenarios > 0 { over += " and keys of its own" }
        if let against = settings.against { over += " against \(SafeText.line(against))" }
        let extent = settings.seconds.map { "for \(Decimals.fixed($0, places: 0)) s" } ?? Plural.of(settings.runs, "run")
        let names = settings.strategies.map(\.rawValue).joined(separator: ", ")
        console.print(console.style.paint("Exploring \(over): \(extent), seed \(settings.seed), strategies \(names)", .dim))
        introduceApp()
        if worlds.count == 1 { introduce(worlds[0]) } else { introduceMany() }
        if resumed > 0 { console.print(console.style.paint("Going on after \(Plural.of(resumed, "run"))", .dim)) }
    }

    /// What the app under test is held to, and what it is not.
    func introduceApp() {
        guard engine.search.makeApp != nil else { return }
        if exploration.appUse == .ownCode, !settings.isExhaustive {
            tell(
                "the app under test does not use LocalData: it is asked for the actions of the scenarios, and nothing that belongs to LocalData is drawn"
            )
            let drawn = FaultKind.allCases.filter { FaultKind.borneByAnyApp.contains($0) }
            if let chosen = settings.faultKinds {
                let idle = FaultKind.allCases.filter { chosen.contains($0) && FaultKind.ofLocalDataAlone.contains($0) }.map(\.rawValue)
                if !idle.isEmpty {
                    tell("of the faults named, \(idle.joined(separator: ", ")) draw nothing: they are about LocalData's keys")
                }
                if chosen.contains(.switching), !worlds.contains(where: { $0.base.start.watch2 != nil }) {
                    tell("switching draws nothing: no scenario begins with `start second watch`")
                }
            } else {
                tell(
                    "faults drawn: \(drawn.map(\.rawValue).joined(separator: ", ")); --fault names others, such as reboot, power, reinstall, backup, pairing"
                )
            }
            if exploration.leftOutKeys > 0 {
                tell(
                    "\(Plural.of(exploration.leftOutKeys, "key")) of the scenarios and their steps are left out; an app that conforms to ValueKeeping answers for keys"
                )
            }
            for action in exploration.actionsOfOneValue {
                tell("the scenarios give the action \"\(action)\" one value alone: give it others too, or nobody sees which of two came")
            }
            if settings.command.has(.ownKeys) { tell("--own-keys draws nothing: the keys of the tool are none of the app's") }
        }
        if settings.only == nil { tell("what the app prints is left out" + (settings.isExhaustive ? "" : "; --only N shows it")) }
        let invariants = engine.search.invariants
        if !invariants.isEmpty {
            tell(
                "held to \(Plural.of(invariants.count, "invariant")) of the app: "
                    + invariants.map { "\"\($0.name)\"" }.joined(separator: ", "))
        } else if exploration.appUse == .ownCode {
            tell(
                "the app promises nothing of its own, so only endless work, code that waits for ever and a session that is over are found: name invariants, as in Pairsim.main(invariants: [.bothShow(\"theme\")])"
            )
        }
    }

    /// What is to be known of a scenario before anything is found in it: whose apps its devices run, and what is not held against them. What an app cannot do
    /// whose catalog LocalData refuses is not, nor is what nobody can hold against what was written.
    func introduce(_ world: SearchSpace) {
        if let note = world.base.noteOnApps { tell(note) }
        for refusal in world.refusedCatalogs {
            let versions = refusal.versions.map { "\($0)" }.joined(separator: ", ")
            let what = "the catalog '\(refusal.catalog)' of version \(versions)"
            let why = refusal.problems.joined(separator: "; ")
            tell("LocalData refuses \(what), so its keys need not sync, nor what else takes a registered catalog: \(why)")
        }
        let unknown = world.keysOfUnknownValue
        for (reason, keys) in unknown {
            tell("what \(keys.joined(separator: ", ")) \(keys.count == 1 ? "holds" : "hold") is not checked: \(reason)")
        }
        guard !unknown.isEmpty else { return }
        tell(
            "of such a key no value is found that is lost, comes back, is not moved, differs on the other device, or is secured or audited otherwise than declared, "
                + "and no operation that fails for no reason; operations without an end and secrets that lie readable are found"
        )
        let made = world.keysMadeOfOthers
        guard !made.isEmpty else { return }
        tell(
            "that \(made.joined(separator: ", ")) \(made.count == 1 ? "is" : "are") made of the last that was set is checked in runs in which values are only set, and apps are only closed and updated"
        )
    }

    /// The keys of each scenario of which a search says no more than that, by the scenario's name.
    var unchecked: [String: [String]] {
        let found = worlds.map { ($0.base.name, $0.keysOfUnknownValue.flatMap(\.keys)) }.filter { !$0.1.isEmpty }
        return Dictionary(found) { first, _ in first }
    }

    /// A search over many files says how many there are. Whose apps they run it says where it has found something.
    private func introduceMany() {
        let refusing = worlds.count { !$0.refusedCatalogs.isEmpty }
        if refusing > 0 {
            let files = refusing == 1 ? "1 of them has a catalog" : "\(refusing) of them have catalogs"
            tell("\(files) that LocalData refuses to register; a search over one file says why")
        }
        let unknown = worlds.count { !$0.keysOfUnknownValue.isEmpty }
        if unknown > 0 {
            let files = unknown == 1 ? "1 of them has" : "\(unknown) of them have"
            tell("\(files) keys of which it is not checked what they hold; a search over one file says which, and what is checked of them")
        }
    }

    /// What is said by the way.
    func tell(_ text: String) {
        if !settings.isQuiet { console.print(console.style.paint(SafeText.line(text), .dim)) }
    }
}
