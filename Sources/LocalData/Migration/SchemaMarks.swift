import Foundation

/// What this process knows of the ``StorageKey/schemaVersion`` of stored values, by ``StorageLocation/physical``. Each is read once, where no other process
/// stores values.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class SchemaMarks: @unchecked Sendable {
    private let lock = NSLock()
    private var versions: [String: Int] = [:]
    private var durable: Set<String> = []
    private var awaited: [String: Int] = [:]

    subscript(location: StorageLocation) -> Int? {
        get { lock.withLock { versions[location.physical] } }
        set { lock.withLock { versions[location.physical] = newValue } }
    }

    /// Whether this process has made the mark at a place durable. One that it found may have been left by a process that died before that, and what is
    /// built on it would outlast it.
    func isDurable(at location: StorageLocation) -> Bool { lock.withLock { durable.contains(location.physical) } }

    /// - Parameter version: `nil` where another process may store another one.
    func noteDurable(_ version: Int?, at location: StorageLocation) {
        lock.withLock {
            versions[location.physical] = version
            durable.insert(location.physical)
        }
    }

    /// The mark at a place is about to change: should that fail halfway, what is there must be read again.
    func forget(_ location: StorageLocation) {
        lock.withLock {
            versions[location.physical] = nil
            durable.remove(location.physical)
        }
    }

    /// The schema version of a value of the counterpart that this process has seen and could not store for now; `nil` where there is none.
    func awaited(_ name: String) -> Int? { lock.withLock { awaited[name] } }

    func noteAwaited(_ version: Int?, of name: String) { lock.withLock { awaited[name] = version } }
}
