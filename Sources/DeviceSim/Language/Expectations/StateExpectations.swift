import DeviceSimCore
import LocalData

extension Expectation {
    /// What must be known of the app.
    public enum AppCondition: Sendable, Hashable {
        /// A process is there, suspended or not.
        case running
        /// No process is there.
        case notRunning
        /// The process is in this state.
        case state(AppState)
        /// Whether the app is installed.
        case installed(Bool)
        /// The installed version.
        case version(AppVersion)
        /// What the app under test shows of something; `null` is nothing.
        case shows(String, ScenarioValue)
    }

    /// What must be known of the device.
    public enum DeviceCondition: String, Sendable, Hashable, CaseIterable {
        /// Switched on or off, and how far it is unlocked.
        case on, off, locked, unlocked
        /// On, and not unlocked since it was switched on.
        case beforeFirstUnlock = "before-first-unlock"
    }
}

extension Expectation.DeviceCondition {
    /// As a scenario file writes it behind `is`.
    package var words: String { self == .beforeFirstUnlock ? "before first unlock" : rawValue }
}

extension Expectation.AppCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .shows(let name, let value): "shows \(ScenarioValue.quoted(name)) \(value.notation)"
        case .running: "running"
        case .notRunning: "not running"
        case .state(let state): state.rawValue
        case .installed(true): "installed"
        case .installed(false): "not installed"
        case .version(let version): "version \(version)"
        }
    }
}

extension Vocabulary {
    static let stateForms: [Form] = [
        app("EXPECT DEVICE app running [TIMING]", "a process of the app is there", example: "expect phone app running") { _ in .running },
        app("EXPECT DEVICE app not running [TIMING]", "no process of the app is there", example: "expect watch app not running") { _ in
            .notRunning
        },
        app("EXPECT DEVICE app APP-STATE [TIMING]", "the app runs and is in that state", example: "expect phone app background") {
            $0.word(.appState).flatMap { AppState(rawValue: $0) }.map { .state($0) }
        },
        app("EXPECT DEVICE app installed [TIMING]", "the app is installed", example: "expect watch app installed") { _ in .installed(true)
        },
        app("EXPECT DEVICE app not installed [TIMING]", "the app is not installed", example: "expect watch app not installed") { _ in
            .installed(false)
        },
        app("EXPECT DEVICE app version VERSION [TIMING]", "that version of the app is installed", example: "expect phone app version 2.0") {
            $0.version().map { .version($0) }
        },
        app(
            "EXPECT DEVICE app shows STRING VALUE [TIMING]", "what the app under test shows of something; `null` for nothing",
            example: "expect watch app shows \"theme\" \"dark\" within 1s"
        ) { match in
            guard let name = match.string(), let value = match.value() else { return nil }
            return .shows(name, value)
        },
        Form(
            .expect, "EXPECT invariant STRING [TIMING]",
            "an invariant of the app under test holds, one of those that the program around it names (`Pairsim.main(invariants:)`)",
            example: "expect invariant \"both show the same theme\" within 5s"
        ) { match in match.string().flatMap { expectation(match, .invariant($0)) } },
        state("EXPECT DEVICE is on [TIMING]", "the device is switched on", example: "expect phone is on", .on),
        state("EXPECT DEVICE is off [TIMING]", "the device is switched off", example: "expect phone is off", .off),
        state(
            "EXPECT DEVICE is locked [TIMING]", "the screen is locked, after the first unlock", example: "expect phone is locked", .locked),
        state("EXPECT DEVICE is unlocked [TIMING]", "the device is unlocked", example: "expect phone is unlocked", .unlocked),
        state(
            "EXPECT DEVICE is before first unlock [TIMING]", "nobody has unlocked the device since it was switched on",
            example: "expect phone is before first unlock", .beforeFirstUnlock),
    ]

    private static func app(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> Expectation.AppCondition?
    ) -> Form {
        Form(.expect, pattern, help, example: example) { match in
            condition(match).flatMap { condition in onDevice(match) { .app($0, condition) } }
        }
    }

    private static func state(_ pattern: String, _ help: String, example: String, _ condition: Expectation.DeviceCondition) -> Form {
        Form(.expect, pattern, help, example: example) { onDevice($0) { .device($0, condition) } }
    }
}
