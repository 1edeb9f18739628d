extension SessionRule {
    static let activation = [
        SessionRule(1, "In a new process `activationState` is `notActivated`.", .documented),
        SessionRule(
            2, "`activate()` returns at once; the result comes through `activationDidComplete`.", .documented,
            but: "it always takes the same time, the knob's"),
        SessionRule(
            3, "When that callback runs, the state is already `activated` and the error nil; on failure `notActivated` with an error.",
            .documented),
        SessionRule(4, "`activate()` without a delegate logs an error, stays `notActivated`, and calls nothing.", .documented),
        SessionRule(5, "A repeated `activate()` while activating or activated does nothing.", .observed),
        SessionRule(
            6, "Before activation the state properties hold no correct value.", .documented, .open,
            but: "they are false, nil or empty then"),
        SessionRule(
            7, "Sending while not activated or inactive does not crash: it fails on that channel's own error path, with 7004 or 7016.",
            .documented, .observed),
        SessionRule(
            8, "The delegate is weak: once released, sends fail with 7003 and incoming callbacks go nowhere.", .documented),
        SessionRule(
            9, "Content that arrived while the app was not running is delivered after `activationDidComplete`, never before.", .documented),
        SessionRule(10, "`hasContentPending` is true until that backlog has been handed over.", .documented),
        SessionRule(
            11, "Delegate callbacks and message handlers run serially on one background queue, never overlapping, never on main.",
            .documented,
            but: "all code of a run shares one thread, so callbacks interleave with the app's other work only where that waits"),
        SessionRule(
            12,
            "Watch switch: the phone's session becomes inactive, gets what is pending, then is deactivated; each watch's own session stays activated.",
            .documented),
        SessionRule(
            13, "While inactive, incoming data is still delivered, and new sends are refused with 7016.", .documented),
        SessionRule(
            14, "After the switch the app must call `activate()` again; else the session stays dead and `isPaired` false.", .documented,
            .observed),
        SessionRule(
            15,
            "After that the phone sees the new watch's state: `watchDirectoryURL`, contexts and queues are those of that pairing.",
            .documented, .open),
        SessionRule(16, "A watch-only app's session is never activated: error 7019.", .documented),
    ]
}
