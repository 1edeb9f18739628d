import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Before the first step.
extension ScenarioRun {
    /// Brings the devices into the scenario's start state, launched apps at rest.
    /// - Parameter settle: Lets the run come to rest, and says whether it did.
    /// - Returns: Whether it always came to rest; otherwise the rest was left undone.
    func prepare(_ settle: () throws -> Bool) throws -> Bool {
        let start = scenario.start
        if !start.isPaired { simulation.startUnpaired(.watch) }
        if start.watch2 != nil, !start.isWatch2Paired { simulation.startUnpaired(.watch2) }
        if !start.isLinkUp { simulation.setLink(up: false) }
        for device in simulation.devices {
            let state = start[device.id]
            device.begin(with: state)
            behaviours[device.id]?.activatesAtLaunch = state.activatesSession
            useCatalogs(of: state.appVersion, on: device)
            behaviours[device.id]?.keyMaterialSources = keys.keyMaterialSources
        }
        for device in simulation.devices {
            try simulation.recorder.attribute(to: -1) {
                try launch(device, as: start[device.id].launch, condition: start[device.id].condition)
            }
        }
        guard try settle() else { return false }
        for device in simulation.devices {
            let state = start[device.id]
            switch state.condition {
            case .locked where state.hasPasscode: try device.lock()
            default: break
            }
            if state.launch == .suspended { try device.suspend() }
        }
        guard try settle() else { return false }
        // A device that a scenario finds locked has been so for long enough to have discarded its keys.
        if simulation.devices.contains(where: { start[$0.id].condition == .locked }) { try simulation.wait(scenario.knobs.lockGrace) }
        return true
    }

    private func launch(_ device: Device, as state: AppState?, condition: Expectation.DeviceCondition) throws {
        guard let state, device.isAppInstalled, device.state.isPoweredOn else { return }
        if condition == .beforeFirstUnlock {
            try simulation.finish(device.launchInBackground())
        } else {
            try simulation.finish(state == .foreground ? device.launch() : device.launchInBackground())
        }
    }
}
