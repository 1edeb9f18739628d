import DeviceSimCore
import SimulatedSystem

/// The remedy of P48: the delegate's methods are `nonisolated`, and hand what comes to the main actor.
final class NonisolatedDelegateApp: MainActorDelegateApp, @unchecked Sendable {
    override func show(_ theme: String?) {
        SystemShims.DispatchQueue.main.async { super.show(theme) }
    }
}
