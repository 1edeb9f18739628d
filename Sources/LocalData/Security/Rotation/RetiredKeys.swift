import Foundation

/// The master keys that this process has retired or is about to: noted before their envelopes are looked for, so that a value that is
/// sealed by one and stored while nobody looked is sealed anew by whoever stores it.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class RetiredKeys: @unchecked Sendable {
    private let lock = NSLock()
    private var ids: Set<String> = []

    func insert(_ id: String) { lock.withLock { _ = ids.insert(id) } }

    func remove(_ id: String) { lock.withLock { _ = ids.remove(id) } }

    var isEmpty: Bool { lock.withLock { ids.isEmpty } }

    /// Whether one of them seals an envelope.
    func seal(_ envelope: Data) -> Bool {
        guard !isEmpty, case .master(let id)? = (try? EnvelopePrefix(parsing: envelope))?.header.keySource else { return false }
        return lock.withLock { ids.contains(id) }
    }
}
