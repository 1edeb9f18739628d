import LocalData

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
    /// - Throws: ``SimulationError`` for a phone, and an app that is not running.
    public func end(_ session: BackgroundSession) throws {
        try requireWatch()
        let process = try requireProcess()
        guard process.sessions.remove(session) != nil else { return }
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
