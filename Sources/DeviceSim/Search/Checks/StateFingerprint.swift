import DeviceSimCore
import DeviceSimRunner
import LocalData

/// Tells states that a run passed through apart, roughly: for counting how much of the space a search has seen. Not for judging.
struct StateFingerprint {
    var value: UInt64 { hash.value }
    private var hash = FNV1a()

    init(of run: ScenarioRun, knowledge: UInt64) {
        combine(knowledge)
        combine(run.simulation.isLinkUp ? 1 : 0)
        combine(run.simulation.network.isPaired ? 1 : 0)
        for device in run.simulation.devices { combine(device) }
    }

    private mutating func combine(_ number: UInt64) {
        // A round for a whole number moves nothing down from its upper half.
        hash.add(number)
        hash.value ^= hash.value >> 29
    }

    private mutating func combine(_ device: Device) {
        combine(device.state.isPoweredOn ? 1 : 0)
        combine(UInt64(device.state.lockState == .unlocked ? 0 : device.state.lockState == .locked ? 1 : 2))
        combine(device.isAppInstalled ? 1 : 0)
        switch device.process?.state {
        case nil: combine(0)
        case .foreground: combine(1)
        case .background: combine(2)
        case .suspended: combine(3)
        }
        combine(UInt64(device.process?.endpoint.activationState.rawValue ?? 7))
        combine(device.storage.faults.isEmpty ? 0 : 1)
        combine(device.storage.freeSpace == nil ? 0 : 1)
    }
}
