import Foundation

/// The keys whose migration this process could not complete, because something was out of reach or out of order for a moment.
///
/// Nobody would try again before the next launch: a value that is at its destination already is read without its migration.
/// - Note: `@unchecked Sendable`: the keys are only touched under the lock.
final class InterruptedMigrations: @unchecked Sendable {
    private let lock = NSLock()
    /// By ``StorageLocation/physical``.
    private var keys: [String: any StorageKey] = [:]

    var isEmpty: Bool { lock.withLock { keys.isEmpty } }

    func note(_ key: any StorageKey, at location: StorageLocation) {
        lock.withLock { keys[location.physical] = key }
    }

    /// - Returns: Whether the migration into that place waits to be tried again.
    func take(at location: StorageLocation) -> Bool {
        lock.withLock { !keys.isEmpty && keys.removeValue(forKey: location.physical) != nil }
    }

    /// All of them, in the order of their places, each to be tried again by whoever asks.
    func takeAll() -> [any StorageKey] {
        lock.withLock {
            defer { keys = [:] }
            return keys.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
        }
    }
}

extension StorageRouter {
    /// Tries again what this process could not complete. What fails again is kept for the next time.
    /// - Parameter mayAskPerson: False where nobody may be looking: what may ask a person waits then.
    nonisolated func resumeMigrations(mayAskPerson: Bool = false) async {
        guard !interrupted.isEmpty else { return }
        for key in interrupted.takeAll() {
            if mayAskPerson || !Self.mayAskPerson(key), (try? await outcome(of: key)) != nil { continue }
            if let location = try? location(of: key) { interrupted.note(key, at: location) }
        }
    }

    private static func mayAskPerson(_ key: any StorageKey) -> Bool {
        key.security.asksPerson || key.migration?.base.sourceKeys.contains { $0.base.security.asksPerson } ?? false
    }

    /// The same of one key that is used, in its turn. The value that it has is not to be withheld because of that.
    nonisolated func resumeMigration(ifInterrupted key: any StorageKey, at location: StorageLocation) async {
        guard interrupted.take(at: location) else { return }
        if (try? isStored(key)) == true, (try? isRetired(key, at: location)) == false,
            (try? await runMigration(of: key, at: location, context: migrationContext()))?.success == true
        {
            return
        }
        interrupted.note(key, at: location)
    }
}

extension MigrationError {
    /// Whether storage was out of order for a moment, so that it may succeed when it is tried again. What waits for an unlock or a person is deferred:
    /// that a sweep had to put it off is noted there, and whoever reads the key tries again.
    var mayPass: Bool {
        switch self {
        case .verificationFailed: true
        case .deferred(let error), .storage(let error): error.code.mayPass && !error.code.isTemporary
        case .transformFailed, .conflictingSources: false
        }
    }
}
