import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Holds a run to what the app under test promises of both devices.
struct AppInvariantCheck {
    let run: ScenarioRun
    /// The step behind which it is looked.
    let step: Int
    var recorder: CoverageRecorder?

    /// Whether an app was started before the first unlock, and was not launched anew: it may say itself that it cannot read what it shows.
    private var hasDoubtfulPreferences: Bool {
        run.simulation.devices.contains { device in
            guard let life = device.process?.life else { return false }
            return life.startedBeforeFirstUnlock || life.wasPrewarmed
        }
    }

    /// - Parameter isAtRest: Whether everything works again and nothing is left to happen.
    func check(isAtRest: Bool) -> Violation? {
        for invariant in run.appInvariants where isAtRest || invariant.moment == .afterEachStep {
            let answers: [String]
            switch run.look(at: invariant) {
            case .holds:
                recorder?.looked(.app)
                continue
            // What an app would show that does not run just now, or whose device is locked, is looked at once it does.
            case .unknown(let reason, let isAway):
                guard isAtRest, !isAway, !hasDoubtfulPreferences else { continue }
                answers = [reason]
            case .fails(let found): answers = found
            }
            recorder?.looked(.app)
            return Violation(
                .app, step: step, explanation: ["\"\(invariant.name)\" does not hold"] + answers,
                expectation: Expectation(.invariant(invariant.name)))
        }
        return nil
    }
}

extension ScenarioRun {
    /// Whether nothing keeps the apps from doing their work, whatever they make of it: unlike with apps that use LocalData, an app whose session is not activated has to
    /// show the same as one whose session is.
    var mayHaveArrived: Bool {
        simulation.isLinkUp && !simulation.network.isLinkDead && simulation.network.isPaired
            && simulation.devices.allSatisfy { device in
                guard let process = device.process, device.storage.faults.isEmpty, device.storage.freeSpace == nil else { return false }
                return device.state.isPoweredOn && device.state.lockState == .unlocked && process.state == .foreground
            }
    }
}
