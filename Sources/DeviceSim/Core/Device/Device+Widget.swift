import LocalData

/// The app's widget extension: a process of its own beside the app's, also while that is suspended or not running.
extension Device {
    /// The system starts the widget, such as to make a timeline.
    /// - Throws: ``SimulationError`` if the device is off, the app is not installed, or the widget runs already.
    @discardableResult
    public func launchWidget() throws -> WidgetProcess {
        try requireUsable()
        guard widget == nil else { throw SimulationError.impossible(device: id, reason: "the widget is running already") }
        widgetCount += 1
        let life = ProcessLife(
            device: id, part: .widget, number: widgetCount, startedBeforeFirstUnlock: state.lockState == .beforeFirstUnlock)
        let process = WidgetProcess(
            life: life, environment: options.adaptEnvironment(id, environment(for: life)), scheduler: scheduler)
        process.context.device = self
        widget = process
        recordWidget(.widgetLaunch)
        return process
    }

    /// The system stops running the widget's code and keeps its memory.
    public func suspendWidget() throws {
        let process = try requireWidget()
        guard process.state != .suspended else { return }
        guard process.lockedFiles.isEmpty else { return kill(process) }
        process.state = .suspended
        process.executor.isSuspended = true
        recordWidget(.widgetSuspend)
    }

    /// Lets a suspended widget run again.
    public func resumeWidget() {
        guard let widget, widget.state == .suspended else { return }
        widget.state = .background
        recordWidget(.widgetResume)
        scheduler.resume(widget.executor)
    }

    /// The system ends the widget.
    public func terminateWidget() { endWidget(.terminate) }

    /// The widget's process crashes; what it handed to the system stays.
    public func crashWidget() { endWidget(.crash) }

    /// Starts something in the running widget. It runs when the scheduler does.
    public func startInWidget<Value>(
        _ name: String, _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> AppOperation<Value> {
        try requireWidget().start(name, operation)
    }

    package func requireWidget() throws -> WidgetProcess {
        try requireUsable()
        guard let widget else { throw SimulationError.impossible(device: id, reason: "the widget is not running; launch it first") }
        return widget
    }

    func endWidget(_ cause: ProcessEnd, recorded: Bool = true) {
        guard widget != nil else { return }
        if recorded { recordWidget(cause == .crash ? .widgetCrash : .widgetTerminate) }
        dropWidget()
    }

    private func dropWidget() {
        guard let widget else { return }
        widget.end()
        scheduler.resume(widget.executor)
        self.widget = nil
    }

    private func recordWidget(_ kind: TraceEvent.Kind, _ facts: TraceEvent.Fact...) {
        recorder.record(kind, on: id, process: nil, facts: [.init("run", .number(widget?.life.number ?? 0))] + facts)
    }
}

/// Locks on files that the parts of an app share.
extension Device {
    /// A running part of the app takes a lock on a file of an App Group, as `flock` or an open transaction of SQLite does, and keeps it.
    /// - Parameters:
    ///   - path: From the group's folder on, such as `group.com.example/db.sqlite`.
    ///   - part: The app or its widget.
    /// - Throws: ``SimulationError`` if the part does not run or another one holds the lock.
    public func lockFile(_ path: String, in part: AppPart) throws {
        let process = try requireProcess(of: part)
        let others: [DeviceProcess?] = [self.process, widget]
        guard !others.contains(where: { $0 !== process && $0?.lockedFiles.contains(path) == true }) else {
            throw SimulationError.impossible(device: id, reason: "another process holds the lock on '\(path)'")
        }
        process.lockedFiles.insert(path)
    }

    /// - Throws: ``SimulationError`` if the part does not run.
    public func unlockFile(_ path: String, in part: AppPart) throws {
        try requireProcess(of: part).lockedFiles.remove(path)
    }

    package func requireProcess(of part: AppPart) throws -> DeviceProcess {
        switch part {
        case .app: try requireProcess()
        case .widget: try requireWidget()
        }
    }

    /// What the system does to a process that it would suspend while it holds a lock on a shared file: another process would wait for it for ever.
    func kill(_ process: DeviceProcess) {
        let facts: [TraceEvent.Fact] = [.init("reason", .text("0xdead10cc")), .init("locks", .list(process.lockedFiles.sorted()))]
        if process === widget {
            recordWidget(.widgetKilled, facts[0], facts[1])
            dropWidget()
        } else {
            record(.killed, facts)
            endProcess(.crash, recorded: false)
        }
    }
}
