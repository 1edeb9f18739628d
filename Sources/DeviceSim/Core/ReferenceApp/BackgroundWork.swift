import Foundation
import WatchConnectivity

/// Knows when an app that was started in the background for content from its counterpart is done: when its session is activated, has
/// nothing pending, and what came has been dealt with.
///
/// A watch app completes its `WKWatchConnectivityRefreshBackgroundTask` then:
/// `work.whenDone { task.setTaskCompletedWithSnapshot(false) }`. May be used from any thread.
public final class BackgroundWork: @unchecked Sendable {
    private let lock = NSLock()
    private var running = 0
    private var completions: [() -> Void] = []

    /// Nothing is under way.
    public init() {}

    /// Calls `completion` once all is done, if need be at once.
    public func whenDone(_ completion: @escaping () -> Void) {
        lock.withLock { completions.append(completion) }
        check()
    }

    /// Something that came is being dealt with. Each call needs one of ``end()``.
    public func begin() {
        lock.withLock { running += 1 }
    }

    /// Something that ``begin()`` counted has ended. After the last one, tasks are completed if nothing is pending.
    public func end() {
        lock.withLock { running -= 1 }
        check()
    }

    /// To be called where the session may have nothing pending any more: at the end of its callbacks.
    public func check() {
        guard lock.withLock({ !completions.isEmpty }), WCSession.isSupported(), WCSession.default.activationState == .activated,
            !WCSession.default.hasContentPending
        else { return }
        let done = lock.withLock {
            guard running == 0 else { return [() -> Void]() }
            defer { completions = [] }
            return completions
        }
        for completion in done { completion() }
    }
}
