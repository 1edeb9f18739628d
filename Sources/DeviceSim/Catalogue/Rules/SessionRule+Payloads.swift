extension SessionRule {
    static let payloads = [
        SessionRule(
            100, "Limits: message 65,536 bytes, user info 65,536, application context 262,144, measured on the serialized dictionary.",
            .observed("StackOverflow 33025915", says: "these numbers, in one answer, as of iOS 9.0.2"),
            .open("all of them: Apple publishes none, and they may change"),
            but: "the size is that of a binary property list"),
        SessionRule(
            101, "Over the limit: 7009 on the channel's own error path; the error says the byte count and the limit.",
            .documented("Apple, `WCError.Code.payloadTooLarge`", says: "the code"), .observed("cachly #5749")),
        SessionRule(
            102,
            "Only property-list types; anything else is 7010, nothing is sent, and the error names the offending key path.",
            .documented("WCSession.h, `sendMessage`, `applicationContext`, `transferUserInfo`", says: "property list types only"),
            .documented("Apple, `WCError.Code.payloadUnsupportedTypes`"), .observed("watch_connectivity #25", says: "what the error names"),
            .observed("react-native-watch-connectivity #86")),
        SessionRule(103, "Types are checked before size, both after the session's state.", .open("in which order these are checked")),
    ]
}
