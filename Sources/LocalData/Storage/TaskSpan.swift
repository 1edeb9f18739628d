import Foundation

/// Something that a task does, from its beginning to its end: what a task-local says of it ends there. A task that is started within it inherits the task-local,
/// and may outlive what it says.
final class TaskSpan: @unchecked Sendable {
    private let lock = NSLock()
    /// Guarded by `lock`.
    private var hasEnded = false

    var isOpen: Bool { lock.withLock { !hasEnded } }

    func end() { lock.withLock { hasEnded = true } }
}
