import Foundation
import WatchConnectivity

/// Knows when an app that was started in the background for content from its counterpart is done: when its session is activated, has
/// nothing pending, and what came has been dealt with.
///
/// A watch app completes its `WKWatchConnectivityRefreshBackgroundTask` then:
/// `work.whenDone { task.setTaskCompletedWithSnapshot(false) }`. One that stays open ends the app (W110). May be used from any thread.
public nonisolated final class BackgroundWork: @unchecked Sendable {
    private let lock = NSLock()
    private var running = 0
    private var completions: [() -> Void] = []
    private var observations: [NSKeyValueObservation] = []

    /// Nothing is under way.
    public init() {}

    /// Calls `completion` once all is done, if need be at once, on any thread.
    public func whenDone(_ completion: @escaping () -> Void) {
        lock.withLock { completions.append(completion) }
        observe()
        check()
    }

    /// The session is activated, and has nothing pending any more, after the last of its callbacks as well, and what arrives may have a callback that the
    /// app does not implement. So both are observed, as Apple's sample does (W125).
    private func observe() {
        // A Mac has the mirror of the session, whose properties its Objective-C does not observe.
        #if !os(macOS)
            guard WCSession.isSupported() else { return }
            lock.withLock {
                guard observations.isEmpty else { return }
                observations = [
                    WCSession.default.observe(\.activationState) { [weak self] _, _ in self?.check() },
                    WCSession.default.observe(\.hasContentPending) { [weak self] _, _ in self?.check() },
                ]
            }
        #endif
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
        complete()
    }

    /// The session cannot be activated: nothing comes any more that would be worth waiting for.
    public func giveUp() { complete() }

    /// Completes what waits, unless something is being dealt with: the end of that does.
    private func complete() {
        let done = lock.withLock {
            guard running == 0 else { return [() -> Void]() }
            defer { completions = [] }
            return completions
        }
        for completion in done { completion() }
    }
}
