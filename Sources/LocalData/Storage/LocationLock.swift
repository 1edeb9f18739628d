import Foundation

/// Who may touch which location: one at a time, first come, first served.
///
/// A value of the router's isolation. Locations that nobody holds take no memory.
struct LocationLock {
    /// Those who wait for a location that somebody holds, in order of arrival.
    private var waiting: [StorageLocation: [CheckedContinuation<Void, Never>]] = [:]

    /// Takes the location if it is free.
    mutating func take(_ location: StorageLocation) -> Bool {
        guard waiting[location] == nil else { return false }
        waiting[location] = []
        return true
    }

    /// Waits in line. The one who is resumed holds the location. A cancelled task waits for its turn as well: that comes in finite time,
    /// and nobody behind it is lost.
    mutating func wait(for location: StorageLocation, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[location, default: []].append(continuation)
    }

    /// Hands the location to the next in line, or frees it.
    mutating func release(_ location: StorageLocation) {
        guard var line = waiting.removeValue(forKey: location), !line.isEmpty else { return }
        let next = line.removeFirst()
        waiting[location] = line
        next.resume()
    }
}

/// A hold on a location that the current task, or one that it awaits, has. Lets a migration call the router for its own key.
final class LocationHold: @unchecked Sendable {
    @TaskLocal static var current: LocationHold?

    private let location: StorageLocation
    private unowned let router: StorageRouter
    private let outer: LocationHold?
    /// The router's: holds are made at every operation, and a lock of their own would be most of their cost.
    private let lock: NSLock
    private var isActive = true
    private var migrates = false

    init(_ location: StorageLocation, router: StorageRouter) {
        self.location = location
        self.router = router
        lock = router.holdLock
        outer = LocationHold.current
    }

    /// The hold on `location` that covers the calling code, if there is one. An unstructured task that outlives the hold has none.
    static func covering(_ location: StorageLocation, router: StorageRouter) -> LocationHold? {
        var hold = current
        while let candidate = hold {
            if candidate.router === router, candidate.location == location, candidate.lock.withLock({ candidate.isActive }) {
                return candidate
            }
            hold = candidate.outer
        }
        return nil
    }

    func end() { lock.withLock { isActive = false } }

    /// Whether a migration of the key at this location is under way, so that a `get` within it must not start another.
    var isMigrating: Bool {
        get { lock.withLock { migrates } }
        set { lock.withLock { migrates = newValue } }
    }
}
