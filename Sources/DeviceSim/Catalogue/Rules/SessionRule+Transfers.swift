extension SessionRule {
    static let transfers = [
        SessionRule(
            80, "User infos queue; they arrive in send order and none replaces another.", .documented("Apple, `transferUserInfo(_:)`"),
            but: "one at a time is on the link"),
        SessionRule(
            81, "A transfer goes on after the sender is suspended or terminated.", .documented("WCSession.h, Background Transfers")),
        SessionRule(
            82, "The receiver gets it at its next launch if it was not running.",
            .documented("WCSession.h, `didReceiveUserInfo`, `didReceiveFile`")),
        SessionRule(
            83, "The sender gets `didFinish` exactly once for each transfer, at its next launch if it was not running.",
            .documented("WCSession.h, `didFinishUserInfoTransfer`, `didFinishFileTransfer`", says: "at the next launch"),
            .inferred("the same", says: "once, and for each")),
        SessionRule(
            84,
            "`outstandingUserInfoTransfers` lists what is not yet cancelled, failed or received, and is restored after relaunch as new objects.",
            .documented("WCSession.h, `outstandingUserInfoTransfers`"), .inferred("a new process has no objects", says: "new ones"),
            .disputed("WCSession.h, `outstandingUserInfoTransfers`", says: "until the counterpart app has received it"),
            .disputed("WCSession.h, `didFinishUserInfoTransfer`", says: "until the transfer has completed"),
            but: "a transfer ends when it has reached the device, or with the knob when the app was given it"),
        SessionRule(
            85, "The transfer object is returned even when the call fails; the failure comes through `didFinish`.",
            .documented("WCSession.h, `transferUserInfo`, `didFinishUserInfoTransfer`"), .seen),
        SessionRule(
            86, "`cancel()` removes what is pending, and has no effect afterwards.",
            .documented("Apple, `WCSessionUserInfoTransfer.cancel()`"),
            .open("whether `didFinish` is called then")),
        SessionRule(
            87, "A crash inside the receiving callback means that the item is delivered again.", .seen, .open("whether always")),
        SessionRule(
            88, "A queue filled while away is replayed whole on return.",
            .inferred("W80 and W81: none replaces another, and all go on")),
        SessionRule(
            90, "Files survive termination; a received file lies in a temporary place and is deleted when the delegate's method returns.",
            .documented("WCSession.h, `transferFile`, `didReceiveFile`"), .documented("Apple, `WCSessionFile.fileURL`"),
            but:
                "the bytes cross the link evenly; an interrupted file starts again from its beginning"
        ),
        SessionRule(
            91,
            "An unreadable file gives 7013, no room on the receiver 7015, bad metadata 7010, large metadata 7009, a directory 7008, all through `didFinish`.",
            .documented("Apple, `WCError.Code.fileAccessDenied`, `insufficientSpace`"),
            .documented("WCSession.h, `transferFile`", says: "metadata of property list types only"),
            .inferred("the name of the code", says: "7008 for a directory")),
        SessionRule(
            95,
            "50 urgent complication transfers a day if the complication is on the active face, else none; then the call is `transferUserInfo`.",
            .documented("Apple, `transferCurrentComplicationUserInfo(_:)`", says: "50 a day"),
            .disputed("WCSession.h, `remainingComplicationUserInfoTransfers`", says: "with none left it goes as a regular user info"),
            .disputed("Apple, `isComplicationEnabled`", says: "without the complication the calls fail immediately"),
            .observed("Apple forums 735352", says: "in the Smart Stack alone it does not count").notRead(),
            .open("when the day begins, and with which code a call fails"),
            but: "where the knob says that it fails, it does so with 7001"),
        SessionRule(
            96,
            "Within the budget a complication info is sent at once and launches the watch app; only the newest outstanding one is current.",
            .disputed("WCSession.h, `transferCurrentComplicationUserInfo`", says: "the system launches the watch app for it"),
            .disputed("an Apple engineer, Apple forums 759389", says: "it does not currently work with complications of WidgetKit")
                .notRead(),
            .disputed(
                "Apple's sample, Transferring data with Watch Connectivity", says: "a complication of WidgetKit is renewed that way"),
            .documented("WCSession.h, `transferCurrentComplicationUserInfo`")),
        SessionRule(
            146, "The bytes of a file are those of the moment of the call: what an app overwrites or deletes afterwards arrives as it was.",
            .inferred("Apple, `transferFile(_:metadata:)`", says: "the file is transferred asynchronously, so it may be read then"),
            .open("when it is read; nobody says that a file must stay as it is"),
            but: "with the knob it is read each time that it leaves, and one that is gone fails with 7013"),
    ]
}
