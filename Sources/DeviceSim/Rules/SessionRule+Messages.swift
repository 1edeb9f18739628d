extension SessionRule {
    static let messages = [
        SessionRule(60, "A message needs `isReachable`, else 7007 to the error handler.", .documented),
        SessionRule(61, "Sending returns at once; messages arrive in send order.", .documented),
        SessionRule(62, "From the watch a message launches the phone app in the background.", .documented),
        SessionRule(63, "From the phone it never wakes the watch app.", .documented),
        SessionRule(
            64,
            "With a reply handler the receiver's reply variant is called, without one the plain variant; neither stands in for the other.",
            .documented),
        SessionRule(65, "Exactly one of reply and error handler is called, once.", .documented),
        SessionRule(66, "A receiver that lacks the wanted variant gives the sender 7014.", .observed),
        SessionRule(67, "A receiver that never replies gives 7012 after a timeout.", .documented, .open),
        SessionRule(68, "Without a reply handler a lost message is silent.", .observed),
        SessionRule(
            69, "Messages that have not left when reachability is lost fail with 7007.", .documented,
            but: "a message has left when its latency has passed; until then it counts as not left"),
        SessionRule(70, "If the sending app exits first the send fails; messages are never kept.", .documented),
        SessionRule(
            71, "A phone app woken by a message runs only briefly; suspended before it replies, the sender sees 7012.", .observed,
            but: "it always runs for the knob's time"),
        SessionRule(72, "Messages overtake queued transfers: there is no order between channels.", .documented),
        SessionRule(73, "A reply of unsupported types or too large gives the sender 7010 or 7009.", .open),
    ]
}
