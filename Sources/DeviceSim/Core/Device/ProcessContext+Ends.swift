/// What code of an app can do to its own process: code of a simulated app cannot end the host's.
extension ProcessContext {
    /// A check of Swift's, or of a framework's, has failed: the system ends the app there. Code behind the call still runs, and has no effect any more.
    /// - Parameter code: As a crash report names it, such as `EXC_BREAKPOINT`.
    package static func trap(_ code: String) {
        guard let context = current, context.life.isAlive, context.life.part == .app else { return }
        context.device?.endProcess(.crash, [.init("code", .text(code))])
    }

    /// The code locks a file of an App Group, and keeps the lock until it gives it back or its process ends.
    /// - Parameter path: From the group's folder on, such as `group.com.example/db.sqlite`.
    package static func lockFile(_ path: String) {
        current?.process?.lockedFiles.insert(path)
    }

    /// The code gives the lock back.
    package static func unlockFile(_ path: String) {
        current?.process?.lockedFiles.remove(path)
    }

    /// The process whose context this is, while it lives.
    private var process: DeviceProcess? {
        guard life.isAlive, let device else { return nil }
        return life.part == .app ? device.process : device.widget
    }
}
