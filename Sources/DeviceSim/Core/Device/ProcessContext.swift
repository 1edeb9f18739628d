import LocalData
import WatchConnectivity

/// What code of one app process finds: its router, its session, its queues, and its own values of static properties.
///
/// Confined to the simulation's thread.
package final class ProcessContext: @unchecked Sendable {
    package let life: ProcessLife
    package let router: StorageRouter
    package unowned let executor: ProcessExecutor
    /// What `WCSession.default` asks.
    weak var session: (any WCSessionBackend)?
    /// The device that the process runs on, which can end it.
    package weak var device: Device?
    /// The queues that the app made, by their number.
    private var lanes: [Int: SerialLane] = [:]
    /// What static properties hold in this process, by where they are declared.
    private var statics: [String: Any] = [:]
    /// What the process has registered as defaults of its preferences. Stays when it ends: its code may ask on, and no process loses them.
    package var registeredDefaults: [String: PropertyListValue] = [:]
    /// The thread, as app code has it, whose body runs.
    package var thread: AnyObject?

    init(life: ProcessLife, router: StorageRouter, executor: ProcessExecutor) {
        self.life = life
        self.router = router
        self.executor = executor
    }

    /// The process whose job runs on this thread, if one does.
    package static var current: ProcessContext? {
        CurrentScheduler.value?.running?.context
    }

    /// Lets `StorageRouter.shared` and `WCSession.default` find the process whose job runs. Once in the life of the host's process is enough.
    static func install() {
        SimulatedProcesses.install {
            if let router = current?.router { return router }
            if StorageRouter.current == nil { ForeignThread.check("StorageRouter.shared") }
            return nil
        }
        WCSessionBackends.install {
            if let session = current?.session { return session }
            if WCSessionBackends.current == nil { ForeignThread.check("WCSession.default") }
            return nil
        }
    }

    /// Runs `body` so that tasks made in it inherit the process: on a foreign thread that tells whose code escaped.
    package func enter(_ body: () -> Void) {
        StorageRouter.$current.withValue(router) {
            WCSessionBackends.$current.withValue(session) {
                body()
            }
        }
    }

    /// The process's lane of a serial queue. A queue in a static property outlives processes, so each has a lane of its own.
    package func lane(ofQueue number: Int) -> SerialLane {
        if let lane = lanes[number] { return lane }
        let lane = SerialLane(executor: executor)
        lanes[number] = lane
        return lane
    }

    package func value<Value>(ofStatic place: String, _ make: () -> Value) -> Value {
        if let value = statics[place] as? Value { return value }
        let value = make()
        statics[place] = value
        return value
    }

    package func setStatic(_ place: String, to value: Any) {
        statics[place] = value
    }

    /// Lets the running code wait as a thread does that blocks, while other work runs and time passes. What can never come is reported, and the code goes on.
    /// - Parameters:
    ///   - call: What the code calls.
    ///   - deadline: When it goes on all the same; `nil`: never.
    ///   - isOver: What it waits for. Must have no effects.
    /// - Returns: Whether it is over.
    package func block(in call: @autoclosure () -> String, until deadline: VirtualTime? = nil, _ isOver: () -> Bool) -> Bool {
        guard let scheduler = executor.scheduler else { return false }
        if scheduler.block(until: isOver, deadline: deadline) { return true }
        if deadline == nil, life.isAlive { reportBlockage("\(call()) waits for what nothing can end any more") }
        return false
    }

    /// Where the app has a directory on its device. Code that still runs when its process has ended is told too, as no process is ever without; nothing is
    /// made there then, and whatever it does there fails.
    package func path(of directory: ContainerDirectory) -> String? {
        if life.isAlive { return try? router.environment.fileSystem.path(of: directory) }
        return try? device?.storage.plannedPath(of: directory, for: life.part)
    }

    /// Notes that code of the process waits for what can never come: the run counts as one that does not settle.
    package func reportBlockage(_ call: String) {
        executor.scheduler?.reportBlockage("\(executor.name): \(call)")
    }

    /// Writes into the trace what code of the process called, or said.
    package func record(_ kind: TraceEvent.Kind, _ facts: TraceEvent.Fact...) { record(kind, facts) }

    package func record(_ kind: TraceEvent.Kind, _ facts: [TraceEvent.Fact]) {
        guard life.isAlive, let recorder = device?.recorder else { return }
        recorder.record(kind, on: life.device, process: life.part == .app ? life.number : nil, facts: facts)
    }

    /// Notes that code of the process did what no device does, or what a simulation cannot follow.
    package func reportEscape(_ call: String) {
        executor.scheduler?.reportEscape("\(executor.name): \(call)")
    }

    /// The process ended: its memory goes.
    func end() {
        session = nil
        statics.removeAll()
    }
}
