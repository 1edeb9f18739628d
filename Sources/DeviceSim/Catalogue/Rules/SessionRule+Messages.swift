extension SessionRule {
    static let messages = [
        SessionRule(
            60, "A message needs `isReachable`, else 7007 to the error handler.",
            .documented("WCSession.h, `isReachable`"), .documented("Apple, `WCError.Code.notReachable`")),
        SessionRule(
            61, "Sending returns at once; messages arrive in send order.",
            .documented("Apple, `sendMessage(_:replyHandler:errorHandler:)`", says: "delivered in the order in which you sent them")),
        SessionRule(
            62, "From the watch a message launches the phone app in the background, also one that had ended.",
            .documented("WCSession.h, `sendMessage`", says: "if the counterpart app is not running it will be launched"),
            .observed("zenn kabeya d8f9d524f1b47a", says: "a message reaches one that had ended"),
            .open("whether one is that a person has swiped away"),
            but: "it always is, unless the knob says that swiping away keeps it ended"),
        SessionRule(
            63, "From the phone it never wakes the watch app.",
            .documented("WCSession.h, `sendMessage`", says: "iOS counterpart app only"),
            .documented("Apple, `sendMessage(_:replyHandler:errorHandler:)`")),
        SessionRule(
            64,
            "With a reply handler the receiver's reply variant is called, without one the plain variant; neither stands in for the other.",
            .documented("WCSession.h, `didReceiveMessage`", says: "which of the two is called"),
            .observed("Communicator #23", says: "neither stands in for the other"), .observed("MMWormhole #94")),
        SessionRule(65, "Exactly one of reply and error handler is called, once.", .documented("WCSession.h, `sendMessage`")),
        SessionRule(
            66, "A receiver that lacks the wanted variant gives the sender 7014.", .observed("Communicator #23"),
            .observed("MMWormhole #94")),
        SessionRule(
            67, "A receiver that never replies gives 7012 after a timeout.", .documented("Apple, `WCError.Code.messageReplyTimedOut`"),
            .open("how long that is")),
        SessionRule(68, "Without a reply handler a lost message is silent.", .seen),
        SessionRule(
            69, "Messages that have not left when reachability is lost fail with 7007.",
            .documented("WCSession.h, `sendMessage`", says: "if the message cannot be sent, the error handler is called"),
            .inferred("the name of the code", says: "7007"),
            but: "a message has left when its latency has passed; until then it counts as not left"),
        SessionRule(
            70, "If the sending app exits first the send fails; messages are never kept.", .documented("WCSession.h, `sendMessage`")),
        SessionRule(
            71, "A phone app woken by a message runs only briefly; suspended before it replies, the sender sees 7012.",
            .observed("react-native-watch-connectivity #47"), .open("how briefly"),
            but: "it always runs for the knob's time"),
        SessionRule(
            72, "Messages and complication infos go before queued transfers; between user infos, files and contexts there is no order.",
            .documented(
                "Apple, `WCSession`, Communicating with the Counterpart App",
                says: "messages and complication infos have a higher priority, and go right away"),
            .documented("WCSession.h, `transferCurrentComplicationUserInfo`", says: "the system tries to transfer it immediately"),
            .disputed(
                "Apple, `WCSession`, Communicating with the Counterpart App",
                says:
                    "what goes in the background is on a queue and is transmitted in order, and delivered in the order in which it was received"
            ),
            .disputed(
                "Apple, `transferUserInfo(_:)`", says: "dictionaries that are sent so are delivered in the order in which they were sent"),
            .disputed("Apple, documentation of the session", says: "there is no order between the kinds of transfers").notRead(),
            but: "each kind is in a line of its own, or with the knob all are in one"),
        SessionRule(73, "A reply of unsupported types or too large gives the sender 7010 or 7009.", .open("what it gives")),
        SessionRule(
            140, "A message that the counterpart's app is not given in time fails with 7017.",
            .documented("Apple, `WCError.Code.transferTimedOut`", says: "the transfer reaches its timeout before it completes"),
            .observed("several developers, titles not kept", says: "frequent on `sendMessage`"),
            .open("how long that is, and when it comes"),
            but: "it comes for messages with an error handler whose receiver does not activate its session"),
        SessionRule(
            141, "A reply that cannot be returned fails its message with 7011.",
            .documented("Apple, `WCError.Code.messageReplyFailed`"), .open("when: a reply that is lost may as well end in 7012"),
            but: "with the knob a reply is lost so where the link breaks while it is under way"),
    ]
}
