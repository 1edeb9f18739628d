import DeviceSimCore
import LocalData

extension Expectation {
    /// What `get` must give.
    public indirect enum ValueCondition: Sendable, Hashable {
        /// This very value.
        case equals(ScenarioValue)
        /// Verified absence: `notFound`.
        case missing
        /// Any value.
        case exists
        /// It fails with this error.
        case fails(ScenarioErrorName)
        /// One of the two, such as after a crash in the middle of a change.
        case either(ValueCondition, ValueCondition)
    }

    /// Whether a widget's process is there.
    public enum WidgetCondition: String, Sendable, Hashable, CaseIterable {
        /// Its code may run, may not for now, or there is no process.
        case running, suspended, notRunning
    }
}

extension Expectation.ValueCondition {
    /// How many values one line may name.
    package static let maximumAlternatives = 4

    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .equals(let value): value.notation
        case .missing: "missing"
        case .exists: "exists"
        case .fails(let error): "fails \(error.name)"
        case .either(let first, let second): "\(first.notation) or \(second.notation)"
        }
    }
}

extension Vocabulary {
    static let valueForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE KEY VALUE [or (missing | VALUE)] [or (missing | VALUE)] [or (missing | VALUE)] [TIMING]",
            "`get` gives this value, or one of some, such as after a crash", example: "expect watch theme \"light\" within 5s"
        ) { match in
            condition(match).flatMap { condition in keyed(match) { .value($0, $1, condition) } }
        },
        Form(
            .expect, "EXPECT DEVICE widget KEY VALUE [or (missing | VALUE)] [or (missing | VALUE)] [or (missing | VALUE)] [TIMING]",
            "`get` gives this value in the widget, or one of some", example: "expect phone widget theme \"dark\""
        ) { match in condition(match).flatMap { condition in keyed(match) { .widgetValue($0, $1, condition) } } },
        Form(
            .expect, "EXPECT DEVICE widget KEY missing [or VALUE] [TIMING]",
            "`get` finds in the widget that there is no value, or this one",
            example: "expect phone widget theme missing"
        ) { match in absence(match).flatMap { condition in keyed(match) { .widgetValue($0, $1, condition) } } },
        Form(
            .expect, "EXPECT DEVICE widget KEY fails ERROR [TIMING]", "`get` fails so in the widget",
            example: "expect phone widget token fails keyMissing"
        ) { match in match.error.flatMap { error in keyed(match) { .widgetValue($0, $1, .fails(error)) } } },
        Form(
            .expect, "EXPECT DEVICE observed KEY VALUE [or (missing | VALUE)] [or (missing | VALUE)] [or (missing | VALUE)] [TIMING]",
            "the app, which observes the key, was told this value last, or one of some",
            example: "expect watch observed theme \"dark\" within 5s"
        ) { match in condition(match).flatMap { condition in keyed(match) { .observed($0, $1, condition) } } },
        Form(
            .expect, "EXPECT DEVICE observed KEY missing [or VALUE] [TIMING]",
            "the app, which observes the key, was told last that there is no value, or this one",
            example: "expect watch observed theme missing"
        ) { match in absence(match).flatMap { condition in keyed(match) { .observed($0, $1, condition) } } },
        Form(
            .expect, "EXPECT DEVICE widget is (running | suspended | not running) [TIMING]", "whether a process of the widget is there",
            example: "expect phone widget is not running"
        ) { match in
            onDevice(match) { .widget($0, match.has("not") ? .notRunning : match.has("suspended") ? .suspended : .running) }
        },
        Form(
            .expect, "EXPECT DEVICE KEY missing [or VALUE] [TIMING]", "`get` finds that there is no value, or this one",
            example: "expect watch theme missing"
        ) { match in absence(match).flatMap { condition in keyed(match) { .value($0, $1, condition) } } },
        Form(.expect, "EXPECT DEVICE KEY exists [TIMING]", "`get` gives a value, whichever", example: "expect watch theme exists") {
            keyed($0) { .value($0, $1, .exists) }
        },
        Form(.expect, "EXPECT DEVICE KEY fails ERROR [TIMING]", "`get` fails so", example: "expect phone token fails locked") { match in
            guard let error = match.error else { return nil }
            return keyed(match) { .value($0, $1, .fails(error)) }
        },
        Form(
            .expect, "EXPECT devices agree [on KEY] [TIMING]",
            "both give the same value, or both none: for the key, or for every key that syncs; where the app's version on one has another key of the same stored name, for that one there",
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

    /// No value, or one.
    private static func absence(_ match: Match) -> Expectation.ValueCondition? {
        guard match.has("or") else { return .missing }
        return match.typedValue().map { .either(.missing, .equals($0)) }
    }

    /// A value, or one of some. Absence comes last, wherever it was written.
    private static func condition(_ match: Match) -> Expectation.ValueCondition? {
        guard let value = match.typedValue() else { return nil }
        var conditions: [Expectation.ValueCondition] = [.equals(value)]
        for index in 1..<Expectation.ValueCondition.maximumAlternatives where match.capture(.value, index) != nil {
            guard let other = match.typedValue(index) else { return nil }
            conditions.append(.equals(other))
        }
        if match.has("missing") { conditions.append(.missing) }
        let last = conditions.removeLast()
        return conditions.reversed().reduce(last) { .either($1, $0) }
    }
}
