import Synchronization

/// Whether the user has asked to stop.
final class Interruption: Sendable {
    private let flag = Atomic(false)

    func request() { flag.store(true, ordering: .releasing) }
    var isRequested: Bool { flag.load(ordering: .acquiring) }
}
