/// One turn at a location: held by a task and everything that it awaits. See ``ExclusiveAccess``.
///
/// - Note: `@unchecked Sendable`: what changes is only touched under the lock of ``access``.
final class ExclusiveScope: @unchecked Sendable {
    /// The innermost turn that the running task holds.
    @TaskLocal static var current: ExclusiveScope?
    /// Whether the running task plans migrations, see ``StorageRouter/migrationPlan()``.
    @TaskLocal static var isPlanning = false

    let access: ExclusiveAccess
    /// The location's name, as ``StorageLocation/resolved(in:)`` gives it.
    let location: String
    /// Whether this is the turn of a migration into the location.
    let isMigration: Bool
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

    init(access: ExclusiveAccess, location: String, isMigration: Bool, parent: ExclusiveScope?, gate: ExclusiveAccess.Gate) {
        self.access = access
        self.location = location
        self.isMigration = isMigration
        self.parent = parent
        self.gate = gate
    }

    /// This turn and those around it, innermost first.
    var chain: some Sequence<ExclusiveScope> { sequence(first: self) { $0.parent } }
}
