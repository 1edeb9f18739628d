import DeviceSimCore
import SimulatedSystem

/// Checks of Swift's that end an app. The real ones would end the simulation, so naive apps have these, which end the simulated process.
enum NaiveTraps {
    /// What Swift checks at the entrance of code of the main actor that was called by code that knows nothing of actors (SE-0423).
    static func assumeMainActor() {
        if !SystemShims.isMainThread { ProcessContext.trap("EXC_BREAKPOINT") }
    }
}

/// A `CheckedContinuation`, as far as its caller can tell: what waits goes on when it is resumed, and a second time ends the app. Never to be resumed is no
/// error here either; what waits does so for ever.
///
/// Confined to the simulation's thread.
final class NaiveContinuation<Value>: @unchecked Sendable {
    private var goOn: ((Value) -> Void)?

    init(_ goOn: @escaping (Value) -> Void) {
        self.goOn = goOn
    }

    func resume(returning value: Value) {
        guard let goOn else { return ProcessContext.trap("EXC_BREAKPOINT") }
        self.goOn = nil
        goOn(value)
    }
}
