extension SessionRule {
    static let transfers = [
        SessionRule(
            80, "User infos queue; they arrive in send order and none replaces another.", .documented,
            but: "one at a time is on the link"),
        SessionRule(81, "A transfer goes on after the sender is suspended or terminated.", .documented),
        SessionRule(82, "The receiver gets it at its next launch if it was not running.", .documented),
        SessionRule(
            83, "The sender gets `didFinish` exactly once for each transfer, at its next launch if it was not running.", .documented),
        SessionRule(
            84,
            "`outstandingUserInfoTransfers` lists what is not yet cancelled, failed or received, and is restored after relaunch as new objects.",
            .documented),
        SessionRule(
            85, "The transfer object is returned even when the call fails; the failure comes through `didFinish`.", .documented, .observed),
        SessionRule(
            86, "`cancel()` removes what is pending, and has no effect afterwards.", .documented, .open),
        SessionRule(87, "A crash inside the receiving callback means that the item is delivered again.", .observed, .open),
        SessionRule(88, "A queue filled while away is replayed whole on return.", .documented),
        SessionRule(
            90, "Files survive termination; a received file lies in a temporary place and is deleted when the delegate's method returns.",
            .documented,
            but:
                "the bytes are those of the moment of the call, and cross the link evenly; an interrupted file starts again from its beginning"
        ),
        SessionRule(
            91,
            "A directory gives 7008, an unreadable file 7013, no room on the receiver 7015, bad metadata 7010, large metadata 7009, all through `didFinish`.",
            .documented),
        SessionRule(
            95,
            "50 urgent complication transfers a day if the complication is on the active face, else none; then the call is `transferUserInfo`.",
            .documented, .open),
        SessionRule(
            96,
            "Within the budget a complication info is sent at once and launches the watch app; only the newest outstanding one is current.",
            .documented),
    ]
}
