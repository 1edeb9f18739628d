import Foundation
import LocalData

/// The system starts the app in the background, for a while.
extension Device {
    /// Launches the app, or resumes it if it is suspended. One that runs is left alone, but a phone's gets its time anew.
    package func wakeApp(for reason: WakeReason) {
        guard state.isPoweredOn, isAppInstalled, !wasSwipedAway || options.knobs.wakesSwipedAwayApp else { return }
        if let process, process.isAwaitingLaunch {
            _ = begin(process, inBackground: true, for: reason)
            limitTime(of: process)
        } else if let process {
            switch process.state {
            case .suspended:
                resume()
                if let task = refreshTask(in: process, for: reason) {
                    let app = process.app
                    _ = process.start("background task") { await app?.handleBackgroundTask(task) }
                }
                limitTime(of: process)
            case .background where process.timeLimit != nil: limitTime(of: process)
            case .background where reason == .refresh:
                guard let task = refreshTask(in: process, for: reason) else { return }
                let app = process.app
                _ = process.start("background task") { await app?.handleBackgroundTask(task) }
            case .foreground, .background: break
            }
        } else {
            startProcess(inBackground: true, for: reason)
            if let process { limitTime(of: process) }
        }
    }

    /// W71: a woken phone app runs only briefly. A watch app's time is that of its refresh tasks.
    private func limitTime(of process: AppProcess) {
        guard id.isPhone else { return }
        endTimeLimit(of: process)
        let due = scheduler.now + options.knobs.phoneWakeLimit
        process.timeLimit = scheduler.schedule(at: due, as: ScheduledWork("end of the time of a woken app", of: id)) {
            [weak self, weak process] in
            guard let process else { return }
            process.timeLimit = nil
            self?.suspendIfIdle(process)
        }
    }

    /// A person has opened the app, or it ended.
    func endTimeLimit(of process: AppProcess) {
        guard let timer = process.timeLimit else { return }
        scheduler.cancel(timer)
        process.timeLimit = nil
    }

    // MARK: Refresh tasks

    /// W110: what a watch app gets that is started for content from the phone.
    /// - Parameter isCold: Whether the app is launched for it.
    func refreshTask(in process: AppProcess, for reason: WakeReason, isCold: Bool = false) -> ConnectivityRefreshTask? {
        guard !id.isPhone, reason != .message, reason != .complicationLoad else { return nil }
        let task = ConnectivityRefreshTask(isOfSession: reason != .refresh) { [weak self, weak process] task in
            guard let self, let process, recorder.isOnHomeThread(at: "\(process.executor.name): setTaskCompletedWithSnapshot") else {
                return false
            }
            return complete(task, of: process)
        }
        process.refreshTasks.append(task)
        recorder.record(.backgroundTask, on: id, process: process.life.number, .init("for", .text(reason.rawValue)))
        network.conditionsChanged()
        let due = scheduler.now + (isCold ? options.knobs.coldRefreshTaskLimit : options.knobs.refreshTaskLimit)
        task.expiry = scheduler.schedule(at: due, as: ScheduledWork("expiry of a refresh task", of: id)) {
            [weak self, weak process, weak task] in
            if let self, let process, let task { expire(task, of: process) }
        }
        return task
    }

    private func complete(_ task: ConnectivityRefreshTask, of process: AppProcess) -> Bool {
        // One that has run out is nobody's any more.
        guard process.life.isAlive, let index = process.refreshTasks.firstIndex(where: { $0 === task }) else { return false }
        process.refreshTasks.remove(at: index)
        if let expiry = task.expiry { scheduler.cancel(expiry) }
        if process.refreshTasks.isEmpty { process.processorTime = .zero }
        recorder.record(.backgroundTaskCompleted, on: id, process: process.life.number)
        network.conditionsChanged()
        // What the app does at this instant it still does.
        scheduler.schedule(at: scheduler.now, as: ScheduledWork("suspension of the app", of: id)) { [weak self, weak process] in
            if let process { self?.suspendIfIdle(process) }
        }
        return true
    }

    private func expire(_ task: ConnectivityRefreshTask, of process: AppProcess) {
        guard process.life.isAlive, let index = process.refreshTasks.firstIndex(where: { $0 === task }) else { return }
        // A person has opened the app, or a step has suspended it, as the system does not while a task is open: its time is no longer counted.
        guard process.state == .background else {
            process.refreshTasks.remove(at: index)
            return
        }
        recorder.record(.backgroundTaskExpired, on: id, process: process.life.number)
        if let handler = task.expirationHandler {
            nonisolated(unsafe) let call = handler
            scheduler.enqueue(for: process.executor) { process.enter { call() } }
        }
        // What its handler does at this instant still counts.
        scheduler.schedule(at: scheduler.now, as: ScheduledWork("end of a refresh task", of: id)) { [weak self, weak process] in
            if let process { self?.end(process, over: task) }
        }
    }

    /// W110: the system ends an app that left a refresh task open, and writes a crash report.
    private func end(_ process: AppProcess, over task: ConnectivityRefreshTask) {
        guard process.life.isAlive, let index = process.refreshTasks.firstIndex(where: { $0 === task }) else { return }
        process.refreshTasks.remove(at: index)
        guard options.knobs.expiredTaskCrashes else { return suspendIfIdle(process) }
        endProcess(.crash, [.init("code", .text("0xc51bad02"))])
    }

    func suspendIfIdle(_ process: AppProcess) {
        guard process.life.isAlive, process.state == .background, process.refreshTasks.isEmpty, process.loads == 0 else { return }
        suspend(process)
    }
}

/// What the system gives a watch app that it starts in the background: the app holds it until it is done, and then completes it. Stands for WatchKit's
/// `WKRefreshBackgroundTask`.
///
/// Confined to the simulation's thread.
open class RefreshTask: NSObject, @unchecked Sendable {
    /// Whether the app said that it is done with the task.
    public fileprivate(set) var isCompleted = false
    /// Called when the time has run out, just before the app is ended.
    open var expirationHandler: (() -> Void)?
    /// What the app gave when it asked for the task: nothing in a simulation.
    public let userInfo: (any NSSecureCoding & NSObjectProtocol)? = nil

    package override init() {}

    /// The app is done. Again: no effect.
    /// - Parameter refreshSnapshot: As WatchKit has it; nothing is made of it.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {}

    /// The older form of the same.
    public func setTaskCompleted() { setTaskCompletedWithSnapshot(false) }
}

/// What the system gives a watch app that it starts for content from the phone: the app holds it until its session is activated and has
/// nothing pending, and then completes it (W110). Stands for WatchKit's `WKWatchConnectivityRefreshBackgroundTask`.
///
/// The app is suspended once the last one is completed. A task that is not completed in time runs out, which is an event, and the system ends the app with
/// a crash report, unless its ``RefreshTask/expirationHandler`` completes it.
///
/// Confined to the simulation's thread.
public final class ConnectivityRefreshTask: RefreshTask, @unchecked Sendable {
    /// Whether it is for content of the session, and not one with which the app refreshes itself (`WKApplicationRefreshBackgroundTask`).
    public let isOfSession: Bool
    /// Runs the time out.
    var expiry: TimerID?
    private let complete: (ConnectivityRefreshTask) -> Bool

    /// - Parameter complete: Tells the device, and says whether the call came from where it may.
    init(isOfSession: Bool = true, complete: @escaping (ConnectivityRefreshTask) -> Bool) {
        self.isOfSession = isOfSession
        self.complete = complete
    }

    public override func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        guard !isCompleted else { return }
        isCompleted = complete(self)
    }
}
