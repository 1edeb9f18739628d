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

/// What lets a watch app run in the background beside refresh tasks: sessions of its own (W117), and the load of a complication (W123).
extension Device {
    /// The watch app begins a session: from now on it runs in the background too, with high priority.
    /// - Throws: ``SimulationError`` for a phone, and an app that is not running or suspended.
    public func begin(_ session: BackgroundSession) throws {
        try requireWatch()
        let process = try requireProcess()
        guard process.state != .suspended else {
            throw SimulationError.impossible(device: id, reason: "the app is suspended, and can begin nothing")
        }
        guard process.sessions.insert(session).inserted else { return }
        record(.sessionBegan, .init("kind", .text(session.rawValue)))
        network.conditionsChanged()
    }

    /// The session ends. An app in the background goes on there, with no priority, until it is suspended.
    /// - Throws: ``SimulationError`` for a phone, and an app that is not running, or has no such session.
    public func end(_ session: BackgroundSession) throws {
        try requireWatch()
        let process = try requireProcess()
        guard process.sessions.remove(session) != nil else {
            throw SimulationError.impossible(device: id, reason: "the app has no \(session) session")
        }
        record(.sessionEnded, .init("kind", .text(session.rawValue)))
        network.conditionsChanged()
    }

    /// The complication on the active face loads its data: the system starts the app for a while. The first time since it was put there the app has high
    /// priority meanwhile, and may send messages.
    /// - Throws: ``SimulationError`` where no complication is on the face, or the app cannot run.
    public func loadComplication() throws {
        try requireWatch()
        try requireUsable()
        guard hasComplication else { throw SimulationError.impossible(device: id, reason: "no complication of the app is on the face") }
        let isFirst = !hasLoadedComplication
        hasLoadedComplication = true
        record(.complicationLoads, .init("isFirst", .flag(isFirst)))
        wakeApp(for: .complicationLoad)
        guard let process else { return }
        process.loads += 1
        if isFirst { process.firstLoads += 1 }
        network.conditionsChanged()
        scheduler.schedule(at: scheduler.now + options.knobs.complicationLoadTime) { [weak self, weak process] in
            guard let self, let process, process.life.isAlive else { return }
            process.loads -= 1
            if isFirst { process.firstLoads -= 1 }
            network.conditionsChanged()
            suspendIfIdle(process)
        }
    }

    /// The system gives the watch app time to refresh itself, with a task of another kind than the session's.
    /// - Throws: ``SimulationError`` for a phone, and an app that cannot run.
    public func refreshInBackground() throws {
        try requireWatch()
        try requireUsable()
        wakeApp(for: .refresh)
    }

    /// Code of the app keeps the processor busy for so long. Of an app in the background that counts against what its tasks allow (W124).
    /// - Throws: ``SimulationError`` for a phone, and an app that does not run.
    public func spendProcessorTime(_ span: VirtualDuration) throws {
        try requireWatch()
        let process = try requireProcess()
        guard process.state != .suspended else {
            throw SimulationError.impossible(device: id, reason: "the app is suspended, and computes nothing")
        }
        record(.processorTime, .init("spent", .text(span.description)))
        guard process.state == .background, process.sessions.isEmpty, !process.refreshTasks.isEmpty else { return }
        process.processorTime = VirtualDuration(microseconds: process.processorTime.microseconds + span.microseconds)
        let limits = process.refreshTasks.map { $0.isOfSession ? options.knobs.taskProcessorTime : options.knobs.refreshProcessorTime }
        guard !limits.contains(.zero), let limit = limits.max(), process.processorTime > limit else { return }
        endProcess(.crash, [.init("code", .text("0xc51bad01"))])
    }

    /// Whether the app runs in the background with high priority, which makes it reachable (W30).
    package var hasHighPriority: Bool { process.map { !$0.sessions.isEmpty || $0.firstLoads > 0 } ?? false }
}

/// How a watch is worn, and how long its app stays frontmost.
public struct Wear: Sendable, Hashable {
    /// Whether the watch is on a wrist.
    public var isOnWrist = true
    /// Whether the wrist is lowered, or the display covered: the screen is off, or dimmed where there is an Always On display.
    public var isWristDown = false
    /// Whether the watch is locked when it is taken off. A person may switch that off.
    public var hasWristDetection = true
    /// Whether the display stays on, dimmed, while the wrist is down.
    public var hasAlwaysOn = false
    /// How long an app stays frontmost after the wrist was lowered. An app or a person may choose more than the two minutes.
    public var frontmostTime = VirtualDuration.seconds(120)
}

/// A session of a watch app during which the system lets it run in the background (W117).
public enum BackgroundSession: String, Sendable, Hashable, Comparable, CaseIterable {
    /// An `HKWorkoutSession`.
    case workout
    /// Location updates in the background.
    case location
    /// Audio that plays in the background.
    case audio

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
