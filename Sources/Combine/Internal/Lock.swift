import Foundation

/// A lock that its holder may take again: a subscriber may call back into what calls it.
final class Lock: @unchecked Sendable {
    private let lock = NSRecursiveLock()

    func withLock<Value>(_ body: () throws -> Value) rethrows -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}

/// The one subscription of a subscriber's life.
final class Connection: @unchecked Sendable {
    private enum State {
        case waiting
        case open(any Subscription)
        case over
    }

    private let lock = Lock()
    private var state = State.waiting

    var isOpen: Bool {
        lock.withLock {
            if case .open = state { true } else { false }
        }
    }

    var subscription: (any Subscription)? {
        lock.withLock {
            if case .open(let subscription) = state { subscription } else { nil }
        }
    }

    /// Whether the subscription is taken. A second one, or one that comes too late, is cancelled.
    func begin(_ subscription: any Subscription) -> Bool {
        let isFirst = lock.withLock {
            guard case .waiting = state else { return false }
            state = .open(subscription)
            return true
        }
        if !isFirst { subscription.cancel() }
        return isFirst
    }

    /// Ends it, once, and returns what was open. A subscription that comes later is cancelled.
    func end() -> (any Subscription)? {
        lock.withLock {
            defer { state = .over }
            if case .open(let subscription) = state { return subscription }
            return nil
        }
    }
}
