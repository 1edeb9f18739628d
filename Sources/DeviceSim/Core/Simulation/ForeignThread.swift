import Foundation

/// Finds code on a thread of the host that no simulation runs on, and that asks for what belongs to a device: it can be given nothing true, and is
/// reported to the simulations of the host's process.
///
/// Such a thread is one that an app's code started (`Thread {}`, a queue of the host's Dispatch, a library's callback). A host's own code must not be
/// taken for it: it runs in a task or on the main thread, or on a thread that made a simulation.
enum ForeignThread {
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
    static func check(_ call: @autoclosure () -> String) {
        guard EscapeInbox.isNeeded, !isHosts else { return }
        EscapeInbox.reportToAll("a thread of no device: \(call())")
    }
}
