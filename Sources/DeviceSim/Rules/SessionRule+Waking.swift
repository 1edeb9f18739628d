extension SessionRule {
    static let waking = [
        SessionRule(
            110,
            "Contexts, user infos, complication infos and files can launch the watch app in the background, with a refresh task that it must hold until nothing is pending.",
            .documented("Apple, `WKWatchConnectivityRefreshBackgroundTask`"),
            .documented("WWDC16 218, Keeping Your Watch App Up to Date"),
            but: "they always launch it, where the system of a device decides whether to"),
        SessionRule(
            111, "Whether contexts, user infos or files from the watch launch the phone app.",
            .disputed("comments in two code bases", says: "`transferUserInfo` wakes iOS in the background"),
            .disputed("somekindofcode.com", says: "only during runtime"), .open("what Apple means it to do")),
        SessionRule(
            112, "Apple's Simulator does not support user infos and complication transfers.",
            .documented("Apple, `transferUserInfo(_:)`, `transferCurrentComplicationUserInfo(_:)`")),
    ]
}
