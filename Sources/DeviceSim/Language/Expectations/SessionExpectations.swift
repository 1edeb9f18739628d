import DeviceSimCore
import LocalData
import WatchConnectivity

extension Expectation {
    /// A property of `WCSession`, by its name.
    public enum SessionProperty: String, Sendable, Hashable, CaseIterable {
        /// `activationState`, as a string.
        case activationState
        /// `applicationContext`: what was sent last.
        case applicationContext
        /// `hasContentPending`.
        case hasContentPending
        /// `iOSDeviceNeedsUnlockAfterRebootForReachability`, of a watch.
        case iOSDeviceNeedsUnlockAfterRebootForReachability
        /// `isCompanionAppInstalled`, of a watch.
        case isCompanionAppInstalled
        /// `isComplicationEnabled`, of a phone.
        case isComplicationEnabled
        /// `isPaired`, of a phone.
        case isPaired
        /// `isReachable`.
        case isReachable
        /// `isWatchAppInstalled`, of a phone.
        case isWatchAppInstalled
        /// `receivedApplicationContext`: what was received last.
        case receivedApplicationContext
    }

    /// What a property must give.
    public enum MatchCondition: Sendable, Hashable {
        /// For ``SessionProperty/activationState`` a string: `notActivated`, `inactive`, `activated`.
        case equals(ScenarioValue)
        /// A dictionary that has at least these entries.
        case contains(ScenarioValue)
        /// A dictionary without an entry of that name.
        case lacks(String)
    }

    /// What must have come of a message.
    public enum MessageCondition: Sendable, Hashable {
        /// The reply handler got this.
        case replied(ScenarioValue)
        /// Any reply.
        case answered
        /// The error handler got this.
        case failed(ScenarioErrorName)
        /// Neither a reply nor an error so far.
        case waiting

        /// Whether only a message that wants a reply can come to it.
        var isAnswer: Bool {
            switch self {
            case .replied, .answered: true
            case .failed, .waiting: false
            }
        }
    }
}

extension Expectation.SessionProperty {
    static let activationStates = ["notActivated", "inactive", "activated"]

    var isContext: Bool { self == .applicationContext || self == .receivedApplicationContext }
    var isFlag: Bool { !isContext && self != .activationState }

    /// Whether the session of such a device has it, as Apple documents its availability. Elsewhere the simulated session says false.
    package func exists(on device: DeviceID) -> Bool {
        switch self {
        case .isComplicationEnabled, .isPaired, .isWatchAppInstalled: device.isPhone
        case .iOSDeviceNeedsUnlockAfterRebootForReachability, .isCompanionAppInstalled: !device.isPhone
        case .activationState, .applicationContext, .hasContentPending, .isReachable, .receivedApplicationContext: true
        }
    }
}

extension Expectation.MatchCondition {
    /// As a scenario file writes it behind the property: the words of a state without quotation marks.
    package func notation(of property: Expectation.SessionProperty) -> String {
        switch self {
        case .equals(.string(let word)) where property == .activationState: word
        case .equals(let value): value.notation
        case .contains(let value): "contains \(value.notation)"
        case .lacks(let name): "lacks \(ScenarioValue.quoted(name))"
        }
    }
}

extension Expectation.MessageCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .replied(let value): "replied \(value.notation)"
        case .answered: "answered"
        case .failed(let error): "failed \(error.name)"
        case .waiting: "waiting"
        }
    }
}

extension Vocabulary {
    static let sessionForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE session FLAG (true | false) [TIMING]", "a property is so",
            example: "expect phone session isReachable false"
        ) { match in
            guard let property = property(match, .flagProperty) else { return nil }
            if match.has("true"), let device = match.device, let name = match.capture(.flagProperty), !property.exists(on: device) {
                let other = device.isPhone ? "watch" : "phone"
                match.diagnose(
                    name.range, "`\(property.rawValue)` is a property of the \(other)'s session, and never true on \(device)",
                    hint: "write `expect \(other) session \(property.rawValue) true`")
            }
            return onDevice(match) { .session($0, property, .equals(.bool(match.has("true")))) }
        },
        Form(
            .expect, "EXPECT DEVICE session activationState ACTIVATION [TIMING]", "the session's state",
            example: "expect phone session activationState activated"
        ) { match in
            guard let state = match.word(.activationState) else { return nil }
            return onDevice(match) { .session($0, .activationState, .equals(.string(state))) }
        },
        Form(
            .expect, "EXPECT DEVICE session CONTEXT OBJECT [TIMING]", "a context is exactly so",
            example: "expect watch session receivedApplicationContext {\"n\": 2}"
        ) { match in
            guard let property = property(match, .contextProperty), let value = match.value(.object) else { return nil }
            return onDevice(match) { .session($0, property, .equals(value)) }
        },
        Form(
            .expect, "EXPECT DEVICE session CONTEXT contains OBJECT [TIMING]", "a context has at least these entries",
            example: "expect watch session receivedApplicationContext contains {\"n\": 2}"
        ) { match in
            guard let property = property(match, .contextProperty), let value = match.value(.object) else { return nil }
            return onDevice(match) { .session($0, property, .contains(value)) }
        },
        Form(
            .expect, "EXPECT DEVICE session CONTEXT lacks STRING [TIMING]", "a context has no such entry",
            example: "expect watch session receivedApplicationContext lacks \"n\""
        ) { match in
            guard let property = property(match, .contextProperty), let name = match.string() else { return nil }
            return onDevice(match) { .session($0, property, .lacks(name)) }
        },
        message(
            "EXPECT message MESSAGE replied VALUE [TIMING]", "the message was answered so",
            example: "expect message m1 replied {\"ok\": true} within 5s"
        ) {
            $0.value().map { .replied($0) }
        },
        message(
            "EXPECT message MESSAGE answered [TIMING]", "the message was answered, however", example: "expect message m1 answered within 5s"
        ) { _ in .answered },
        message(
            "EXPECT message MESSAGE failed ERROR [TIMING]",
            "the message's error handler was told so; `deliveryFailed` also where the process that had the handler ended before",
            example: "expect message m1 failed notReachable"
        ) {
            $0.error.map { .failed($0) }
        },
        message("EXPECT message MESSAGE waiting [TIMING]", "neither a reply nor an error came so far", example: "expect message m1 waiting")
        { _ in .waiting },
    ]

    private static func message(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> Expectation.MessageCondition?
    ) -> Form {
        Form(.expect, pattern, help, example: example) { match in
            guard let label = match.word(.message), let condition = condition(match) else { return nil }
            if condition.isAnswer, !match.context.answerableMessages.contains(label), let name = match.capture(.message) {
                match.diagnose(
                    name.range, "nothing answers `\(label)`: it wants no reply", hint: "write `send message … expecting reply as \(label)`")
            }
            return expectation(match, .message(label, condition))
        }
    }

    private static func property(_ match: Match, _ slot: Slot) -> Expectation.SessionProperty? {
        match.word(slot).flatMap { Expectation.SessionProperty(rawValue: $0) }
    }
}
