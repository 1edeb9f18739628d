extension SessionRule {
    static let waking = [
        SessionRule(
            110,
            "Contexts, user infos, complication infos and files can launch the watch app in the background, with a task that it holds until nothing is pending. One not completed in time ends the app with a crash report.",
            .documented("Apple, `WKWatchConnectivityRefreshBackgroundTask`"),
            .documented(
                "WWDC16 218, Keeping Your Watch App Up to Date", says: "exhaust your background runtime, and there is a crash report"),
            .documented(
                "Apple's sample, Transferring data with Watch Connectivity",
                says: "an uncompleted task uses up the app's budget of time, which results in a crash"),
            .documented("Apple, EXC_CRASH (SIGKILL)", says: "0xc51bad02: a background task was not completed in time"),
            .observed("home-assistant/iOS #1454", says: "after 15.0 s"),
            .observed("home-assistant/iOS #5247", says: "15 s warm, 25 s cold"),
            but: "they always launch it, where the system of a device decides whether to, but for W151"),
        SessionRule(
            111, "Whether contexts, user infos or files from the watch launch the phone app.",
            .disputed("comments in two code bases", says: "`transferUserInfo` wakes iOS in the background").notRead(),
            .disputed("somekindofcode.com", says: "only during runtime").notRead(), .open("what contexts and files do"),
            but: "user infos launch it, contexts and files do not; a knob for each"),
        SessionRule(
            112, "Apple's Simulator does not support user infos, complication transfers and files.",
            .documented("Apple, `transferUserInfo(_:)`, `transferCurrentComplicationUserInfo(_:)`, `transferFile(_:metadata:)`"),
            .observed("Communicator #20", says: "the sender is told of success, and nothing comes"),
            .observed("Communicator #25", says: "so since watchOS 6; simulators before transferred"),
            .open("what a sender is told of a file")),
        SessionRule(
            144, "Whether content starts the app of a device that was not unlocked since it was switched on.", .open("all of it"),
            but: "it does, unless the knob says otherwise"),
        SessionRule(
            151, "The system may not launch the watch app for content, where it was launched often.",
            .observed("Apple forums 821989", says: "the reporter suspects too much traffic in the background").notRead(),
            .open("whether it is so, after how much, and for how long"),
            but: "with the knob, after so many times in a day; what comes then waits for the app to be opened"),
        SessionRule(
            153,
            "A widget's timeline is made anew a limited number of times in a day; none is counted while its app is in the foreground.",
            .documented("Apple, Keeping a widget up to date", says: "typically 40 to 70, in a day that need not begin at midnight"),
            .observed("Apple forums 758400", says: "an engineer of Apple's: 72, in general"),
            .open("how they are spread over the day"), but: "so many in a day by the device's clock, each at once; one widget"),
    ]
}
