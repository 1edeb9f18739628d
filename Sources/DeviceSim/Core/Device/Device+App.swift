import LocalData

/// What happens to the app: installing, launching, changing state, ending.
extension Device {
    /// Installs the app, which is not launched. No effect where it is installed.
    public func install() {
        guard !isAppInstalled else { return }
        isAppInstalled = true
        record(.install)
        network.appWasInstalled(on: id)
        network.conditionsChanged()
    }

    /// Removes the app with its containers and preferences. Keychain items stay.
    public func uninstall() {
        guard isAppInstalled else { return }
        endProcess(.terminate)
        endWidget(.terminate)
        isAppInstalled = false
        hasComplication = false
        isInSmartStack = false
        timeline = WidgetTimeline()
        wasSwipedAway = false
        record(.uninstall)
        storage.uninstallApp()
        daemon.appWasUninstalled()
        network.appWasRemoved(from: id)
        network.conditionsChanged()
    }

    /// Replaces the app by another version, its extension with it; what runs is ended first.
    public func update(to version: String) {
        endProcess(.terminate)
        endWidget(.terminate)
        appVersion = version
        record(.update, .init("version", .text(version)))
    }

    /// A person opens the app: a new process, or the running one comes to the foreground.
    /// - Returns: the launch or the change, which runs when the scheduler does.
    @discardableResult
    public func launch() throws -> AppOperation<Void> {
        try requireUsable()
        guard state.lockState == .unlocked else {
            throw SimulationError.impossible(device: id, reason: "a person cannot open the app on a locked device; launch it in background")
        }
        wasSwipedAway = false
        network.personTouches(id)
        guard let process else { return startProcess(inBackground: false) }
        return process.isAwaitingLaunch ? begin(process, inBackground: false) : try foreground()
    }

    /// The system starts the app's process before anybody opens the app, be it before the first unlock. None of the app's code runs until it is launched.
    ///
    /// iOS 15 and later do that; an app whose launch code was seen to run all the same is one that is launched in the background.
    public func prewarm() throws {
        try requireUsable()
        guard id.isPhone else { throw SimulationError.impossible(device: id, reason: "watchOS prewarms no apps") }
        guard process == nil else { throw SimulationError.impossible(device: id, reason: "the app is running already") }
        prewarmProcess()
    }

    /// The system starts the app in the background.
    @discardableResult
    public func launchInBackground() throws -> AppOperation<Void> {
        try requireUsable()
        if let process, process.isAwaitingLaunch { return begin(process, inBackground: true) }
        guard process == nil else { throw SimulationError.impossible(device: id, reason: "the app is running already") }
        return startProcess(inBackground: true)
    }

    /// A person brings the running app to the foreground.
    /// - Throws: ``SimulationError`` where the app does not run or the device is locked.
    @discardableResult
    public func foreground() throws -> AppOperation<Void> {
        let process = try requireProcess()
        guard state.lockState == .unlocked else {
            throw SimulationError.impossible(device: id, reason: "the app cannot come to the foreground on a locked device")
        }
        network.personTouches(id)
        return change(process, to: .foreground)
    }

    /// The app leaves the screen and goes on running, for as long as the system lets it.
    /// - Throws: ``SimulationError`` where the app does not run, or is suspended.
    @discardableResult
    public func background() throws -> AppOperation<Void> {
        let process = try requireProcess()
        guard process.state != .suspended else {
            throw SimulationError.impossible(device: id, reason: "the app is suspended, which it is in the background; resume it first")
        }
        return change(process, to: .background)
    }

    /// The system stops running the app's code and keeps its memory.
    public func suspend() throws {
        let process = try requireProcess()
        if let session = process.sessions.min() {
            throw SimulationError.impossible(device: id, reason: "the app has a \(session) session, which keeps it running")
        }
        suspend(process)
    }

    func suspend(_ process: AppProcess) {
        guard process.state != .suspended else { return }
        // An app in a session is not suspended (W117).
        guard process.sessions.isEmpty else { return }
        guard process.lockedFiles.isEmpty else { return kill(process) }
        process.state = .suspended
        record(.suspend)
        process.executor.isSuspended = true
        network.conditionsChanged()
    }

    /// Lets a suspended app run again, in the background.
    public func resume() {
        guard let process, process.state == .suspended, !process.isAwaitingLaunch else { return }
        process.state = .background
        record(.resume)
        scheduler.resume(process.executor)
        network.conditionsChanged()
    }

    /// The system or the person ends the app: no code of it runs any more.
    public func terminate() { endProcess(.terminate) }

    /// A person swipes the app out of the list of apps, which ends it. Whether anything but a person starts it again, before the device restarts, is not
    /// known (W62).
    public func swipeAway() {
        endProcess(.terminate)
        wasSwipedAway = true
    }

    /// The app crashes: like ``terminate()``; what it handed to the system stays handed over.
    public func crash() { endProcess(.crash) }

    /// Starts something in the running app. It runs when the scheduler does.
    public func start<Value>(
        _ name: String, _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> AppOperation<Value> {
        try requireProcess().start(name, operation)
    }

    func change(_ process: AppProcess, to newState: AppState) -> AppOperation<Void> {
        let app = process.app
        if process.state == .suspended { resume() }
        endFrontmostTime(of: process)
        if newState == .foreground { wristIsUp() }
        guard process.state != newState else {
            return process.start("stay in \(newState)") {}
        }
        process.state = newState
        if newState == .foreground { endTimeLimit(of: process) }
        record(newState == .foreground ? .foreground : .background)
        network.conditionsChanged()
        endIfOptedOut(process)
        return process.start("go to \(newState)") {
            if newState == .foreground { await app?.didEnterForeground() } else { await app?.didEnterBackground() }
        }
    }

    package func requireUsable() throws {
        guard state.isPoweredOn else { throw SimulationError.impossible(device: id, reason: "the device is off") }
        guard isAppInstalled else { throw SimulationError.impossible(device: id, reason: "the app is not installed") }
    }

    package func requireProcess() throws -> AppProcess {
        try requireUsable()
        guard let process else {
            throw SimulationError.impossible(device: id, reason: "the app is not running; launch it first")
        }
        guard !process.isAwaitingLaunch else {
            throw SimulationError.impossible(device: id, reason: "the app is prewarmed, and its code does not run yet; launch it first")
        }
        return process
    }
}

/// Crashes at a chosen point, and the way back from them.
extension Device {
    /// Ends the app, or the device, right now.
    public func end(by kind: CrashKind) {
        switch kind {
        case .app: crash()
        case .power(let remainder): losePower(leaving: remainder)
        }
    }

    /// Pulls the battery; of what was not synchronized, `remainder` is left, this time.
    public func losePower(leaving remainder: PowerLossRemainder) {
        let usual = storage.powerLossPolicy
        storage.powerLossPolicy = policy(leaving: remainder)
        losePower()
        storage.powerLossPolicy = usual
    }

    /// What every power loss leaves from now on.
    public func setPowerLossRemainder(_ remainder: PowerLossRemainder) {
        storage.powerLossPolicy = policy(leaving: remainder)
    }

    /// Lets a crash come just before a storage operation of the app, counted from now. It stays until it came, or until
    /// ``StorageFaultPlan/removeInterruptions()``.
    public func arm(_ point: CrashPoint) {
        storage.faults.interrupt(beforeOperation: storage.operationCount + point.operation) { [weak self] in self?.end(by: point.kind) }
    }

    private func policy(leaving remainder: PowerLossRemainder) -> PowerLossPolicy {
        remainder.policy(seed: SeededGenerator(seed: options.seed).fork("powerLoss.\(id)"))
    }
}

/// The app under test has no such action, or shows no such thing.
public struct AppActionError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// An error whose text is shown in the scenario's failure.
    public init(_ description: String) {
        self.description = description
    }
}
