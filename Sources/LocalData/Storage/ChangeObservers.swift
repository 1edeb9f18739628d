import Foundation

/// Who wants to hear of the changes at which location.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class ChangeObservers: @unchecked Sendable {
    struct Update: Sendable {
        /// The serialized bytes; `nil` for a removal.
        let plain: Data?
        let origin: ChangeOrigin
    }

    private let lock = NSLock()
    private var next: UInt64 = 0
    private var observers: [String: [UInt64: AsyncStream<Update>.Continuation]] = [:]

    /// How many observers there are. For tests.
    var count: Int { lock.withLock { observers.values.reduce(0) { $0 + $1.count } } }

    /// The changes at a location from now on. One that nobody has taken yet is replaced by the next, so an observer that does not keep up costs one
    /// value and learns the latest. When the stream is dropped, so is the observer.
    func updates(at location: String) -> AsyncStream<Update> {
        let (stream, continuation) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(1))
        let id = lock.withLock {
            next += 1
            observers[location, default: [:]][next] = continuation
            return next
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id, at: location) }
        return stream
    }

    /// Called in the location's turn, so that all observers see the changes in their order.
    func publish(_ plain: Data?, origin: ChangeOrigin, at location: @autoclosure () -> String) {
        guard lock.withLock({ !observers.isEmpty }) else { return }
        let location = location()
        let interested = lock.withLock { observers[location].map { $0.sorted { $0.key < $1.key }.map(\.value) } } ?? []
        for continuation in interested { continuation.yield(Update(plain: plain, origin: origin)) }
    }

    private func remove(_ id: UInt64, at location: String) {
        lock.withLock {
            observers[location]?[id] = nil
            if observers[location]?.isEmpty == true { observers[location] = nil }
        }
    }
}
