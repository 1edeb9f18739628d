import DeviceSimCore
import LocalData

extension Vocabulary {
    static let expectations: [Form] =
        valueForms + migrationExpectations + sessionForms + transferForms + storageForms + keyForms + auditForms + stateForms + eventForms

    private static let valueForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE KEY VALUE [or (missing | VALUE)] [TIMING]",
            "`get` gives this value, or one of two, such as after a crash", example: "expect watch theme \"light\" within 5s"
        ) { match in
            condition(match).flatMap { condition in keyed(match) { .value($0, $1, condition) } }
        },
        Form(
            .expect, "EXPECT DEVICE widget KEY VALUE [or (missing | VALUE)] [TIMING]",
            "`get` gives this value in the widget, or one of two", example: "expect phone widget theme \"dark\""
        ) { match in condition(match).flatMap { condition in keyed(match) { .widgetValue($0, $1, condition) } } },
        Form(
            .expect, "EXPECT DEVICE widget KEY missing [TIMING]", "`get` finds in the widget that there is no value",
            example: "expect phone widget theme missing"
        ) { keyed($0) { .widgetValue($0, $1, .missing) } },
        Form(
            .expect, "EXPECT DEVICE widget KEY fails ERROR [TIMING]", "`get` fails so in the widget",
            example: "expect phone widget token fails keyMissing"
        ) { match in match.error.flatMap { error in keyed(match) { .widgetValue($0, $1, .fails(error)) } } },
        Form(
            .expect, "EXPECT DEVICE widget is (running | suspended | not running) [TIMING]", "whether a process of the widget is there",
            example: "expect phone widget is not running"
        ) { match in
            onDevice(match) { .widget($0, match.has("not") ? .notRunning : match.has("suspended") ? .suspended : .running) }
        },
        Form(.expect, "EXPECT DEVICE KEY missing [TIMING]", "`get` finds that there is no value", example: "expect watch theme missing") {
            keyed($0) { .value($0, $1, .missing) }
        },
        Form(.expect, "EXPECT DEVICE KEY exists [TIMING]", "`get` gives a value, whichever", example: "expect watch theme exists") {
            keyed($0) { .value($0, $1, .exists) }
        },
        Form(.expect, "EXPECT DEVICE KEY fails ERROR [TIMING]", "`get` fails so", example: "expect phone token fails locked") { match in
            guard let error = match.error else { return nil }
            return keyed(match) { .value($0, $1, .fails(error)) }
        },
        Form(
            .expect, "EXPECT devices agree [on KEY] [TIMING]",
            "both give the same value, or both none: for the key, or for every key that syncs",
            example: "expect devices agree on theme within 5s"
        ) { match in expectation(match, .devicesAgree(match.key())) },
        Form(
            .expect, "EXPECT DEVICE pending KEY [TIMING]", "a change of the key is still to be sent", example: "expect phone pending theme"
        ) {
            keyed($0) { .pending($0, $1, true) }
        },
        Form(
            .expect, "EXPECT DEVICE pending nothing [TIMING]", "no change is still to be sent",
            example: "expect phone pending nothing within 5s"
        ) {
            onDevice($0) { .pending($0, nil, false) }
        },
        Form(
            .expect, "EXPECT DEVICE not pending KEY [TIMING]", "no change of the key is still to be sent",
            example: "expect phone not pending theme"
        ) {
            keyed($0) { .pending($0, $1, false) }
        },
    ]

    /// A value, or one of two.
    private static func condition(_ match: Match) -> Expectation.ValueCondition? {
        guard let value = match.typedValue() else { return nil }
        guard match.has("or") else { return .equals(value) }
        if match.has("missing") { return .either(.equals(value), .missing) }
        return match.typedValue(1).map { .either(.equals(value), .equals($0)) }
    }

    private static let sessionForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE session FLAG (true | false) [TIMING]", "a property is so",
            example: "expect phone session isReachable false"
        ) { match in
            guard let property = property(match, .flagProperty) else { return nil }
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
            "EXPECT message MESSAGE failed ERROR [TIMING]", "the message's error handler was told so",
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
            return expectation(match, .message(label, condition))
        }
    }

    private static func property(_ match: Match, _ slot: Slot) -> Expectation.SessionProperty? {
        match.word(slot).flatMap { Expectation.SessionProperty(rawValue: $0) }
    }

    // MARK: Building

    static func onDevice(_ match: Match, _ condition: (DeviceID) -> Expectation.Condition) -> Meaning? {
        match.device.flatMap { expectation(match, condition($0)) }
    }

    static func keyed(_ match: Match, _ condition: (DeviceID, KeyReference) -> Expectation.Condition) -> Meaning? {
        guard let device = match.device, let key = match.key() else { return nil }
        return expectation(match, condition(device, key))
    }

    static func expectation(_ match: Match, _ condition: Expectation.Condition) -> Meaning? {
        match.timing().map { .step(.expect(Expectation(condition, timing: $0, since: match.since))) }
    }
}
