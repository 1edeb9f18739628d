import LocalData

/// A watch on the wrist: its screen, and which app is frontmost (W113–W116, W126).
extension Device {
    /// A person lowers the wrist: the screen goes off, or is dimmed. The app stays frontmost for a while, in the background or
    /// in the foreground (`Knobs.loweredWrist`).
    /// - Throws: ``SimulationError`` for a phone, and a watch that is off or not worn.
    @discardableResult
    public func lowerWrist() throws -> AppOperation<Void>? {
        try requireWatch()
        guard wear.isOnWrist else { throw SimulationError.impossible(device: id, reason: "nobody wears it; `put on` first") }
        guard !wear.isWristDown else { return nil }
        wear.isWristDown = true
        record(.wristDown)
        return screenWentOff()
    }

    /// A person raises the wrist: the app that is still frontmost is there again, else the watch face is.
    /// - Throws: ``SimulationError`` for a phone, and a watch that is off.
    @discardableResult
    public func raiseWrist() throws -> AppOperation<Void>? {
        try requireWatch()
        guard wear.isWristDown else { return nil }
        wear.isWristDown = false
        record(.wristUp)
        network.personTouches(id)
        guard let process else { return nil }
        guard process.isFrontmost, state.lockState == .unlocked else {
            endFrontmostTime(of: process)
            return nil
        }
        return change(process, to: .foreground)
    }

    /// A person presses the crown: the watch face is there, and the app is frontmost no more (W115).
    /// - Throws: ``SimulationError`` for a phone, and a watch that is off.
    @discardableResult
    public func pressCrown() throws -> AppOperation<Void>? {
        try requireWatch()
        record(.crown)
        return process.flatMap { leaveFront($0) }
    }

    /// A person covers the display with the palm: the screen goes off, and the app is frontmost no more (W115).
    /// - Throws: ``SimulationError`` for a phone, and a watch that is off.
    @discardableResult
    public func coverDisplay() throws -> AppOperation<Void>? {
        try requireWatch()
        record(.covered)
        wear.isWristDown = true
        return process.flatMap { leaveFront($0) }
    }

    /// A person takes the watch off. With wrist detection and a passcode it locks itself; else its screen goes off (W126).
    /// - Throws: ``SimulationError`` for a phone, and a watch that is off.
    @discardableResult
    public func takeOff() throws -> AppOperation<Void>? {
        try requireWatch()
        guard wear.isOnWrist else { return nil }
        wear.isOnWrist = false
        record(.takenOff)
        if wear.hasWristDetection, state.hasPasscode {
            try lock()
            return nil
        }
        guard !wear.isWristDown else { return nil }
        wear.isWristDown = true
        return screenWentOff()
    }

    /// A person puts the watch on. One that has locked itself stays locked until it is unlocked.
    /// - Throws: ``SimulationError`` for a phone, and a watch that is off.
    @discardableResult
    public func putOn() throws -> AppOperation<Void>? {
        try requireWatch()
        guard !wear.isOnWrist else { return nil }
        wear.isOnWrist = true
        record(.putOn)
        return try raiseWrist()
    }

    /// How long the app stays frontmost from the next time on that the wrist is lowered.
    public func setFrontmostTime(_ time: VirtualDuration) throws {
        try requireWatch()
        wear.frontmostTime = time
    }

    func requireWatch() throws {
        guard !id.isPhone else { throw SimulationError.impossible(device: id, reason: "only a watch is worn") }
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "the device is off") }
    }

    /// W113, W114: the app in front stays so for a while. Nothing waits for the end of that time: it may never come.
    private func screenWentOff() -> AppOperation<Void>? {
        guard let process, process.state == .foreground else { return nil }
        let staysInForeground = wear.hasAlwaysOn || options.knobs.loweredWrist == .foreground
        let operation = staysInForeground ? nil : change(process, to: .background)
        process.isFrontmost = true
        process.frontmostEnd = scheduler.schedule(at: scheduler.now + wear.frontmostTime, isIdle: true) { [weak self, weak process] in
            if let process { _ = self?.leaveFront(process) }
        }
        return operation
    }

    private func leaveFront(_ process: AppProcess) -> AppOperation<Void>? {
        guard process.life.isAlive, process.isFrontmost || process.state == .foreground else { return nil }
        endFrontmostTime(of: process)
        record(.frontmostEnded)
        return process.state == .foreground ? change(process, to: .background) : nil
    }

    /// The app is in the foreground with the wrist up, or is not in front at all.
    func endFrontmostTime(of process: AppProcess) {
        process.isFrontmost = false
        guard let timer = process.frontmostEnd else { return }
        scheduler.cancel(timer)
        process.frontmostEnd = nil
    }

    /// A person who opens an app looks at the watch.
    func wristIsUp() {
        guard wear.isWristDown else { return }
        wear.isWristDown = false
        record(.wristUp)
    }
}
