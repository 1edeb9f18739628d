extension SessionRule {
    static let activation = [
        SessionRule(1, "In a new process `activationState` is `notActivated`.", .documented("Apple, `WCSession`")),
        SessionRule(
            2, "`activate()` returns at once; the result comes through `activationDidComplete`.",
            .documented("WCSession.h, `activateSession`", says: "an asynchronous call, if the delegate has that method"),
            but: "it always takes the same time, the knob's"),
        SessionRule(
            3,
            "When that callback runs, the state is already `activated` and the error nil; on failure `notActivated` with an error; on iOS `inactive` if data of a previous session waits.",
            .documented("WCSession.h, `activationDidCompleteWithState`"),
            .documented(
                "Apple, `session(_:activationDidCompleteWith:error:)`", says: "it may move to inactive if data of a previous session waits"),
            .open("when it does so"),
            but: "it does where content of a watch waits that is no longer worn; the session is deactivated once that was handed over"),
        SessionRule(
            4, "`activate()` without a delegate is undefined.", .documented("WCSession.h, `activateSession`"),
            but: "it logs an error, stays `notActivated`, and calls nothing"),
        SessionRule(5, "A repeated `activate()` while activating or activated does nothing.", .seen),
        SessionRule(
            6, "Before activation the state properties hold no correct value.", .documented("WCSession.h, `activateSession`"),
            .open("what they hold then"),
            but: "they are false, nil or empty then"),
        SessionRule(
            7, "Sending while not activated or inactive does not crash: it fails on that channel's own error path, with 7004 or 7016.",
            .documented("Apple, `WCSessionActivationState`", says: "it is a programmer error to send then"),
            .documented("Apple, `WCError.Code.sessionNotActivated`", says: "the other device has no active session"),
            .inferred("the names of the codes", says: "7004 for one's own session too, 7016 while it is inactive"), .seen),
        SessionRule(
            8, "The delegate is weak: once released, sends fail with 7003 and incoming callbacks go nowhere.",
            .documented("WCSession.h, `delegate`", says: "weak; it must exist before the session allows sends"),
            .documented("Apple, `WCError.Code.sessionMissingDelegate`", says: "the WatchKit extension has no valid extension delegate"),
            .inferred("the name of the code", says: "7003 for a missing delegate of the session")),
        SessionRule(
            9, "Content that arrived while the app was not running is delivered after `activationDidComplete`, never before.",
            .documented("WCSession.h, `WCSession`", says: "activation lets the system deliver outstanding background transfers")),
        SessionRule(
            10, "`hasContentPending` is true until that backlog has been handed over.", .documented("WCSession.h, `hasContentPending`")),
        SessionRule(
            11, "Delegate callbacks and message handlers run serially on one background queue, never overlapping, never on main.",
            .documented("WCSession.h, `WCSessionDelegate`", says: "of the delegate's methods: one serial queue that is not main"),
            .documented("Apple, `sendMessage(_:replyHandler:errorHandler:)`", says: "of the handlers: a background thread"),
            .inferred("both", says: "that it is one queue"),
            but: "all code of a run shares one thread, so callbacks interleave with the app's other work only where that waits"),
        SessionRule(
            12,
            "Watch switch: the phone's session becomes inactive, gets what is pending, then is deactivated; each watch's own session stays activated.",
            .documented("WCSession.h, `sessionDidBecomeInactive`, `sessionDidDeactivate`"),
            .documented("Apple, `WCSession`, Supporting Communication with Multiple Apple Watches")),
        SessionRule(
            13,
            "While inactive, content of background transfers is still delivered; interactive messages are cancelled, and new sends are refused with 7016.",
            .documented("WCSession.h, `sessionDidBecomeInactive`"),
            .documented("Apple, `WCError.Code.sessionInactive`"),
            .open("which code cancelled messages fail with, and what the watch is told"),
            but: "the watch gets 7014 for a message that comes then, and no reply to an earlier one"),
        SessionRule(
            14, "After the switch the app must call `activate()` again; else the session stays dead and `isPaired` false.",
            .documented("WCSession.h, `sessionDidDeactivate`"), .observed("watch_connectivity #32")),
        SessionRule(
            15,
            "After that the phone sees the new watch's state: `watchDirectoryURL`, contexts and queues are those of that pairing. Until then the URL stays that of the old one.",
            .documented("WCSession.h, `watchDirectoryURL`", says: "it changes with the selected watch"),
            .documented("Apple, `watchDirectoryURL`", says: "it remains valid while the session is inactive, to finish updates"),
            .open(
                "whether contexts and queues do, what a restored device keeps of its pairing, and what becomes of a queue when its watch is unpaired"
            ),
            but:
                "all of it ends with the pairing, and no backup brings it back; what was queued for the watch fails with 7005, or with the knob is gone without a word"
        ),
        SessionRule(
            16, "A watch-only app's session is never activated: error 7019.",
            .documented("Apple, `WCError.Code.watchOnlyApp`", says: "the app is a watch-only app"),
            .inferred("the code", says: "that activation fails with it")),
    ]
}
