import LocalData

/// What `StorageRouter` invariants of one key: a register that can be set, read, removed, filled from where an earlier version of the app left a
/// value, and replaced by the counterpart's version.
///
/// Values need not be unique, but a history says the more the fewer are set twice.
public struct KeyRegister<Value: Hashable & Sendable>: SequentialModel {
    /// What clients of a key ask for.
    public enum Call: Sendable, Hashable {
        /// Store a value.
        case set(Value)
        /// Read the value, migrating one that lies at the old place.
        case get
        /// Remove the value, and what a migration would bring back.
        case remove
        /// Ask whether a value is stored at the key's own place.
        case exists
        /// `forceMigration(for:)`.
        case migrate
        /// `apply(_:)` of a snapshot with this version of the key; `nil` is a deletion.
        case apply(Value?, SyncStamp)
    }

    /// What clients of a key are told.
    public enum Answer: Sendable, Hashable {
        /// `set`, `remove` and `migrate` that returned.
        case done
        /// The value that was read.
        case value(Value)
        /// `get` threw `notFound`.
        case missing
        /// Whether there is a value.
        case exists(Bool)
        /// Whether the report of `apply` says that the version was applied.
        case applied(Bool)
        /// Any other error. What the call was to do, it did or did not.
        case failed
    }

    public struct State: Sendable, Hashable {
        /// At the key's own place.
        public var value: Value?
        /// At the place of its migration's source.
        public var legacy: Value?
        /// The version that is there, or of the deletion, or one below it; `nil` where the key does not sync or nothing was ever stored through
        /// LocalData. A write's version is above all that the device has seen, and by how much is the device's affair.
        public var stamp: SyncStamp?
        /// Whether ``stamp`` is the version itself.
        public var isExact = true
        /// Whether the value was removed while its source stayed: then nothing brings it back.
        public var isRetired = false
    }

    public let initialState: State
    /// `DeviceDescribing.identifier` of the device.
    public let device: String
    /// Whether another key needs what lies at the source, so that it stays.
    let leavesSource: Bool

    /// - Parameters:
    ///   - device: `DeviceDescribing.identifier` of the device.
    ///   - value: What lies at the key's own place before the first call.
    ///   - stamp: The version of that.
    ///   - legacy: What lies at the place of the key's migration's source before the first call.
    ///   - leavesSource: Whether another key needs what lies there, so that it stays.
    public init(device: String, value: Value? = nil, legacy: Value? = nil, stamp: SyncStamp? = nil, leavesSource: Bool = false) {
        self.device = device
        self.leavesSource = leavesSource
        initialState = State(value: value, legacy: legacy, stamp: stamp)
    }

    public func states(after call: Call, answering answer: Answer?, in state: State) -> [State] {
        let possible = outcomes(of: call, in: state)
        switch answer {
        case .failed?, nil: return ([state] + possible.map(\.after)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        case let answer?: return possible.filter { $0.answer == answer }.map(\.after)
        }
    }

    /// What the call may answer, and the state that each answer leaves.
    private func outcomes(of call: Call, in state: State) -> [(answer: Answer, after: State)] {
        switch call {
        case .set, .remove, .migrate: return [(.done, self.state(after: call, in: state))]
        case .get:
            let found = state.value ?? (state.isRetired ? nil : state.legacy)
            return [(found.map { .value($0) } ?? .missing, self.state(after: call, in: state))]
        case .exists: return [(.exists(state.value != nil), state)]
        case .apply(_, let stamp):
            guard wins(stamp, in: state) else { return [(.applied(false), state)] }
            let applied = [(answer: Answer.applied(true), after: self.state(after: call, in: state))]
            return state.isExact ? applied : applied + [(.applied(false), state)]
        }
    }

    private func state(after call: Call, in state: State) -> State {
        var after = state
        switch call {
        case .set(let value):
            after.value = value
            after.stamp = next(state.stamp)
            after.isExact = false
        case .get:
            if state.value == nil, !state.isRetired { after = migrated(state) }
        case .exists: break
        case .remove:
            if leavesSource { after.isRetired = true } else { after.legacy = nil }
            after.value = nil
            // Removing what is not there is no version of its own.
            if state.value != nil {
                after.stamp = next(state.stamp)
                after.isExact = false
            }
        case .migrate:
            if state.value != nil || !state.isRetired { after = migrated(state) }
        case .apply(let value, let stamp):
            after.value = value
            after.stamp = stamp
            after.isExact = true
            if value == nil { after.legacy = nil }
        }
        return after
    }

    /// The source goes; what it holds is worth something only where nothing newer is.
    private func migrated(_ state: State) -> State {
        var after = state
        after.value = state.value ?? state.legacy
        if !leavesSource { after.legacy = nil }
        return after
    }

    private func wins(_ stamp: SyncStamp, in state: State) -> Bool { state.stamp.map { $0 < stamp } ?? true }

    private func next(_ stamp: SyncStamp?) -> SyncStamp {
        SyncStamp(counter: (stamp?.counter ?? 0) + 1, device: device)
    }
}
