import Foundation

/// One element of ``StorageChanges``: a key's value at some moment.
public struct StorageChange<Value: Sendable>: Sendable {
    /// `nil` where no value is stored.
    public let value: Value?
    /// Where the change came from; `nil` for the first element, which is the value as it was found.
    public let origin: ChangeOrigin?
}

extension StorageChange: Equatable where Value: Equatable {}

/// The values of a key: the current one first, then each that replaces it, until the task is cancelled. See ``StorageRouter/changes(of:)``.
public struct StorageChanges<Key: StorageKey>: AsyncSequence, Sendable {
    public typealias Element = StorageChange<Key.Value>

    let router: StorageRouter
    let key: Key

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(router: router, key: key)
    }

    /// Waits for the next value. It is used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let router: StorageRouter
        let key: Key
        private var updates: AsyncStream<ChangeObservers.Update>.Iterator?
        private var isOver = false

        init(router: StorageRouter, key: Key) {
            self.router = router
            self.key = key
        }

        /// The first call reads the value as ``StorageRouter/get(_:)`` does, an absent one included; the others wait for a change.
        /// - Throws: ``StorageError``, such as `locked` at the first call or `wrongType`; the sequence is then over. Iterate again to go on.
        public mutating func next() async throws -> StorageChange<Key.Value>? {
            guard !isOver else { return nil }
            do {
                guard updates != nil else {
                    let (stream, value) = try await router.observe(key)
                    updates = stream.makeAsyncIterator()
                    return StorageChange(value: value, origin: nil)
                }
                guard let update = await updates?.next() else {
                    isOver = true
                    return nil
                }
                let width = router.environment.device.integerBitWidth
                return StorageChange(value: try update.plain.map { try key.decoded($0, width: width) }, origin: update.origin)
            } catch {
                isOver = true
                updates = nil
                throw error
            }
        }
    }
}

/// Where a change of a stored value came from.
public enum ChangeOrigin: Sendable, Hashable {
    /// A `set` or `remove` on this device.
    case local
    /// The counterpart's version, applied here.
    case sync(SyncStamp)
    /// A migration on this device.
    case migration
}

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

    /// Whether anybody wants to hear of changes at all.
    var areThere: Bool { lock.withLock { !observers.isEmpty } }

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
