/// Something that was found published where the rules were held against public documentation, and said otherwise or nothing.
struct PublishedClaim: Sendable, Hashable {
    /// In a few words.
    let claim: String
    /// The rules that say so now, by number; none for what is of the device, and not of the session.
    let rules: [Int]
    /// Scenario files, by their paths in the folder `Scenarios`.
    let scenarios: [String]
    /// Suites of tests.
    let tests: [String]
    /// Where it is no more than a citation, what it says now.
    let note: String?

    init(_ claim: String, _ rules: [Int] = [], scenarios: [String] = [], tests: [String] = [], note: String? = nil) {
        self.claim = claim
        self.rules = rules
        self.scenarios = scenarios
        self.tests = tests
        self.note = note
    }

    /// By topic, in the order of their weight.
    static let topics: [(title: String, claims: [PublishedClaim])] = [
        ("Where the simulation contradicted Apple", corrections),
        ("Where Apple contradicts itself", contradictions),
        ("What developers have seen", sightings),
        ("What was called documented and is not", citations),
        ("What is documented, and no rule covered", additions),
        ("Data protection", protection),
    ]

    private static let corrections = [
        PublishedClaim(
            "files in the Simulator", [112], scenarios: ["transfers/simulator-mode.scenario", "transfers/simulator-files.scenario"]),
        PublishedClaim(
            "a refresh task that is left open", [110],
            scenarios: [
                "waking/task-never-completed.scenario", "waking/task-that-only-suspends.scenario",
                "troubles/p24-task-left-open/trouble.scenario",
            ]),
        PublishedClaim(
            "messages while the session is inactive", [12, 13],
            scenarios: [
                "switching/messages-are-cancelled.scenario", "switching/messages-go-on.scenario",
                "troubles/p31-cancelled-by-a-switch/trouble.scenario",
            ], tests: ["SwitchingTests"]),
        PublishedClaim(
            "an activation that ends inactive", [3],
            scenarios: [
                "switching/inactive-at-launch.scenario", "switching/activated-beside-old-content.scenario",
                "troubles/p32-inactive-without-an-error/trouble.scenario",
            ],
            tests: ["SwitchingTests"]),
        PublishedClaim(
            "`watchDirectoryURL`: valid while inactive, and when it goes", [15, 24],
            scenarios: ["pairing/watch-directory.scenario", "troubles/p33-watch-directory-emptied/trouble.scenario"],
            tests: ["SwitchingTests"]),
        PublishedClaim(
            "unpairing erases the watch", [26, 27],
            scenarios: [
                "pairing/erased-when-unpaired.scenario", "pairing/unpaired-in-range.scenario", "pairing/unpaired-out-of-range.scenario",
                "troubles/p34-erased-with-the-watch/trouble.scenario",
            ]),
    ]

    private static let additions = [
        PublishedClaim(
            "wrist, frontmost time, Always On, crown, palm", [113, 114, 115, 116],
            scenarios: [
                "wrist/glance.scenario", "wrist/frontmost-time.scenario", "wrist/crown-and-palm.scenario", "wrist/always-on.scenario",
                "troubles/p25-wrist-goes-down/trouble.scenario",
            ], tests: ["WristTests"]),
        PublishedClaim("workout, location and audio sessions", [117], scenarios: ["wrist/workout.scenario"], tests: ["WristTests"]),
        PublishedClaim(
            "opting out of several watches", [118],
            scenarios: [
                "switching/opted-out.scenario", "switching/opted-out-in-background.scenario",
                "troubles/p36-ended-after-a-switch/trouble.scenario",
            ], tests: ["SwitchingTests"]),
        PublishedClaim("files may be too large", [119], scenarios: ["transfers/file-too-large.scenario"]),
        PublishedClaim(
            "dependent and independent watch apps", [120, 121],
            scenarios: ["pairing/dependent-watch-app.scenario", "pairing/independent-watch-app.scenario"]),
        PublishedClaim(
            "what is queued when the counterpart's app is removed", [122], scenarios: ["transfers/counterpart-app-removed.scenario"]),
        PublishedClaim("the first load of a complication", [123], scenarios: ["complication/first-load.scenario"]),
        PublishedClaim(
            "what is computed in the background", [124],
            scenarios: [
                "waking/computes-too-much.scenario", "waking/crash-code-of-computing.scenario",
                "waking/computing-is-free-in-front.scenario",
            ]),
        PublishedClaim("key-value observing of the session", [125], tests: ["ObservingTests"]),
    ]

    private static let contradictions = [
        PublishedClaim(
            "what the session shows while the wrist is down", [30, 31, 33, 113, 114],
            scenarios: [
                "wrist/glance.scenario", "wrist/still-in-the-foreground.scenario", "troubles/p25-wrist-goes-down/trouble.scenario",
            ]),
        PublishedClaim(
            "a complication info without the complication on the face", [95],
            scenarios: ["complication/without-the-face.scenario", "troubles/p27-not-on-the-face/trouble.scenario"],
            tests: ["ContestedRuleTests"]),
        PublishedClaim(
            "complication infos and WidgetKit", [96],
            scenarios: ["complication/widgetkit.scenario", "troubles/p28-the-face-is-old/trouble.scenario"], tests: ["ContestedRuleTests"]),
        PublishedClaim(
            "a widget in the Smart Stack alone", [95],
            scenarios: ["complication/smart-stack.scenario", "troubles/p29-smart-stack-alone/trouble.scenario"]),
        PublishedClaim(
            "until when a transfer is outstanding", [84],
            scenarios: ["transfers/ends-with-receipt.scenario", "troubles/p30-finished-is-not-stored/trouble.scenario"],
            tests: ["ContestedRuleTests"]),
    ]

    private static let sightings = [
        PublishedClaim(
            "`isWatchAppInstalled` is false, and sends work", [25],
            scenarios: [
                "pairing/looks-missing.scenario", "pairing/installed-and-unnoticed.scenario",
                "pairing/synced-though-it-looks-missing.scenario", "troubles/p26-looks-not-installed/trouble.scenario",
            ], tests: ["ContestedRuleTests", "ReachabilityKnobTests", "SyncStatusTests"]),
        PublishedClaim(
            "`isReachable` is false, and messages deliver", [35, 60],
            scenarios: ["reachability/stale-after-a-short-loss.scenario", "troubles/p09-not-reachable-not-sent/remedy-tries.scenario"],
            tests: ["ReachabilityKnobTests"]),
        PublishedClaim(
            "7017 on `sendMessage`", [37, 140],
            scenarios: ["messages/woken-phone-never-activates.scenario", "messages/never-given-to-the-app.scenario"],
            tests: ["ContestedRuleTests", "ReachabilityKnobTests"]),
        PublishedClaim(
            "7011 exists", [73, 141], scenarios: ["messages/reply-lost-on-the-way.scenario", "messages/bad-reply.scenario"],
            tests: ["ContestedRuleTests"]),
        PublishedClaim(
            "what was lost comes back when one touches the watch", [36],
            scenarios: ["reachability/comes-back-when-touched.scenario", "reachability/flaps-while-idle.scenario"],
            tests: ["ReachabilityKnobTests"]),
        PublishedClaim(
            "transfers stick without a loss of the link, and what frees them", [84], scenarios: ["transfers/stuck-and-freed.scenario"],
            tests: ["ContestedRuleTests"]),
        PublishedClaim(
            "messages from a refresh task", [30, 142], scenarios: ["waking/message-from-a-refresh-task.scenario"],
            tests: ["ContestedRuleTests"]),
        PublishedClaim(
            "W32 contradicted W30", [32], scenarios: ["reachability/each-side-its-own.scenario"],
            note: "it says now what Apple does: the phone app need not run"),
        PublishedClaim("a message and a phone app that had ended", [62], scenarios: ["waking/swiped-away.scenario"]),
        PublishedClaim(
            "which channel launches the phone app", [111],
            scenarios: ["waking/phone-app-stays-asleep.scenario", "waking/phone-app-and-contexts.scenario"],
            tests: ["ContestedRuleTests"]),
    ]

    private static let citations = [
        PublishedClaim("`activate()` without a delegate", [4], note: "the header calls it undefined; what the simulation does is a choice"),
        PublishedClaim("7004 and one's own session", [7], note: "documented is the other device's; one's own is inferred"),
        PublishedClaim("7003 and the session's delegate", [8], note: "documented is the extension's delegate; the session's is inferred"),
        PublishedClaim("7019", [16], note: "documented is what the app is; that activation fails with it is inferred"),
        PublishedClaim("what a refused update leaves", [47], note: "inferred"),
        PublishedClaim("which codes an update throws", [51], note: "inferred"),
        PublishedClaim(
            "the order between channels", [72],
            scenarios: [
                "transfers/message-overtakes.scenario", "transfers/each-kind-in-its-own-line.scenario",
                "transfers/one-line-for-all-kinds.scenario", "transfers/order-of-what-waited.scenario",
                "troubles/p35-context-before-its-file/trouble.scenario",
            ], tests: ["ContestedRuleTests"], note: "messages and complication infos go first; among the rest it is disputed"),
        PublishedClaim("`didFinish` exactly once", [83], note: "documented is that it is called; once is inferred"),
        PublishedClaim("a queue that was filled while away", [88], note: "inferred"),
        PublishedClaim("a directory gives 7008", [91], note: "inferred; 7013, 7015 and the metadata's types are documented"),
        PublishedClaim("the limits of sizes", [100], note: "not known; the numbers are from one answer, and have knobs"),
        PublishedClaim("what 7009 says", [101], note: "the code is documented, its text is observed"),
    ]

    private static let protection = [
        PublishedClaim(
            "confirmed: the grace after the lock, classes, preferences before the first unlock, the passcode removed, what a backup and an uninstallation leave",
            scenarios: [
                "protection/grace-after-lock.scenario", "protection/accessibility-table.scenario",
                "protection/preferences-of-an-early-process.scenario", "protection/passcode-removed.scenario",
                "backup/keychain-table.scenario", "protection/reinstalled.scenario",
            ]),
        PublishedClaim(
            "the lock off the wrist presumes wrist detection", [126],
            scenarios: ["wrist/taken-off.scenario", "wrist/without-wrist-detection.scenario"], tests: ["WristTests"]),
        PublishedClaim(
            "a backup of a watch holds settings, not documents", [27],
            scenarios: ["pairing/set-up-from-its-backup.scenario"]),
        PublishedClaim(
            "a restored phone keeps its pairing, or does not", [15], scenarios: ["backup/sealed-on-a-new-phone.scenario"],
            note: "searches draw `restore.keepsPairing`, and restore to new hardware"),
        PublishedClaim(
            "a watch that was never unlocked, and a context", [144], scenarios: ["waking/never-unlocked-watch.scenario"],
            tests: ["ContestedRuleTests"]),
    ]
}
