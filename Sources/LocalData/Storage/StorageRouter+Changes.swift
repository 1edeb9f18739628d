import Foundation

/// A value of a key, or its absence, and where it came from.
public struct StorageChange<Value: Sendable>: Sendable {
    /// `nil` where there is none.
    public let value: Value?
    /// `nil` for the value that was there when the observation began.
    public let origin: ChangeOrigin?
}

extension StorageRouter {
    /// The values of a key: the current one first, then each change. A reader that is slow sees the newest and skips what came between.
    ///
    /// The sequence ends when its reader stops; it holds no value beyond the newest unread one.
    /// - Throws: as ``get(_:)`` does, except that absence is a first element without a value.
    public func changes<Key: StorageKey>(of key: Key) async throws -> AsyncThrowingStream<StorageChange<Key.Value>, any Error> {
        do {
            let location = try admit(key)
            return try await withExclusiveAccess(to: location) {
                let plain = try await self.plainDataMigrating(key)
                let current = try plain.map(key.serializer.value(from:))
                let (stream, continuation) = AsyncThrowingStream.makeStream(
                    of: StorageChange<Key.Value>.self, bufferingPolicy: .bufferingNewest(1))
                let observer = self.observers.add(at: location) { plain, origin in
                    do {
                        continuation.yield(StorageChange(value: try plain.map(key.serializer.value(from:)), origin: origin))
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { [observers = self.observers] _ in observers.remove(observer, at: location) }
                continuation.yield(StorageChange(value: current, origin: nil))
                return stream
            }
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind, operation: "observe")
        }
    }
}

/// Who wants to know of changes, by location.
final class ChangeObservers: @unchecked Sendable {
    typealias Observer = @Sendable (_ plain: Data?, _ origin: ChangeOrigin) -> Void

    private let lock = NSLock()
    private var observers: [StorageLocation: [Int: Observer]] = [:]
    private var count = 0

    func add(at location: StorageLocation, _ observer: @escaping Observer) -> Int {
        lock.withLock {
            count += 1
            observers[location, default: [:]][count] = observer
            return count
        }
    }

    func remove(_ number: Int, at location: StorageLocation) {
        lock.withLock {
            observers[location]?[number] = nil
            if observers[location]?.isEmpty == true { observers[location] = nil }
        }
    }

    func tell(of location: StorageLocation, plain: Data?, origin: ChangeOrigin) {
        let interested = lock.withLock { observers.isEmpty ? [] : observers[location]?.sorted { $0.key < $1.key } ?? [] }
        for (_, observer) in interested { observer(plain, origin) }
    }

    /// How many observers there are, for tests.
    var observerCount: Int { lock.withLock { observers.values.reduce(0) { $0 + $1.count } } }
}
