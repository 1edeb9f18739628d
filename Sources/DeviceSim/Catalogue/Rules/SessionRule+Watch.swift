extension SessionRule {
    static let watch = [
        SessionRule(
            113,
            "Once the wrist is lowered the app stays frontmost for two minutes, or for as long as the app or a person chose: a raised wrist shows it again.",
            .documented("Apple, Taking advantage of frontmost app state")),
        SessionRule(
            114, "Where the frontmost app is while the wrist is down.",
            .disputed(
                "WWDC17 216, The Life of a watchOS App",
                says: "frontmost, but the screen is off: messages do not work, and it is in the background"),
            .disputed("Apple, Taking advantage of frontmost app state", says: "it is still in the foreground"),
            .observed("Communicator #34", says: "reachability changes with the screen"),
            but: "a reply that is under way still arrives, since the app runs"),
        SessionRule(
            115, "The crown, or a palm on the display, ends that at once.", .documented("Apple, Taking advantage of frontmost app state")),
        SessionRule(
            116, "With an Always On display the app stays visible, dimmed and inactive, while the wrist is down.",
            .documented("Apple, Designing your app for the Always On state"),
            .inferred("W30", says: "that an inactive app counts as one in the foreground, and is reachable"),
            but: "for as long as it is frontmost"),
        SessionRule(
            117,
            "During a workout, location or audio session the app goes on running in the background, and is reachable.",
            .documented("Apple, `isReachable`", says: "in the background with high priority, such as during a workout"),
            .documented("Apple, Enabling Background Sessions", says: "the session continues to run when the app goes to the background"),
            .inferred("both", says: "that location and audio sessions make it reachable too"),
            but: "a session ends with its process"),
        SessionRule(
            118,
            "An app without code for several watches: after a switch its session is deactivated, and the system terminates the app when it goes to the background.",
            .documented("Apple, `WCSession`, Configuring and Activating the Session", says: "such an app opts out of several watches"),
            .inferred("the methods that iOS requires", says: "such an app lacks `sessionDidBecomeInactive` or `sessionDidDeactivate`")),
        SessionRule(
            119, "A file may be too large: 7009 through `didFinish`.",
            .documented("Apple, `WCError.Code.payloadTooLarge`", says: "it can occur for both data dictionaries and files"),
            .open("the limit")),
        SessionRule(
            120, "A dependent watch app goes with that of the phone.", .documented("Apple, Creating independent watchOS apps"),
            .open("when it goes from a watch that is out of reach"), but: "as soon as the watch is in range"),
        SessionRule(
            121, "`isCompanionAppInstalled` only applies to watch apps that can run independently.",
            .documented("Apple, `isCompanionAppInstalled`"), .open("what it is for others"),
            but: "it is true for them while paired, and its callback is not called"),
        SessionRule(
            122, "What becomes of queued transfers when the counterpart's app is removed.", .open("anything of it"),
            but: "they wait for it to be installed again; with the knob they fail with 7006 or 7018"),
        SessionRule(
            123, "The first load of a complication has high priority: the watch app may send messages, and wakes the phone app.",
            .documented("WWDC15 713, Introducing Watch Connectivity"), .documented("Apple, `isReachable`"),
            .open("how long it lasts")),
        SessionRule(
            124,
            "Refresh tasks have limits of processor time too, those of the session lower ones than refreshes of the app: beyond it the app is ended with a crash report.",
            .documented("WWDC16 218, Keeping Your Watch App Up to Date"),
            .documented("Apple, EXC_CRASH (SIGKILL)", says: "0xc51bad01: too much CPU time while performing a background task"),
            .open("the limits"), but: "only a step computes, and nothing is counted unless a knob says how much is allowed"),
        SessionRule(
            125, "`activationState` and `hasContentPending` can be observed by key paths.",
            .documented("Apple, `activationState`"),
            .documented("Apple's sample, Transferring data with Watch Connectivity"),
            .inferred("what code in public does", says: "that others can be too, of whose changes the delegate is told"),
            but:
                "what the delegate is told of changes for an observer just before that; by `observe(_:options:changeHandler:)`, where there is no Objective-C; not by strings, nor by Combine"
        ),
        SessionRule(
            126, "A watch that is taken off locks itself, if it has a passcode and wrist detection is on.",
            .documented("Apple Watch User Guide, Lock or unlock Apple Watch"),
            but: "a change to another watch takes none off and puts none on: these are steps of their own, and until then both are worn"),
        SessionRule(
            150, "An App Group is one on each device: what the phone's app stores in its group is not in that of the watch.",
            .documented(
                "Apple, watchOS 2 Transition Guide",
                says: "apps that shared data by a container of a group must be redesigned; the watch's code runs there"),
            .observed("iOS-Shared-CoreData-Storage-for-App-Groups #3", says: "nor with watchOS 5"),
            .observed("Watch-App-Sampler #1", says: "the suite of the group is empty on the watch"),
            .observed("radar 28550530", says: "nor does the bundle of settings for the watch reach it")),
    ]
}
