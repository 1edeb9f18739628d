import DeviceSimCore
import DeviceSimLanguage

/// What happens between the devices.
extension ScenarioRun {
    func run(_ step: LinkStep) throws {
        switch step {
        case .up: simulation.setLink(up: true)
        case .down: simulation.setLink(up: false)
        case .latency(let latency): simulation.network.latency = latency
        case .pair: try simulation.setPaired(true)
        case .pairFromBackup:
            try simulation.pairFromBackup()
            if let watch = simulation.device(.watch) { useRestoredVersion(of: watch) }
        case .unpair: try simulation.setPaired(false)
        case .pairSecondWatch: try simulation.setPaired(true, .watch2)
        case .unpairSecondWatch: try simulation.setPaired(false, .watch2)
        case .switchWatch(let watch): try simulation.switchWatch(to: watch)
        }
    }
}
