import Foundation

/// Gives tasks their turns at locations, one at a time for each location, first come, first served.
///
/// A turn belongs to a task and to all that it awaits: an operation on the same location within a turn gets a turn within the turn, so that a migration
/// can use the router, and child tasks of a migration still come one after the other. Different locations know nothing of each other, and a location
/// that nobody uses costs nothing.
///
/// A task that is cancelled while it waits gives up with `CancellationError`; one that has its turn keeps it to the end. Tasks that hold turns and
/// wait for each other's, as two migrations with each other's key as source would, are refused instead of waiting for ever.
/// - Note: `@unchecked Sendable`: all state, that of gates and scopes included, is only touched under the lock.
final class ExclusiveAccess: @unchecked Sendable {
    /// A queue for one thing.
    final class Gate {
        /// The key in ``ExclusiveAccess/gates``; `nil` for the inner gate of a turn.
        let location: String?
        var holder: ExclusiveScope?
        var waiters: [Waiter] = []
        /// The owner of an inner gate, who waits until nobody is left inside.
        var owner: CheckedContinuation<Void, Never>?

        init(location: String?) { self.location = location }
    }

    final class Waiter: @unchecked Sendable {
        var scope: ExclusiveScope?
        var continuation: CheckedContinuation<ExclusiveScope, any Error>?
        var isCancelled = false
    }

    private let lock = NSLock()
    private var gates: [String: Gate] = [:]
    private var waiting: [ObjectIdentifier: Waiter] = [:]

    /// How many locations are in use. For tests: zero when nothing is going on.
    var locationsInUse: Int { lock.withLock { gates.count } }
    /// How many tasks wait for a turn. For tests.
    var waitersCount: Int { lock.withLock { waiting.count } }

    /// Runs `body` in a turn of its own at `location`.
    /// - Parameter key: The key whose migration it is the turn of.
    func run<Result: Sendable>(
        at location: String, migrating key: (any StorageKey)? = nil, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        // Most turns wait for nobody. They come and go without a frame of their own on the task's stack.
        let scope: ExclusiveScope
        if let free = enterIfFree(location, migrating: key) {
            scope = free
        } else {
            scope = try await enter(location, migrating: key)
        }
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await ExclusiveScope.$current.withValue(scope) { try await body() })
        } catch {
            outcome = .failure(error)
        }
        if !close(scope) { await waitUntilEmpty(scope) }
        for action in leave(scope) { await action() }
        return try outcome.get()
    }

    /// Whether the running task is in a turn of a migration: into `location`, or into any.
    func isMigrating(into location: String? = nil) -> Bool {
        guard let current = ExclusiveScope.current else { return false }
        return lock.withLock {
            current.chain.contains {
                $0.access === self && $0.isOpen && $0.migrating != nil && (location == nil || $0.location == location)
            }
        }
    }

    /// The keys that migrations of the running task bring values of to this location, the innermost first.
    func keysMigrating(into location: String) -> [any StorageKey] {
        guard let current = ExclusiveScope.current else { return [] }
        return lock.withLock {
            current.chain.filter { $0.access === self && $0.isOpen && $0.location == location }.compactMap(\.migrating)
        }
    }

    /// Waits until the turns are over that anybody has or waits for now. Not for those of the running task, whose end would never come.
    func waitForTurnsUnderWay() async throws {
        let locations = lock.withLock { gates.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
        for location in locations { try await run(at: location) {} }
    }

    /// Runs `action` when the outermost turn of the running task is over; at once if it holds none.
    func afterTurn(_ action: @escaping @Sendable () async -> Void) async {
        let isDeferred = lock.withLock {
            guard let outermost = ExclusiveScope.current?.chain.filter({ $0.access === self && $0.isOpen }).last else { return false }
            outermost.deferred.append(action)
            return true
        }
        if !isDeferred { await action() }
    }

    // MARK: Coming

    private func enterIfFree(_ location: String, migrating key: (any StorageKey)?) -> ExclusiveScope? {
        let parent = ExclusiveScope.current
        return lock.withLock { turn(at: location, migrating: key, within: parent) }
    }

    /// A turn, unless somebody else has it. Called under the lock.
    private func turn(at location: String, migrating key: (any StorageKey)?, within parent: ExclusiveScope?) -> ExclusiveScope? {
        let gate = gate(for: location, within: parent)
        guard gate.holder == nil else { return nil }
        let scope = ExclusiveScope(access: self, location: location, migrating: key, parent: parent, gate: gate)
        gate.holder = scope
        return scope
    }

    private func enter(_ location: String, migrating key: (any StorageKey)?) async throws -> ExclusiveScope {
        let parent = ExclusiveScope.current
        let waiter = Waiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Swift.Result<ExclusiveScope, any Error>? = lock.withLock {
                    if waiter.isCancelled { return .failure(CancellationError()) }
                    if let scope = turn(at: location, migrating: key, within: parent) { return .success(scope) }
                    let gate = gate(for: location, within: parent)
                    if isDeadlock(waitingFor: gate, within: parent) {
                        return .failure(
                            StorageError(
                                .invalidKey,
                                facts: ["operations that began within others wait for each other; do their migrations form a cycle?"]))
                    }
                    waiter.scope = ExclusiveScope(access: self, location: location, migrating: key, parent: parent, gate: gate)
                    waiter.continuation = continuation
                    gate.waiters.append(waiter)
                    waiting[ObjectIdentifier(waiter)] = waiter
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            giveUp(waiter)
        }
    }

    private func giveUp(_ waiter: Waiter) {
        let continuation = lock.withLock { () -> CheckedContinuation<ExclusiveScope, any Error>? in
            waiter.isCancelled = true
            // No continuation: it is not in the queue yet, or it has been given its turn.
            guard let continuation = waiter.continuation else { return nil }
            waiter.continuation = nil
            waiter.scope?.gate.waiters.removeAll { $0 === waiter }
            waiting[ObjectIdentifier(waiter)] = nil
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// The inner gate of the innermost open turn at the location, else the location's own.
    private func gate(for location: String, within parent: ExclusiveScope?) -> Gate {
        if let turn = parent?.chain.first(where: { $0.access === self && $0.location == location && $0.isOpen }) { return turn.inner }
        if let gate = gates[location] { return gate }
        let gate = Gate(location: location)
        gates[location] = gate
        return gate
    }

    // MARK: Going

    /// Ends the body's part of a turn.
    /// - Returns: False where tasks that the body started and did not await are still inside.
    private func close(_ scope: ExclusiveScope) -> Bool {
        lock.withLock {
            scope.isOpen = false
            return scope.isEmpty
        }
    }

    private func waitUntilEmpty(_ scope: ExclusiveScope) async {
        await withCheckedContinuation { continuation in
            let isEmptyByNow = lock.withLock {
                guard !scope.isEmpty else { return true }
                scope.inner.owner = continuation
                return false
            }
            if isEmptyByNow { continuation.resume() }
        }
    }

    /// - Returns: What is to be done now that the outermost turn is over.
    private func leave(_ scope: ExclusiveScope) -> [@Sendable () async -> Void] {
        let (next, owner, deferred) = lock.withLock { handOver(scope) }
        next?()
        owner?.resume()
        return deferred
    }

    /// Called under the lock.
    private func handOver(
        _ scope: ExclusiveScope
    ) -> (next: (() -> Void)?, owner: CheckedContinuation<Void, Never>?, deferred: [@Sendable () async -> Void]) {
        let gate = scope.gate
        let deferred = scope.deferred
        scope.deferred = []
        guard !gate.waiters.isEmpty else {
            let owner = gate.owner
            gate.holder = nil
            gate.owner = nil
            if let location = gate.location { gates[location] = nil }
            return (nil, owner, deferred)
        }
        let waiter = gate.waiters.removeFirst()
        waiting[ObjectIdentifier(waiter)] = nil
        gate.holder = waiter.scope
        // Taken in the same step as the turn is given, so that a cancellation finds either a waiter or a holder.
        guard let continuation = waiter.continuation, let given = waiter.scope else { return (nil, nil, deferred) }
        waiter.continuation = nil
        return ({ continuation.resume(returning: given) }, nil, deferred)
    }

    // MARK: Waiting for each other

    /// Whether whoever holds the gate waits, directly or through others, for a turn that the asking task holds.
    private func isDeadlock(waitingFor gate: Gate, within parent: ExclusiveScope?) -> Bool {
        guard let parent else { return false }
        let own = Set(parent.chain.filter { $0.access === self && $0.isOpen }.map { ObjectIdentifier($0) })
        var visited: Set<ObjectIdentifier> = []
        var gates = [gate]
        while let gate = gates.popLast() {
            guard let holder = gate.holder, visited.insert(ObjectIdentifier(holder)).inserted else { continue }
            if own.contains(ObjectIdentifier(holder)) { return true }
            for waiter in waiting.values {
                guard let scope = waiter.scope, scope.chain.contains(where: { $0 === holder }) else { continue }
                gates.append(scope.gate)
            }
        }
        return false
    }
}

/// One turn at a location: held by a task and everything that it awaits. See ``ExclusiveAccess``.
///
/// - Note: `@unchecked Sendable`: what changes is only touched under the lock of ``access``.
final class ExclusiveScope: @unchecked Sendable {
    /// The innermost turn that the running task holds.
    @TaskLocal static var current: ExclusiveScope?

    let access: ExclusiveAccess
    /// The location's name, as ``StorageLocation/resolved(in:)`` gives it.
    let location: String
    /// The key whose migration brings a value to the location in this turn.
    let migrating: (any StorageKey)?
    /// The turn that the task held when it asked for this one, of any location and router.
    let parent: ExclusiveScope?

    /// What this turn was given by: the location's own gate, or the inner one of an enclosing turn.
    let gate: ExclusiveAccess.Gate
    /// Gives turns within this turn, to operations of the task itself on the same location. Most turns need none.
    private(set) lazy var inner: ExclusiveAccess.Gate = {
        hasInner = true
        return ExclusiveAccess.Gate(location: nil)
    }()
    private var hasInner = false
    /// Whether nobody has a turn within this one.
    var isEmpty: Bool { !hasInner || inner.holder == nil }
    /// False once the body has returned. Tasks that outlive it must not count on the turn any more.
    var isOpen = true
    /// What to do when the outermost turn is over.
    var deferred: [@Sendable () async -> Void] = []

    init(
        access: ExclusiveAccess, location: String, migrating: (any StorageKey)?, parent: ExclusiveScope?, gate: ExclusiveAccess.Gate
    ) {
        self.access = access
        self.location = location
        self.migrating = migrating
        self.parent = parent
        self.gate = gate
    }

    /// This turn and those around it, innermost first.
    var chain: some Sequence<ExclusiveScope> { sequence(first: self) { $0.parent } }
}
