import DeviceSimCore
import DeviceSimLanguage

/// An invariant of the app under test: what must hold of the apps on both devices, in terms of what they show and of what was done with them.
///
/// ```swift
/// Pairsim.main(invariants: [
///     .bothShow("theme"),
///     AppInvariant("no workout is lost") { apps in
///         try apps.phone("workouts") == .integer(Int64(apps.actions.count { $0.name == "end workout" && $0.isDone }))
///     },
/// ]) { PhoneApp() } watch: { WatchApp() }
/// ```
///
/// `pairsim explore FILE` holds what it draws to each of them, and `expect invariant "no workout is lost"` holds a scenario to one.
public struct AppInvariant: Sendable {
    /// When a search looks whether an invariant holds. A scenario looks where its line stands.
    public enum Moment: Sendable, Hashable {
        /// At the end, once everything works again, both apps have been opened and nothing is left to happen.
        case atRest
        /// After each step, as often as both apps can answer, and at the end.
        case afterEachStep
    }

    /// What scenarios and reports call it.
    public let name: String
    /// When a search looks.
    public let moment: Moment
    let holds: @Sendable (ShownByApps) throws -> Bool

    /// - Parameters:
    ///   - name: What scenarios and reports call it, such as "both show the same theme".
    ///   - moment: When a search looks whether it holds.
    ///   - holds: Whether it holds. Called on the simulation's thread, between two instants of a run. What it throws says that nothing is known just now, such as while
    ///     a device is locked; at rest, and where a scenario asks, it counts as not holding, unless an app that it asked does not run.
    public init(_ name: String, _ moment: Moment = .atRest, holds: @escaping @Sendable (ShownByApps) throws -> Bool) {
        self.name = name
        self.moment = moment
        self.holds = holds
    }

    /// Both apps show the same of something, once nothing is left to happen.
    /// - Parameter name: What ``SimulatedApp/shown(_:)`` is asked for.
    public static func bothShow(_ name: String) -> AppInvariant {
        AppInvariant("both show the same \(name)") { try $0.phone(name) == $0.watch(name) }
    }
}

/// Something that a person did with an app in a run: `phone app does "choose theme" with "dark"`.
public struct AppAction: Sendable, Hashable {
    /// Where it was done.
    public let device: DeviceID
    /// What the step calls it.
    public let name: String
    /// ``ScenarioValue/null`` where the step gave none.
    public let value: ScenarioValue
    /// Whether the app's code came to its end and threw nothing. `false`, too, while it runs, and where the app's process ended before.
    public let isDone: Bool
}

/// What the apps of both devices show, and what was done with them, as an ``AppInvariant`` asks for it.
///
/// Confined to the simulation's thread, and of no use once the invariant has returned.
public final class ShownByApps {
    private let run: ScenarioRun
    /// What was asked for so far, as a scenario would expect it.
    private(set) var answers: [String] = []
    /// Whether an app that was asked could not answer.
    private(set) var isAppAway = false

    init(_ run: ScenarioRun) {
        self.run = run
    }

    /// What was done with the apps from the beginning of the run on, in that order, whatever came of it.
    public var actions: [AppAction] { run.appActions.map(\.action) }

    /// What the phone's app shows: what its ``SimulatedApp/shown(_:)`` returns.
    /// - Throws: What that throws, and where the app does not run or cannot answer within the instant.
    public func phone(_ name: String) throws -> ScenarioValue { try shown(name, on: run.simulation.phone) }

    /// What the watch's app shows; of two watches, the one that is worn.
    /// - Throws: As ``phone(_:)``.
    public func watch(_ name: String) throws -> ScenarioValue { try shown(name, on: run.simulation.activeWatch) }

    private func shown(_ name: String, on device: Device) throws -> ScenarioValue {
        guard let process = device.process, process.state != .suspended, let app = process.app else {
            isAppAway = true
            throw SimulationError.impossible(device: device.id, reason: "its app does not run")
        }
        let value = try run.ask(device) { try await app.shown(name) }.get()
        answers.append("\(device.id) app \(Expectation.AppCondition.shows(name, value).notation)")
        return value
    }
}

/// An action that was begun, with what comes of it.
struct BegunAction {
    let device: DeviceID
    let name: String
    let value: ScenarioValue
    let operation: AppOperation<Void>

    var action: AppAction {
        let isDone = if case .success? = operation.result { true } else { false }
        return AppAction(device: device, name: name, value: value, isDone: isDone)
    }
}

extension ScenarioRun {
    /// What became of an invariant of the app's own at some instant.
    package enum AppFinding {
        case holds
        /// - Parameter answers: What the apps showed, one thing each.
        case fails(answers: [String])
        /// - Parameters:
        ///   - reason: What was thrown.
        ///   - isAway: Whether an app that was asked does not run.
        case unknown(reason: String, isAway: Bool)
    }

    package func look(at invariant: AppInvariant) -> AppFinding {
        let apps = ShownByApps(self)
        do {
            return try invariant.holds(apps) ? .holds : .fails(answers: apps.answers)
        } catch SimulationError.impossible(let device, let reason) {
            return .unknown(reason: "\(device): \(reason)", isAway: apps.isAppAway)
        } catch let failure as StepFailure {
            return .unknown(reason: failure.message, isAway: apps.isAppAway)
        } catch {
            return .unknown(reason: ErrorText.of(error), isAway: apps.isAppAway)
        }
    }

    /// Whether an invariant of the app's own holds, as an expectation asks.
    func appInvariant(_ name: String) throws -> ExpectationResult {
        guard let invariant = appInvariants.first(where: { $0.name == name }) else {
            let known = appInvariants.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw StepFailure(
                "the app under test has no invariant \"\(name)\""
                    + (known.isEmpty
                        ? "; the program that runs its scenarios names them: Pairsim.main(invariants:), ScenarioSuite(invariants:)"
                        : "; it has \(known)"))
        }
        switch look(at: invariant) {
        case .holds: return .holds
        case .fails(let answers):
            return .fails(StepFailure("\"\(name)\" does not hold", actual: answers.isEmpty ? nil : answers.joined(separator: ", ")))
        case .unknown(let reason, true): throw StepFailure.ofAppThatWaits("\"\(name)\" cannot be told: \(reason)")
        case .unknown(let reason, false):
            var failure = StepFailure("\"\(name)\" cannot be told: \(reason)")
            failure.isFinding = true
            return .untold(failure)
        }
    }
}
