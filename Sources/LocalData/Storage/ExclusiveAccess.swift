import Foundation

/// Gives tasks their turns at locations, one at a time for each location, first come, first served.
///
/// A turn belongs to a task: an operation of it on the same location within a turn gets a turn within the turn. A migration that an app wrote can use the router
/// from tasks of its own, too, which come one after the other. Of other code of an app that runs within a turn, such as what observes preferences or provides key
/// material, only what runs in the task itself does: a task that it starts and that nobody awaits waits like everybody else, or it would change a value in the
/// middle of an operation on it. Different locations know nothing of each other, and a location that nobody uses costs nothing.
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
    /// - Parameters:
    ///   - key: The key whose migration it is the turn of.
    ///   - admitsTasks: Whether all tasks that are started within it have part in it.
    func run<Result: Sendable>(
        at location: String, migrating key: (any StorageKey)? = nil, admitsTasks: Bool = false, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        // Most turns wait for nobody. They come and go without a frame of their own on the task's stack.
        let scope: ExclusiveScope
        let request = Request(location: location, migrating: key, admitsTasks: admitsTasks, task: .current, parent: .current)
        if let free = lock.withLock({ turn(request) }) {
            scope = free
        } else {
            scope = try await enter(request)
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
            innermostTurn(of: .current, within: current) { $0.migrating != nil && (location == nil || $0.location == location) } != nil
        }
    }

    /// The keys that migrations of the running task bring values of to this location, the innermost first.
    func keysMigrating(into location: String) -> [any StorageKey] {
        guard let current = ExclusiveScope.current else { return [] }
        return lock.withLock {
            var keys: [any StorageKey] = []
            _ = innermostTurn(of: .current, within: current) {
                if $0.location == location, let key = $0.migrating { keys.append(key) }
                return false
            }
            return keys
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
            var outermost: ExclusiveScope?
            _ = innermostTurn(of: .current, within: .current) {
                outermost = $0
                return false
            }
            outermost?.deferred.append(action)
            return outermost != nil
        }
        if !isDeferred { await action() }
    }

    // MARK: Coming

    /// Who asks for a turn, and for which.
    struct Request {
        /// The location's name, as ``StorageLocation/resolved(in:)`` gives it.
        let location: String
        let migrating: (any StorageKey)?
        let admitsTasks: Bool
        let task: TaskIdentity
        /// The innermost turn that the task, or the one that started it, held when it asked, of any location and router.
        let parent: ExclusiveScope?
    }

    /// A turn, unless somebody else has it. Called under the lock.
    private func turn(_ request: Request) -> ExclusiveScope? {
        let gate = gate(for: request)
        guard gate.holder == nil else { return nil }
        let scope = ExclusiveScope(request, access: self, gate: gate)
        gate.holder = scope
        return scope
    }

    private func enter(_ request: Request) async throws -> ExclusiveScope {
        let waiter = Waiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Swift.Result<ExclusiveScope, any Error>? = lock.withLock {
                    if waiter.isCancelled { return .failure(CancellationError()) }
                    if let scope = turn(request) { return .success(scope) }
                    let gate = gate(for: request)
                    if isDeadlock(waitingFor: gate, within: request.parent) {
                        return .failure(
                            StorageError(
                                .invalidKey,
                                facts: ["operations that began within others wait for each other; do their migrations form a cycle?"]))
                    }
                    waiter.scope = ExclusiveScope(request, access: self, gate: gate)
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

    /// The innermost open turn that fits, of those that the task has part in: those that it took, those that admit it, and those that were held by whom it has part
    /// in a turn of. Called under the lock.
    private func innermostTurn(
        of task: TaskIdentity, within innermost: ExclusiveScope?, _ fits: (ExclusiveScope) -> Bool
    ) -> ExclusiveScope? {
        var task = task
        var next = innermost
        while let scope = next {
            next = scope.parent
            guard scope.access === self, scope.isOpen else { continue }
            if scope.admitsTasks { task = scope.task }
            if scope.task == task, fits(scope) { return scope }
        }
        return nil
    }

    /// The inner gate of the innermost open turn at the location that the task has part in, else the location's own.
    private func gate(for request: Request) -> Gate {
        let turn = innermostTurn(of: request.task, within: request.parent) { $0.location == request.location }
        if let turn { return turn.inner }
        if let gate = gates[request.location] { return gate }
        let gate = Gate(location: request.location)
        gates[request.location] = gate
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

    /// Whether whoever holds the gate waits, directly or through others, for a turn that the asking task holds. Of a task that was started within a turn nobody knows
    /// whether that turn waits for it: where it asks for the same location, it is taken for one that nobody awaits.
    private func isDeadlock(waitingFor gate: Gate, within parent: ExclusiveScope?) -> Bool {
        guard let parent else { return false }
        let own = Set(parent.chain.filter { $0.access === self && $0.isOpen }.map { ObjectIdentifier($0) })
        if let holder = gate.holder, own.contains(ObjectIdentifier(holder)) { return false }
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

/// Which task it is. Only compared: of a task that has ended it says nothing.
struct TaskIdentity: Hashable {
    private let value: Int?

    /// The running task.
    static var current: TaskIdentity { TaskIdentity(value: withUnsafeCurrentTask { $0?.hashValue }) }
}

/// One turn at a location: held by a task, and by those that it admits. See ``ExclusiveAccess``.
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
    /// The turn that the task, or the one that started it, held when it asked for this one, of any location and router.
    let parent: ExclusiveScope?
    let task: TaskIdentity
    /// Whether every task that is started within it acts for the one that took it.
    let admitsTasks: Bool

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

    init(_ request: ExclusiveAccess.Request, access: ExclusiveAccess, gate: ExclusiveAccess.Gate) {
        self.access = access
        self.gate = gate
        location = request.location
        migrating = request.migrating
        parent = request.parent
        task = request.task
        admitsTasks = request.admitsTasks
    }

    /// This turn and those around it, innermost first.
    var chain: some Sequence<ExclusiveScope> { sequence(first: self) { $0.parent } }
}
