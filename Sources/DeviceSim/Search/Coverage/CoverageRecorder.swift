import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Counts what one run exercises while it goes on. A run that nobody asks about has none.
///
/// Confined to the run's thread.
final class CoverageRecorder {
    private(set) var coverage = SearchCoverage()

    /// A kind of step, and what the device was like that made it.
    typealias Place = (kind: String, situation: StepSituation)

    /// What it is like before a step is made: of each part of a block, with the block itself.
    func places(of action: ScenarioStep.Action, in run: ScenarioRun) -> [[Place]] {
        guard case .together(let steps) = action else { return [own(action, in: run)] }
        let block = own(action, in: run)
        return steps.enumerated().map { number, step in own(step.action, in: run) + (number == 0 ? block : []) }
    }

    /// A step that is about no device is made in the situation of each.
    private func own(_ action: ScenarioStep.Action, in run: ScenarioRun) -> [Place] {
        guard let form = action.form else { return [] }
        let devices = action.device.map { id in run.simulation.devices.filter { $0.id == id } } ?? run.simulation.devices
        let isOfWidget = action.isOfWidget
        return devices.map { (form.stepKind(isOfWidget: isOfWidget), StepSituation(of: $0, isOfWidget ? .widget : .app, in: run)) }
    }

    /// What came of the steps; of what could not be done at all nothing is counted.
    func made(_ places: [[Place]], _ observations: [StepObservation]) {
        for (places, observation) in zip(places, observations) {
            if case .impossible = observation.result { continue }
            for place in places { coverage.note(step: place.kind, in: place.situation) }
        }
    }

    /// Something was held against the invariant.
    func looked(_ invariant: Invariant, times: Int = 1) {
        guard times > 0 else { return }
        coverage.note(.checks, invariant.rawValue, times: times)
    }

    /// It held, by an allowance only, or with a limit nearly reached.
    func wasNear(_ invariant: Invariant) { coverage.note(.near, invariant.rawValue) }
}

extension ScenarioStep.Action {
    fileprivate var isOfWidget: Bool {
        switch self {
        case .data(let step): return step.part == .widget
        case .device(let step):
            switch step.action {
            case .widget, .lockFile(.widget, _), .unlockFile(.widget, _): return true
            default: return false
            }
        default: return false
        }
    }
}
