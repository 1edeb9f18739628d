import DeviceSimCore
import LocalData

extension Expectation {
    /// What a plan must say of a key: of its migration, or of sealing its value anew.
    public struct PlanCondition<State: RawRepresentable<String> & Sendable & Hashable>: Sendable, Hashable {
        /// What carrying the plan out would find.
        public let state: State
        /// Of the states that have one: why it is not possible.
        public let reason: ScenarioErrorName?

        /// A state, with the reason where it has one.
        public init(_ state: State, _ reason: ScenarioErrorName? = nil) {
            self.state = state
            self.reason = reason
        }

        /// As a scenario file writes it, and the plan describes itself.
        public var notation: String { state.rawValue + (reason.map { " \($0.name)" } ?? "") }
    }

    /// What the plan must say of a migration. ``MigrationState/deferred`` and ``MigrationState/blocked`` come with a reason.
    public typealias MigrationCondition = PlanCondition<MigrationState>

    /// The states of a `MigrationStep`.
    public enum MigrationState: String, Sendable, Hashable, CaseIterable {
        /// As the cases of `MigrationStep.State`, by their names in scenario files.
        case nothing, ready, interrupted, waiting, incomplete, removed, superseded, deferred, blocked

        /// Whether such a state comes with a reason.
        public var hasReason: Bool { self == .deferred || self == .blocked }
    }
}

extension Vocabulary {
    static let migrationExpectations: [Form] = [
        Form(
            .expect, "EXPECT DEVICE migration of KEY MIGRATION [TIMING]", "what the plan says of the key's migration; nothing is changed",
            example: "expect phone migration of theme ready"
        ) { match in
            guard let state = match.word(.migration).flatMap(Expectation.MigrationState.init) else { return nil }
            return keyed(match) { .migration($0, $1, .init(state)) }
        },
        Form(
            .expect, "EXPECT DEVICE migration of KEY (deferred | blocked) ERROR [TIMING]",
            "… that it is not possible for now, or for good, and why", example: "expect phone migration of theme deferred locked"
        ) { match in
            guard let error = match.error else { return nil }
            return keyed(match) { .migration($0, $1, .init(match.has("deferred") ? .deferred : .blocked, error)) }
        },
    ]
}
