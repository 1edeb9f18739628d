import Foundation

/// The keys of which something has to be tried again in this process, since storage failed for a moment or the device was locked.
/// - Note: `@unchecked Sendable`: the keys are only touched under the lock.
final class KeysPutOff: @unchecked Sendable {
    private let lock = NSLock()
    /// By ``StorageLocation/physical``.
    private var keys: [String: any StorageKey] = [:]

    var isEmpty: Bool { lock.withLock { keys.isEmpty } }

    func note(_ key: any StorageKey, at location: StorageLocation) {
        lock.withLock { keys[location.physical] = key }
    }

    /// - Returns: Whether something at that place waits to be tried again.
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

    /// Does something for a key. What fails, and may not fail again, is put off.
    func attempt(_ key: any StorageKey, at location: StorageLocation, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch let error as StorageError where !error.code.mayPass {
            return
        } catch {
            note(key, at: location)
        }
    }
}
