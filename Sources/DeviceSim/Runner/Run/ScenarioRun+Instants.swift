import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Instants at which what can be observed changes though nothing happens then.
///
/// Nearly all that an expectation can ask for changes in an event, and is looked at after each. What changes with time alone is here: a new observation
/// of that kind needs its line.
extension ScenarioRun {
    /// When to look next, after now; `nil` if nothing will have changed before the next event.
    func quietInstant(_ condition: Expectation.Condition) -> VirtualTime? {
        // A device that is locked goes on reading for some seconds, and every expectation may read.
        var instants = simulation.devices.compactMap(\.storage.endOfGrace)
        switch condition {
        case .transfer(let label, .percent(let percent)): instants += self.instants(of: label, reaching: percent)
        case .complicationBudget(let id, _):
            if let device = simulation.device(id) {
                let reset = simulation.options.knobs.complicationReset
                instants.append(simulation.now + DailyBudget.timeUntilNextDay(after: device.wallClock, reset: reset))
            }
        case .app(_, .shows), .invariant, .value:
            // An app of one's own may look at the clock: nobody can tell when that makes a difference.
            if usesOwnApps { instants.append(nextSecond) }
        default: break
        }
        return instants.filter { $0 > simulation.now }.min()
    }

    private var usesOwnApps: Bool { configurable.count < simulation.devices.count }

    private var nextSecond: VirtualTime {
        let second: Int64 = 1_000_000
        return VirtualTime(microseconds: (simulation.now.microseconds / second + 1) * second)
    }
}
