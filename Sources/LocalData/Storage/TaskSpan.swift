import Foundation

/// Something that a task does, from its beginning to its end: what a task-local says of it ends there. A task that is started within it inherits the task-local,
/// and may outlive what it says.
final class TaskSpan: @unchecked Sendable {
    private let lock = NSLock()
    /// Guarded by `lock`.
    private var hasEnded = false

    /// Whether the task is still at it. From any task or thread.
    var isOpen: Bool { lock.withLock { !hasEnded } }

    /// Called once, however the task's part ended: by a result, an error or cancellation.
    func end() { lock.withLock { hasEnded = true } }
}
