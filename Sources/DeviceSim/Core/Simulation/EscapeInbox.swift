import Foundation
import Synchronization

/// Where work and reports from threads that are not a simulation's wait, until the simulation's thread takes them in.
///
/// May be used from any thread.
final class EscapeInbox: @unchecked Sendable {
    /// Work that arrived from a thread that is not the simulation's.
    struct Escape {
        /// `nil` for a call that was refused.
        let work: (UnownedJob, ProcessExecutor)?
        /// Whose code did what.
        let text: String
        let caller: CallerPlace
    }

    private let waiting = Mutex<[Escape]>([])
    private let isFilled = Atomic<Bool>(false)

    /// Whether something waits. Costs one load.
    var hasEscapes: Bool { isFilled.load(ordering: .acquiring) }

    func add(_ escape: Escape) {
        waiting.withLock { $0.append(escape) }
        isFilled.store(true, ordering: .releasing)
    }

    /// What waits, in the order of arrival.
    func takeAll() -> [Escape] {
        isFilled.store(false, ordering: .releasing)
        return waiting.withLock { escapes in
            defer { escapes.removeAll() }
            return escapes
        }
    }

    // MARK: Of all simulations

    private static let living = Mutex<[ObjectIdentifier: EscapeInbox]>([:])
    private static let livingCount = Atomic<Int>(0)

    /// Whether the host's process has a simulation.
    static var isNeeded: Bool { livingCount.load(ordering: .acquiring) > 0 }

    /// From now on the inbox gets what is of no simulation in particular.
    func open() {
        Self.living.withLock { $0[ObjectIdentifier(self)] = self }
        Self.livingCount.add(1, ordering: .acquiringAndReleasing)
    }

    func close() {
        Self.livingCount.subtract(1, ordering: .acquiringAndReleasing)
        Self.living.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    /// Reports something that one of the simulations did, and nobody knows which: to all of them, since a wrong answer is worse than a run too many that
    /// counts as not deterministic.
    static func reportToAll(_ text: String) {
        let caller = CallerPlace.here
        let inboxes = living.withLock { Array($0.values) }
        for inbox in inboxes { inbox.add(Escape(work: nil, text: text, caller: caller)) }
    }
}

/// Finds code on a thread of the host that no simulation runs on, and that asks for what belongs to a device: it can be given nothing true, and is
/// reported to the simulations of the host's process.
///
/// Such a thread is one that an app's code started (`Thread {}`, a queue of the host's Dispatch, a library's callback). A host's own code must not be
/// taken for it: it runs in a task or on the main thread, or on a thread that made a simulation.
package enum ForeignThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The calling thread drives simulations: what it does outside of them is the host's business.
    static func markAsHosts() {
        if pthread_getspecific(key) == nil { pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: 1)) }
    }

    private static var isHosts: Bool {
        pthread_getspecific(key) != nil || Thread.isMainThread || withUnsafeCurrentTask { $0 != nil }
    }

    /// To be called where code asked for its device and no device was found.
    package static func check(_ call: @autoclosure () -> String) {
        guard EscapeInbox.isNeeded, !isHosts else { return }
        EscapeInbox.reportToAll("a thread of no device: \(call())")
    }
}
