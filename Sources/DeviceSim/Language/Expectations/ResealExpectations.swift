import DeviceSimCore
import LocalData

extension Expectation {
    /// What the plan of a rotation must say of a sealed value.
    public struct ResealCondition: Sendable, Hashable {
        /// What sealing anew would find.
        public let state: ResealState
        /// Of ``ResealState/deferred`` and ``ResealState/failed``.
        public let reason: ScenarioErrorName?

        /// A state, with the reason where it has one.
        public init(_ state: ResealState, _ reason: ScenarioErrorName? = nil) {
            self.state = state
            self.reason = reason
        }
    }

    /// The states of a `PlannedReseal`.
    public enum ResealState: String, Sendable, Hashable, CaseIterable {
        /// As the cases of `PlannedReseal.State`, by their names in scenario files.
        case absent, current, due, deferred, failed
    }
}

extension Expectation.ResealCondition {
    /// As a scenario file writes it.
    public var notation: String { state.rawValue + (reason.map { " \($0.name)" } ?? "") }
}

extension Vocabulary {
    static let resealExpectations: [Form] = [
        Form(
            .expect, "EXPECT DEVICE reseal of KEY (absent | current | due) [TIMING]",
            "what the plan of a rotation says of the key's sealed value: there is none, it is sealed as declared, or it would be sealed anew",
            example: "expect phone reseal of token due"
        ) { match in
            guard let state = [Expectation.ResealState.absent, .current, .due].first(where: { match.has($0.rawValue) }) else { return nil }
            return keyed(match) { .reseal($0, $1, .init(state)) }
        },
        Form(
            .expect, "EXPECT DEVICE reseal of KEY (deferred | failed) ERROR [TIMING]",
            "… that it cannot be sealed anew, for now or for good, and why", example: "expect phone reseal of token deferred locked"
        ) { match in
            guard let error = match.error else { return nil }
            return keyed(match) { .reseal($0, $1, .init(match.has("deferred") ? .deferred : .failed, error)) }
        },
    ]
}
