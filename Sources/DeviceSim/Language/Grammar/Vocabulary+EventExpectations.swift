import DeviceSimCore

extension Vocabulary {
    static let eventForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE END CHANNEL TIMES [SINCE] [TIMING]", "how many of them went through",
            example: "expect phone delivered context 1 time"
        ) { match in
            guard let times = match.times else { return nil }
            return deliveries(match, times)
        },
        Form(
            .expect, "EXPECT DEVICE END no CHANNEL [SINCE] [TIMING]", "none of them went through",
            example: "expect watch received no message since reconnected"
        ) { deliveries($0, .exactly(0)) },
        Form(
            .expect, "EXPECT event EVENT [on DEVICE] [with FACTS] [TIMES] [SINCE] [TIMING]",
            "the trace has such an event: at least one, or as often as it says",
            example: "expect event context.delivered on watch 1 time since reconnected"
        ) { match in
            pattern(match).flatMap { expectation(match, .event($0, match.times ?? .atLeast(1))) }
        },
        Form(
            .expect, "EXPECT no event EVENT [on DEVICE] [with FACTS] [SINCE] [TIMING]", "the trace has no such event",
            example: "expect no event context.delivered on watch"
        ) { match in pattern(match).flatMap { expectation(match, .event($0, .exactly(0))) } },
        Form(
            .expect, "expect in order [SINCE] [TIMING]", "the trace has the events of its block in that order, others may lie between",
            example: "expect in order within 5s"
        ) { match in block(match, inOrder: true) },
        Form(
            .expect, "expect in any order [SINCE] [TIMING]", "the trace has an event of its own for each line of its block",
            example: "expect in any order since reconnected"
        ) { match in block(match, inOrder: false) },
        Form(
            .expect, "expect nothing else [SINCE] [for TIME]",
            "no delivery and no error since the mark (or the last one), beside those that the expectations of events and counts since it were about",
            example: "expect nothing else since reconnected for 1min"
        ) { match in expectation(match, .nothingElse) },
    ]

    static let eventPatterns: [Form] = [
        Form(.event, "EVENT [with FACTS]", "an event on whichever device", example: "link.up") { match in
            pattern(match).map { .eventPattern($0) }
        },
        Form(.event, "DEVICE EVENT [with FACTS]", "an event on that device", example: "watch storage.set with key \"theme\"") { match in
            pattern(match).map { .eventPattern($0) }
        },
    ]

    private static func pattern(_ match: Match) -> EventPattern? {
        guard let kind = match.word(.event).flatMap({ TraceEvent.Kind(rawValue: $0) }) else { return nil }
        return EventPattern(kind, on: match.device, facts: match.facts)
    }

    private static func deliveries(_ match: Match, _ times: Expectation.CountCondition) -> Meaning? {
        guard let end = match.word(.end).flatMap({ Expectation.DeliveryEnd(rawValue: $0) }),
            let channel = Expectation.DeliveryChannel.allCases.first(where: { match.has($0.firstWord) })
        else { return nil }
        return onDevice(match) { .deliveries($0, end, channel, times) }
    }

    private static func block(_ match: Match, inOrder: Bool) -> Meaning? {
        match.timing().map { .eventBlock(inOrder: inOrder, timing: $0, since: match.since) }
    }
}

extension Expectation.DeliveryChannel {
    /// Tells it from the others.
    fileprivate var firstWord: String { self == .userInfo ? "user" : rawValue }
}
