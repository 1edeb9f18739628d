import DeviceSimCore
import Foundation

/// What came of one message that a scenario sent.
///
/// Confined to the simulation's thread.
final class MessageLog: @unchecked Sendable {
    enum Outcome {
        case waiting
        case replied(ScenarioValue)
        case failed(any Error)
    }

    private(set) var outcome = Outcome.waiting
    /// How often a handler was called after the outcome was decided, which must not happen (W65).
    private(set) var repetitions = 0

    func reply(_ value: ScenarioValue) { decide(.replied(value)) }
    func fail(_ error: any Error) { decide(.failed(error)) }

    private func decide(_ decision: Outcome) {
        if case .waiting = outcome { outcome = decision } else { repetitions += 1 }
    }

    var error: (any Error)? {
        if case .failed(let error) = outcome { error } else { nil }
    }
}
