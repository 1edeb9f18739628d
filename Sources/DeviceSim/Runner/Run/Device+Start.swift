import DeviceSimCore
import DeviceSimLanguage
import LocalData

extension Device {
    /// Puts the device into the state in which a scenario finds it, before anything runs on it.
    func begin(with start: StartState.Device) {
        state.hasPasscode = start.hasPasscode
        if start.hasBiometry { state.editBiometry() }
        isAppInstalled = start.isInstalled
        hasComplication = start.hasComplication && !id.isPhone
        wear.hasWristDetection = start.hasWristDetection
        wear.hasAlwaysOn = start.hasAlwaysOn
        appVersion = start.appVersion.description
        switch start.condition {
        case .off:
            state.isPoweredOn = false
        case .beforeFirstUnlock:
            state.isLocked = start.hasPasscode
            state.wasUnlockedSinceBoot = !start.hasPasscode
        case .on, .locked, .unlocked:
            break
        }
        network.conditionsChanged()
    }
}
