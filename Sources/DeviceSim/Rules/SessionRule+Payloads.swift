extension SessionRule {
    static let payloads = [
        SessionRule(
            100, "Limits: message 65,536 bytes, user info 65,536, application context 262,144, measured on the serialized dictionary.",
            .observed, .open, but: "Apple publishes no limits; the size is that of a binary property list"),
        SessionRule(
            101, "Over the limit: 7009 on the channel's own error path; the error says the byte count and the limit.", .documented,
            .observed),
        SessionRule(
            102,
            "Only property-list types; anything else is 7010, nothing is sent, and the error names the offending key path.", .documented,
            .observed),
        SessionRule(103, "Types are checked before size, both after the session's state.", .open),
    ]
}
