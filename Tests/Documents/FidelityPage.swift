import DeviceSimCatalogue
import DeviceSimCore

/// The page `FIDELITY.md`, made from the table of rules.
enum FidelityPage {
    static var markdown: String {
        let rules = SessionRule.table
        let standings = rules.map(\.standing.word)
        func count(_ word: String) -> Int { standings.count { $0 == word } }
        let openCount = rules.count { $0.kinds.contains(.open) || $0.kinds.contains(.disputed) }
        let knobCount = Knobs.table.count { $0.rule.map { SessionRule(named: $0) != nil } ?? false }
        let unreadCount = rules.flatMap(\.evidence).count { !$0.isRead }
        let lines = [
            "# How faithful the simulated session is",
            "",
            "<!-- Made from the table of rules by `swift run documents`. -->",
            "",
            "**Nothing here was checked on real hardware.** The simulated session follows \(rules.count) rules about how Apple's WatchConnectivity",
            "behaves. They were gathered from public material, and this page says of each what the simulation makes of it.",
            "",
            "| What is done | Rules | |",
            "| --- | --- | --- |",
            "| simulated | \(count("simulated")) | as the sentence says |",
            "| simplified | \(count("simplified")) | more plainly than it is; the table says how |",
            "| left out | \(count("left out")) | the table says why |",
            "",
            "| Known from | Rules | |",
            "| --- | --- | --- |",
        ]
        let evidence = SessionRule.Evidence.Kind.allCases.map { kind in
            "| \(kind.phrase) | \(rules.count { $0.kinds.contains(kind) }) | \(meaning(of: kind)) |"
        }
        let outline = [
            "",
            "A rule may be of several kinds: part of it documented, part inferred. The table names each source by its title, with its own words where they",
            "say less than the rule, or something else; a rule that two official sources tell in two ways has both. Of \(unreadCount) citations it says that they are",
            "by a review, not read: that review of November 2026 reported them, and the source was not found again where this project can look.",
            "",
            "Of what is not known or disputed (\(openCount) rules), and of what differs among devices, the simulation assumes something. \(knobCount) settings",
            "change that,",
            "in scenarios (`knob context.duplicates true`) and in Swift (`Knobs`); [the grammar](Scenarios/GRAMMAR.md) has all of them with their ranges. A",
            "search draws some of them, so that code is not right by a guess of ours only.",
            "",
            "*Seen on* has the devices and systems whose logs confirm or contradict a rule. It is empty until somebody sends a log:",
            "[DeviceLab](Examples/DeviceLab/README.md) makes them, and `pairsim observe` reads them.",
            "",
            "Each rule is covered by a scenario or a test that names it: `pairsim list --rules` says which. What developers run into because of these rules",
            "is in [the catalogue of troubles](Scenarios/troubles/README.md).",
        ]
        let sections = SessionRule.topics.flatMap { section($0.title, $0.rules) }
        return (lines + evidence + outline + beyondTheRules + sections + published).joined(separator: "\n") + "\n"
    }

    /// What no rule speaks of, and what one might expect all the same.
    private static let beyondTheRules = [
        "",
        "What no rule speaks of:",
        "",
        "- The link is up or down, with one latency. While it is up it loses and reorders nothing; Bluetooth, Wi-Fi and the network",
        "  are not told apart.",
        "- An app ends, or is suspended, by a step or by the time that a wake gives it. The system ends none for want of memory or by a watchdog.",
        "- All code of a run shares one thread, in the order in which it became ready, or in one that `--orders` draws (`order` in a scenario); the seed does not",
        "  change it. Races between threads are not found; a sanitizer finds those.",
        "- Of an app's extensions there is one widget. It has no session, as extensions have none, which developers report and Apple's pages do not say. The",
        "  other process sees a set of shared preferences at once. Its own container is in no backup here.",
        "- Energy, temperature and what the system thinks opportune decide nothing.",
        "",
        "What an app's own code finds otherwise than on devices, so that a mistake is not seen, or one that is none:",
        "",
        "- A `Timer` that is made off the main thread fires all the same, on the main queue. On a device it never does, unless that thread runs a run loop, and the",
        "  session's callbacks come on none.",
        "- A request of `URLSession` is answered at once, also for a task that was cancelled: nothing comes between a request and its answer.",
        "- A queue with the attribute `concurrent` runs one block at a time: a `sync` within a `sync` of it waits for ever, and a missing barrier is not seen. The global",
        "  queues do not.",
        "- Code that blocks in a task starves no pool of threads. Work that `sync` from the main thread waits for runs as if on the main thread.",
        "- A device never sleeps, so the clocks that stop then do not. A scenario's `wait` is time awake.",
        "- The time of `beginBackgroundTask` begins with the call, also in the foreground; it does not put off a suspension, and a task that is left open costs nothing.",
        "  `performExpiringActivity` is never told of its end, an extended session keeps nothing running, and `BGTaskScheduler` calls its handlers on a global queue,",
        "  forgets its requests with the process and calls no expiration handler.",
        "- An app is told that it resigns once it counts as in the background: a message that it sends then finds nobody reachable. On devices it is told before.",
        "  `protectedDataWillBecomeUnavailable` is not posted.",
        "- `UserDefaults.didChangeNotification` is not posted. On devices what observes it runs on the thread that made the change, before that returns.",
        "- `UserDefaults` stores a URL as text, and gives a stored flag as `Bool`, which no number can be cast from.",
        "- The keychain keeps no labels, and does not look for `kSecAttrGeneric`, ports, paths and protocols: a query matches whatever they are.",
        "- `Data.write(to:)` without `.atomic` that a crash cuts short leaves no file, where a device leaves an empty or short one. A folder's contents come sorted, and",
        "  files have no dates.",
        "- Whether a transfer that is refused at once is always told by `didFinish` (W7, W83, W85) is in doubt: two published logs have a session drop that notification.",
    ]

    /// What came of holding the rules against what is published.
    private static var published: [String] {
        let beginning = [
            "", "## What is published, row by row", "",
            "The rules were held against public documentation, sessions, headers and reports in November 2026. What they contradicted, or did not speak of,",
            "and what covers it now:",
        ]
        return beginning
            + PublishedClaim.topics.flatMap { title, claims in
                ["", "**\(title)**", "", "| What | Rules | Covered by | Knobs |", "| --- | --- | --- | --- |"] + claims.map(row)
            }
    }

    private static func row(_ claim: PublishedClaim) -> String {
        let rules = claim.rules.compactMap { SessionRule(named: "W\($0)") }
        let files = claim.scenarios.map { path in "[\(path.dropLast(".scenario".count))](Scenarios/\(path))" }
        let knobs = Set(rules.flatMap(\.knobs).map { "`\($0.name)`" }).sorted()
        let covers = files + claim.tests.map { "`\($0)`" } + [claim.note].compactMap { $0 }
        return
            "| \(claim.claim) | \(rules.map(\.name).joined(separator: ", ")) | \(covers.joined(separator: ", ")) | \(knobs.joined(separator: ", ")) |"
    }

    private static func meaning(of kind: SessionRule.Evidence.Kind) -> String {
        switch kind {
        case .documented: "its documentation, sample code, sessions, or comments in public headers"
        case .observed: "published in issues, forums and articles"
        case .inferred: "follows from what is known; nobody says it"
        case .open: "not published"
        case .disputed: "published in two ways that contradict each other"
        }
    }

    private static func section(_ title: String, _ rules: [SessionRule]) -> [String] {
        let standard = Knobs()
        let rows = rules.map { rule in
            let knobs = rule.knobs.map { "`\($0.name)` (`\(standard[$0])`)" }.joined(separator: ", ")
            let remark = rule.standing.remark.map { ": \($0)" } ?? ""
            let cells = [
                rule.name, rule.sentence, rule.citations.joined(separator: "; "), rule.standing.word + remark, knobs,
                rule.sightings.map(\.phrase).joined(separator: "; "),
            ]
            return "| "
                + cells.map { $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }.joined(separator: " | ")
                + " |"
        }
        return [
            "", "## \(title)", "", "| Rule | On devices | Known from | Here | Knobs (default) | Seen on |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
            + rows
    }
}
