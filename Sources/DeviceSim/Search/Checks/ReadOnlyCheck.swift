import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Holds an audit, and the plan of a rotation, to its word that it changes nothing: no operation of its may change what is stored, be it in the midst of other
/// trouble.
struct ReadOnlyCheck {
    private let device: Device
    private let began: VirtualTime
    private let changeCount: Int
    /// Whether it is the plan of a rotation, and no audit.
    private let isPlan: Bool

    /// Before it begins.
    /// - Returns: `nil` where other work is ready: that runs beside it, and may change what it likes.
    init?(of device: Device, isPlan: Bool = false, in run: ScenarioRun) {
        guard !run.simulation.scheduler.hasReadyWork else { return nil }
        (self.device, began, changeCount) = (device, run.simulation.now, device.storage.changeCount)
        self.isPlan = isPlan
    }

    /// Before a step.
    /// - Returns: `nil` for one that may change something, too.
    init?(before action: ScenarioStep.Action, in run: ScenarioRun) {
        guard case .data(let data) = action, data.action == .audit || data.action == .planRotation,
            let device = run.simulation.device(data.device)
        else { return nil }
        self.init(of: device, isPlan: data.action == .planRotation, in: run)
    }

    /// When it is done, or was cut short.
    func check(_ keeper: InvariantChecker, in run: ScenarioRun, step: Int) -> Violation? {
        guard run.simulation.now == began else { return nil }
        let (invariant, what) = isPlan ? (Invariant.rotation, "plan of a rotation on") : (.audit, "audit of")
        keeper.recorder?.looked(invariant)
        let changes = device.storage.changeCount - changeCount
        guard changes != 0 else { return nil }
        return Violation(
            invariant, device: device.id, step: step,
            explanation: ["the \(what) \(device.id) made \(changes) operations that can change what is stored"])
    }
}
