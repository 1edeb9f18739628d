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

    func reply(_ value: ScenarioValue) {
        if case .waiting = outcome { outcome = .replied(value) }
    }

    func fail(_ error: any Error) {
        if case .waiting = outcome { outcome = .failed(error) }
    }

    var error: (any Error)? {
        if case .failed(let error) = outcome { error } else { nil }
    }
}
