extension SessionRule {
    static let pairing = [
        SessionRule(
            20, "`isPaired`: this phone is paired with a watch. Valid only while activated.", .documented("WCSession.h, `isPaired`"),
            .documented("Apple, `isPaired`")),
        SessionRule(
            21, "`isWatchAppInstalled` refers to the watch that is paired and active.", .documented("Apple, `isWatchAppInstalled`")),
        SessionRule(
            22, "`sessionWatchStateDidChange` is called when paired, installed, complication or watch directory change.",
            .documented("Apple, `sessionWatchStateDidChange(_:)`")),
        SessionRule(
            23, "Changes of `isCompanionAppInstalled` call `sessionCompanionAppInstalledDidChange`.",
            .documented("WCSession.h, `sessionCompanionAppInstalledDidChange`")),
        SessionRule(
            24, "Removing the watch app or the pairing empties `watchDirectoryURL`.",
            .disputed("WCSession.h, `watchDirectoryURL`", says: "the directory is deleted upon the next launch"),
            .disputed("Apple, `watchDirectoryURL`", says: "iOS deletes it when a person uninstalls the app or unpairs the watch"),
            .disputed("WCSession.h, `watchDirectoryURL`", says: "nil as soon as the watch app is not installed"),
            but:
                "the URL is nil at once, and the knob has the three versions of when its content goes, which is when the watch has the pairing and the app again at the latest"
        ),
        SessionRule(
            25, "`isWatchAppInstalled` may be false after side-loading though the app is there.",
            .observed("SundialKit #89", says: "sends work all the same"),
            .observed("radar 21364701", says: "not reachable, and nothing transfers"), .open("which of both, and how often"),
            but: "with the knob it is so until the phone restarts; sends work all the same, or as the other knobs say"),
        SessionRule(
            26,
            "Unpairing erases the watch, which begins anew when it is paired again. A watch out of reach cannot be told, and must be erased before it can be paired.",
            .documented("Apple Platform Security", says: "the phone communicates instructions to erase all content and data").notRead(),
            .open("what of it a watch out of reach does by itself"),
            but: "the app is installed again with the pairing, and not running; the passcode stays"),
        SessionRule(
            27,
            "A backup of the watch is made before it is unpaired, unless it is out of reach. It holds settings; whether it holds documents of apps is doubtful.",
            .documented("Apple Support, Back up your Apple Watch").notRead(),
            .observed(
                "MacDailyNews, How to back up your Apple Watch, with Apple's list",
                says: "data of built-in apps, and settings of third-party ones"),
            .open("whether it holds documents"), but: "it is used if the scenario says so"),
        SessionRule(
            30,
            "Watch side reachable: the phone in range and the watch app in the foreground, or in the background with high priority. The phone app need not run.",
            .documented("Apple, `isReachable`"),
            .inferred("W117, W123", says: "which sessions and loads have that priority")),
        SessionRule(
            31,
            "Phone side reachable: the active watch in range, its app running, and itself reachable. What the phone app does is of no importance.",
            .documented("Apple, `isReachable`")),
        SessionRule(
            32, "The two sides differ: the watch side needs no phone app that runs, the phone side needs a watch app that does.",
            .documented("Apple, `isReachable`")),
        SessionRule(
            33, "The watch app goes to the background: the phone side turns false and `sessionReachabilityDidChange` is called there.",
            .documented("Apple, `isReachable`"), .seen),
        SessionRule(
            34, "That callback carries no value and is called only on a change of `isReachable`.",
            .documented("WCSession.h, `sessionReachabilityDidChange`")),
        SessionRule(
            35, "A drop and return within 1–2 s may produce one callback only, leaving a stale false; messages are delivered all the same.",
            .observed("radar 23337218", says: "one callback only, where the wrist went down and up again within 1–2 s"),
            .observed("SundialKit #89", says: "messages still deliver"), .observed("BookPlayer #703", says: "reports that they do"),
            .open("how often"),
            but: "with the knob it is so until a loss lasts longer than that"),
        SessionRule(
            36, "With both apps in the foreground reachability may be lost; it comes back when one touches the watch.",
            .observed("react-native-watch-connectivity #130"),
            .inferred("the same", says: "a lowered wrist, and not idleness, may be the cause"),
            .open("when"), but: "with the knob, each time that no message was sent for so long"),
        SessionRule(
            37, "Phantom reachability: `isReachable` is true, and the send still fails with 7007, 7012, 7014 or 7017.",
            .observed("radar 30104132", says: "a timeout, or not reachable, though it says reachable; for minutes, and one way only"),
            .open("how often, and with which code"),
            but: "with the knob every message fails so, or with the other one each of one device"),
        SessionRule(
            38,
            "After a phone's reboot, until its first unlock, the watch side is not reachable and `iOSDeviceNeedsUnlockAfterRebootForReachability` is true.",
            .documented("WCSession.h, `iOSDeviceNeedsUnlockAfterRebootForReachability`")),
        SessionRule(
            142, "From a refresh task in the background the watch app reaches the phone, and can send messages.",
            .observed("StackOverflow 59959421", says: "works reliably for many users most of the time"), .open("whether always"),
            but: "the watch side is reachable while a task is held; the phone side is not"),
        SessionRule(
            145,
            "Activation is no change: an app learns from its own look at the properties that the counterpart is reachable and a watch paired, and is told of later changes only.",
            .inferred("W34, and Apple, `sessionWatchStateDidChange(_:)`", says: "both are called when a value changes"),
            .observed("Hal Universal, Hal_Watch.swift", says: "a comment: the callback does not come on activation, only on later changes"),
            .open("whether that holds of all systems: what is valid only in an activated session may count as changed by the activation"),
            but: "with the knob the app is told, after the activation, of what differs from a session that is not activated"),
        SessionRule(
            152, "Devices that were long out of range of each other may not find each other again, until the phone restarts.",
            .observed("radar 23685821", says: "after about 24 hours; a restart of the watch does not help, as it seems"),
            .observed("Apple forums 831294", says: "the watch keeps a dead link").notRead(),
            .open("how often, after how long, and what `isReachable` is then"),
            but: "with the knob, and nobody is reachable then"),
    ]
}
