import Foundation

/// Whether this process has seen the device after its first unlock. No process outlives a restart, so once is for ever.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class UnlockWitness: @unchecked Sendable {
    private let lock = NSLock()
    private var seen = false

    /// Looks, unless it has been seen already.
    func isSeen(on device: any DeviceDescribing) -> Bool {
        if lock.withLock({ seen }) { return true }
        guard device.lockState != .beforeFirstUnlock else { return false }
        lock.withLock { seen = true }
        return true
    }
}
