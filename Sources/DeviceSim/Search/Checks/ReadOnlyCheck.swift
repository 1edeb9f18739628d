import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Holds an audit to its word that it changes nothing: no operation of its may change what is stored, be it in the midst of other trouble.
struct ReadOnlyCheck {
    private let device: Device
    private let began: VirtualTime
    private let changeCount: Int

    /// Before the audit begins.
    /// - Returns: `nil` where other work is ready: that runs beside it, and may change what it likes.
    init?(of device: Device, in run: ScenarioRun) {
        guard !run.simulation.scheduler.hasReadyWork else { return nil }
        (self.device, began, changeCount) = (device, run.simulation.now, device.storage.changeCount)
    }

    /// Before a step.
    /// - Returns: `nil` for one that is no audit, too.
    init?(before action: ScenarioStep.Action, in run: ScenarioRun) {
        guard case .data(let data) = action, data.action == .audit, let device = run.simulation.device(data.device) else { return nil }
        self.init(of: device, in: run)
    }

    /// When the audit is done, or was cut short.
    func check(_ keeper: InvariantChecker, in run: ScenarioRun, step: Int) -> Violation? {
        guard run.simulation.now == began else { return nil }
        keeper.recorder?.looked(.audit)
        let changes = device.storage.changeCount - changeCount
        guard changes != 0 else { return nil }
        return Violation(
            .audit, device: device.id, step: step,
            explanation: ["the audit of \(device.id) made \(changes) operations that can change what is stored"])
    }
}
