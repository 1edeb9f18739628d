extension SessionRule {
    static let contexts = [
        SessionRule(
            40, "An update replaces the whole dictionary; there is no merge.", .documented("Apple, `updateApplicationContext(_:)`")),
        SessionRule(
            41, "Reachability is not needed, nor need the counterpart run.", .documented("WCSession.h, Background Transfers")),
        SessionRule(
            42, "Latest wins: of several updates before the transfer the counterpart ends with the last.",
            .documented("Apple, `updateApplicationContext(_:)`"),
            but: "a context leaves as soon as the link is there; the system of a device waits for an opportune moment"),
        SessionRule(
            43, "Intermediate values, and the same one several times in a row, can be seen on wake.",
            .observed("pocket-casts-ios #1430", says: "618, 621, 621, 624, and the last many times"),
            .open("when, and how many"),
            but: "with the knob, all that wait are delivered at activation, and the last one two or three times"),
        SessionRule(
            44, "Delivered through `didReceiveApplicationContext`, at the latest after the next launch and activation.",
            .documented("WCSession.h, `applicationContext`, `didReceiveApplicationContext`")),
        SessionRule(
            45, "`applicationContext` and `receivedApplicationContext` are independent; sending never changes the received one.",
            .documented("WCSession.h, `receivedApplicationContext`"), .observed("react-native-watch-connectivity #14")),
        SessionRule(
            46, "Both survive relaunch, and can be read once activated.", .documented("Apple, `applicationContext`"), .seen),
        SessionRule(
            47, "After a successful update `applicationContext` reads back the new value at once; after a refused one it keeps the old.",
            .documented("Apple, `applicationContext`", says: "after an update it holds a copy of the dictionary"),
            .inferred("the call's error", says: "that a refused update changes nothing")),
        SessionRule(
            48, "An update equal to the current `applicationContext` succeeds and sends nothing; the counterpart gets no callback.",
            .observed("MMWormhole #85"), .observed("qiita crenieq 459b765f").notRead()),
        SessionRule(
            49, "That comparison is with what this device last sent, not with what the counterpart holds.",
            .open("what an update is compared with")),
        SessionRule(50, "An empty dictionary clears.", .documented("WCSession.h, `applicationContext`")),
        SessionRule(
            51, "Errors are thrown at once. Success means accepted, not delivered.",
            .documented("Apple, `updateApplicationContext(_:)`", says: "it throws, and sends when the opportunity arises"),
            .inferred("the names of the codes", says: "which of them it throws")),
        SessionRule(
            52, "More than about one update in 1–2 s delays contexts and messages by seconds.", .seen, .open("how long, and how often"),
            but: "with the knob, two updates within 2 s hold up everything for the knob's time"),
        SessionRule(
            53, "What happens to contexts when only the watch app is reinstalled.", .open("all of it"),
            but: "the reinstalled app starts empty, and what the phone sent stays with the phone"),
    ]
}
