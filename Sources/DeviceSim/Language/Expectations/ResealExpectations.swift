import DeviceSimCore
import LocalData

extension Expectation {
    /// What the plan of a rotation must say of a sealed value. ``ResealState/deferred`` and ``ResealState/failed`` come with a reason.
    public typealias ResealCondition = PlanCondition<ResealState>

    /// The states of a `PlannedReseal`.
    public enum ResealState: String, Sendable, Hashable, CaseIterable {
        /// As the cases of `PlannedReseal.State`, by their names in scenario files.
        case absent, current, due, deferred, failed
    }
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
