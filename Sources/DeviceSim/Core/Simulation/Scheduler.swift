/// Runs everything that happens in one simulation on one thread: the jobs of app code, the actions of daemons, and timers.
///
/// Its laws, each with a test of that name in `SchedulerLawTests`: ties run in insertion order · nothing runs until told · virtual time
/// moves only when nothing is ready · a timer never fires early · a cancelled timer never fires · work of a suspended process waits ·
/// work from a foreign thread is an escape, and is reported.
///
/// Confined to the thread that calls ``runReady(limit:)`` and ``advance(to:limit:)``; only the inbox for escapes is locked.
public final class Scheduler: @unchecked Sendable {
    /// Work that could run now.
    enum Work {
        case job(UnownedJob, ProcessExecutor)
        case action(ProcessExecutor?, () -> Void)
        /// What a timer that is due does, unless it is cancelled before its turn.
        case timer(TimerID, () -> Void)

        var executor: ProcessExecutor? {
            switch self {
            case .job(_, let executor): executor
            case .action(let executor, _): executor
            case .timer: nil
            }
        }
    }

    /// The present instant of virtual time.
    public var now: VirtualTime { time }
    // Where another module could see what is stored, each use of it would be checked for overlapping ones at run time. Of these four there
    // are many uses.
    private var time = VirtualTime.start
    private var executed = 0
    private var workUnderWay = 0
    private var orders: (any OrderGuide)?

    /// How many jobs and actions have run.
    public var executedCount: Int { executed }
    /// The process whose work is running, if any.
    private(set) var running: ProcessExecutor?
    /// Whether the work that is running is on its process's main queue.
    package private(set) var isOnMainQueue = false

    private var ready = ReadyQueue()
    /// Picks what runs next; `nil`: whatever became ready first.
    private var chooser: OrderChooser?
    /// How many chains of work there were. Counted only where a chooser may ask.
    private var chainCount = 0
    /// The chain of the work that is running, until it has made its first piece of work ready, which goes on with it.
    private var runningChain: Int?
    /// The number of the event that what runs now comes of, or whose effects are being started; -1 for none. Work that is added gets it.
    /// Told by the recorder, and only where somebody asked for causes; it decides nothing.
    var cause = -1
    /// Called when nothing is ready any more, between two instants or steps. Must have no effect on what the simulation does.
    package var onQuiet: (() -> Void)?
    private var timers = TimerHeap()
    /// The thread that is running work; `nil` between runs, when whoever drives the simulation may add to it.
    private var home: ThreadIdentity?
    private let inbox = EscapeInbox()
    /// Executes work that belongs to no process: what the simulation itself awaits.
    package private(set) lazy var worldExecutor = ProcessExecutor(scheduler: self, name: "world")

    /// Who wants to know where the time goes.
    var stopwatch: RunStopwatch?
    /// Shows the watchdog that the run goes on.
    var watch: RunWatch?

    /// Decides what runs next, in the place of the order that the scheduler was made with. To be set before anything is added.
    package var guide: (any OrderGuide)? {
        get { orders }
        set { orders = newValue }
    }
    /// What the running piece of work has touched so far. Kept whether somebody asks or not: that costs less than asking.
    private var touched = Footprint()
    /// What a guide knows the running piece of work by; 0 between pieces.
    private var runningIdentity: WorkIdentity = 0
    /// How many pieces of work the running one has made so far; between pieces, how many were made there.
    private var childCount: WorkIdentity = 0

    /// A scheduler at the start of time, without work.
    public init(order: ReadyOrder = .firstInFirstOut) {
        chooser = OrderChooser(order)
        ConcurrencyHook.install()
        ProcessContext.install()
        ForeignThread.markAsHosts()
        inbox.open()
    }

    deinit { inbox.close() }

    /// How many pieces of work there were to choose from, each time there was more than one, under ``ReadyOrder/choices(_:)``.
    package var branching: [Int] { chooser?.branching ?? [] }

    /// Whether the caller may touch the simulation: it is on the thread that runs it, or nothing runs.
    var isOnHomeThread: Bool { home == nil || home == ThreadIdentity.current }

    // MARK: Adding work

    /// Adds an action that runs when its turn comes, in the context of `executor`'s process.
    package func enqueue(for executor: ProcessExecutor? = nil, _ action: @escaping () -> Void) {
        add(.action(executor, action))
    }

    func enqueue(_ job: UnownedJob, for executor: ProcessExecutor) {
        guard isOnHomeThread else {
            return inbox.add(EscapeInbox.Escape(work: (job, executor), text: executor.name, caller: .here))
        }
        add(.job(job, executor))
    }

    /// Adds a job that named no executor: `Task {}` in app code. It belongs to the process that is running.
    func enqueueStray(_ job: UnownedJob) {
        enqueue(job, for: running ?? worldExecutor)
    }

    /// Adds a job of the main actor. It belongs to the process that is running, and waits for its main queue.
    func enqueueOnMain(_ job: UnownedJob) {
        let executor = running ?? worldExecutor
        executor.main.add { job.runSynchronously(on: SimulatedMainExecutor.shared.asUnownedSerialExecutor()) }
    }

    private func add(_ work: Work) {
        if let executor = work.executor { touch(executor.footprint) }
        if let executor = work.executor, executor.isSuspended {
            executor.parked.append(.init(work: work, chain: 0, cause: cause, identity: newIdentity()))
        } else {
            makeReady(work, because: cause)
        }
    }

    /// Notes that the running piece of work touches something that others may touch too.
    @inline(__always)
    package func touch(_ footprint: Footprint) {
        touched.formUnion(footprint)
    }

    /// Tells a piece of work that is being made now from all others, by what makes it and how many that made before: the same in every order that the maker
    /// is not affected by. Mixed by SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
    private func newIdentity() -> WorkIdentity {
        guard orders != nil else { return 0 }
        childCount += 1
        var mixed = runningIdentity &+ childCount &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return max(1, mixed ^ (mixed >> 31))
    }

    /// - Parameter identity: Of a piece that has one already.
    private func makeReady(_ work: Work, because cause: Int, as identity: WorkIdentity? = nil) {
        guard orders == nil else {
            let identity = identity ?? newIdentity()
            return ready.append(.init(work: work, chain: 0, cause: cause, identity: identity, parent: runningIdentity))
        }
        guard chooser != nil else { return ready.append(work, chain: 0, cause: cause) }
        if let chain = runningChain {
            runningChain = nil
            ready.append(work, chain: chain, cause: cause)
        } else {
            chainCount += 1
            ready.append(work, chain: chainCount, cause: cause)
        }
    }

    /// Takes what is ready of a process that was suspended, so that it waits in front of what comes later.
    func park(_ executor: ProcessExecutor) {
        touch(.everything)
        executor.parked.append(contentsOf: ready.remove { $0.work.executor === executor })
    }

    /// Lets a process's parked work run again, in the order in which it came.
    func resume(_ executor: ProcessExecutor) {
        executor.isSuspended = false
        touch(.everything)
        for item in executor.parked { makeReady(item.work, because: item.cause, as: item.identity) }
        executor.parked.removeAll()
    }

    /// Runs `action` at `time`, or at once if that has passed; after everything that is ready then.
    /// - Parameters:
    ///   - isIdle: Whether nobody waits for it: an app's repeating timer does not keep a simulation from settling.
    ///   - work: What it is, for the report of a simulation that does not settle.
    @discardableResult
    package func schedule(
        at time: VirtualTime, isIdle: Bool = false, as work: ScheduledWork = ScheduledWork("action"), _ action: @escaping () -> Void
    ) -> TimerID {
        timers.insert(at: max(time, now), isIdle: isIdle, as: work, cause: cause, identity: newIdentity(), action)
    }

    /// What is to come that something waits for, soonest first.
    var pendingTimers: [(time: VirtualTime, work: ScheduledWork)] { timers.pending }

    /// Cancels a timer. No effect once it has fired.
    func cancel(_ timer: TimerID) {
        timers.cancel(timer)
    }

    /// Lets a job wait for a while of virtual time.
    ///
    /// Code of an ended process that goes on to sleep does so for ever: it has been woken once to unwind.
    func sleep(_ job: UnownedJob, for span: SleepSpan, in executor: ProcessExecutor) {
        guard isOnHomeThread else { return enqueue(job, for: executor) }
        guard executor.context?.life.isAlive != false else { return }
        let number = executor.sleeperCount
        executor.sleeperCount += 1
        let timer = schedule(at: now + span.duration, as: ScheduledWork("end of a task's sleep", of: executor.name)) {
            [weak self, weak executor] in
            guard let executor else { return }
            executor.sleepers[number] = nil
            self?.enqueue(job, for: executor)
        }
        executor.sleepers[number] = (timer, job)
        SleepRequest.running?.began(in: executor, as: number)
    }

    // MARK: Running

    /// Whether something can run without time passing.
    public var hasReadyWork: Bool { !ready.isEmpty || inbox.hasEscapes }
    /// Whether a timer is to fire that something waits for.
    public var hasPendingTimer: Bool { timers.hasPending }
    /// When the next timer is due.
    public var nextTimer: VirtualTime? { timers.next }

    /// Runs ready work until there is none, or until `limit` pieces have run.
    /// - Returns: false if the limit was reached first.
    @discardableResult
    public func runReady(limit: Int = .max) -> Bool {
        let isDone = stopwatch.measure(.scheduling) { runAllReady(limit: limit) }
        if isDone, let onQuiet, running == nil, home == nil { onQuiet() }
        return isDone
    }

    private func runAllReady(limit: Int) -> Bool {
        let outer = CurrentScheduler.swap(self)
        let outerHome = home
        home = .current
        defer {
            home = outerHome
            CurrentScheduler.restore(outer)
        }
        var remaining = limit
        while true {
            if inbox.hasEscapes { admitEscapes() }
            guard !ready.isEmpty else { break }
            guard remaining > 0 else { return false }
            remaining -= 1
            guard let next = takeNext() else { return false }
            stopwatch.measure(.work) { run(next) }
        }
        orders?.instantIsOver()
        return true
    }

    /// Moves virtual time to `time`, firing the timers due by then one instant after another, each followed by all that it made ready.
    /// - Returns: false if `limit` pieces of work ran without an end at one instant.
    @discardableResult
    public func advance(to time: VirtualTime, limit: Int = .max) -> Bool {
        guard runReady(limit: limit) else { return false }
        while let due = timers.next, due <= time {
            fireNextInstant()
            guard runReady(limit: limit) else { return false }
        }
        self.time = max(now, time)
        return true
    }

    /// Moves virtual time to the next timer and fires what is due at that instant.
    /// - Returns: false if there is no timer.
    @discardableResult
    package func fireNextInstant() -> Bool {
        guard let instant = timers.next else { return false }
        time = max(now, instant)
        while let due = timers.removeFirst(dueBy: instant) {
            makeReady(.timer(due.timer, due.action), because: due.cause, as: due.identity)
        }
        return true
    }

    /// - Returns: `nil` where the guide gives the run up.
    private func takeNext() -> ReadyQueue.Item? {
        if let orders { return orders.choose(among: ready.identities).map { ready.remove(inOrderAt: $0) } }
        guard let item = chooser?.takeNext(from: &ready) else { return ready.removeFirst() }
        runningChain = item.chain
        return item
    }

    /// Runs `body` now, as code of a process on its main thread: what it starts belongs to that process.
    func perform(as executor: ProcessExecutor, _ body: () -> Void) {
        let outerScheduler = CurrentScheduler.swap(self)
        let outer = (running, home)
        let outerWork = workUnderWay
        workUnderWay = nextWorkNumber()
        defer { workUnderWay = outerWork }
        running = executor
        home = .current
        touch(executor.footprint)
        watch?.runs(executor.watchNumber)
        onMainQueue(body)
        (running, home) = outer
        watch?.runs(running?.watchNumber ?? 0)
        CurrentScheduler.restore(outerScheduler)
    }

    func onMainQueue<Value>(_ body: () throws -> Value) rethrows -> Value {
        let outer = isOnMainQueue
        isOnMainQueue = true
        defer { isOnMainQueue = outer }
        return try body()
    }

    private func run(_ item: ReadyQueue.Item) {
        executed += 1
        let outerCause = cause
        cause = item.cause
        defer { cause = outerCause }
        let outerWork = workUnderWay
        workUnderWay = nextWorkNumber()
        defer { workUnderWay = outerWork }
        let outer = running
        running = item.work.executor
        if let watch { watch.runs(running?.watchNumber ?? 0) }
        let outerPiece = (runningIdentity, childCount, touched)
        (runningIdentity, childCount, touched) = (item.identity, 0, running?.footprint ?? .everything)
        switch item.work {
        case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
        case .action(_, let action): action()
        case .timer(let timer, let action): if timers.fire(timer) { action() }
        }
        orders?.didRun(item.identity, madeReadyBy: item.parent, touching: touched)
        (runningIdentity, childCount, touched) = outerPiece
        running = outer
        runningChain = nil
        if let watch { watch.runs(outer?.watchNumber ?? 0) }
    }

    // MARK: Code that blocks

    /// Tells the piece of work that is running from all others; 0 while none is. What one piece does it does on one thread.
    package var workNumber: Int { workUnderWay }
    private var workNumbers = 0

    private func nextWorkNumber() -> Int {
        workNumbers += 1
        return workNumbers
    }

    /// Lets the running code wait as a thread does that blocks: other work runs and time passes meanwhile. What waits for the same serial queue does not
    /// run, nor does the main queue's while it is blocked.
    /// - Parameters:
    ///   - isOver: What it waits for. Must have no effects.
    ///   - deadline: When it goes on all the same; `nil`: never.
    /// - Returns: Whether it is over. Otherwise the deadline has come, or nothing is left that could end it, or the process has ended.
    func block(until isOver: () -> Bool, deadline: VirtualTime?) -> Bool {
        guard !isOver(), let executor = running else { return isOver() }
        touch(.everything)
        orders?.didBlock()
        let outer = (isOnMainQueue, runningChain)
        isOnMainQueue = false
        defer {
            (isOnMainQueue, runningChain) = outer
            watch?.runs(executor.watchNumber)
        }
        return outer.0 ? executor.main.held { runOthers(executor, isOver, deadline) } : runOthers(executor, isOver, deadline)
    }

    private func runOthers(_ executor: ProcessExecutor, _ isOver: () -> Bool, _ deadline: VirtualTime?) -> Bool {
        let end = deadline ?? now + .seconds(24 * 3600)
        var budget = 1_000_000
        while !isOver(), executor.context?.life.isAlive != false {
            if inbox.hasEscapes { admitEscapes() }
            if !ready.isEmpty, budget > 0 {
                budget -= 1
                guard let next = takeNext() else { break }
                run(next)
            } else if ready.isEmpty, let next = timers.next, next <= end, deadline != nil || timers.hasPending {
                fireNextInstant()
            } else {
                break
            }
        }
        guard !isOver() else { return true }
        if deadline != nil { time = max(now, end) }
        return false
    }

    /// What code of an app waited for that can never come, with where it did, in the order of the calls. The code went on all the same, so what came after
    /// is not what a device does.
    package private(set) var blockages: [(text: String, place: CallerPlace)] = []

    /// The same for a report, each once, with the file, line and function as far as that is known. Slow.
    package var blockageReport: [String] {
        blockages.map { blockage in blockage.place.found().map { "\(blockage.text) at \($0)" } ?? blockage.text }
    }

    func reportBlockage(_ text: String) {
        guard !blockages.contains(where: { $0.text == text }) else { return }
        blockages.append((text, .here))
    }

    // MARK: Escapes

    /// Whose work came in from foreign threads, or called what would block this one, in the order of arrival. A run with any is not deterministic.
    public private(set) var escapes: [String] = []
    /// Where the first escape of each text came from.
    private var escapePlaces: [String: CallerPlace] = [:]

    /// The escapes, each once, with the file, line and function that it came from as far as that is known. Slow.
    public var escapeReport: [String] {
        escapePlaces.sorted { $0.key < $1.key }.map { text, place in place.found().map { "\(text) at \($0)" } ?? text }
    }

    /// Takes in what foreign threads have reported since the last work ran. Work of theirs is ready then.
    package func takeInEscapes() {
        if inbox.hasEscapes { admitEscapes() }
    }

    private func admitEscapes() {
        for escape in inbox.takeAll() {
            escapes.append(escape.text)
            if escapePlaces[escape.text] == nil { escapePlaces[escape.text] = escape.caller }
            if let (job, executor) = escape.work { add(.job(job, executor)) }
        }
    }

    /// Notes that code outside the simulation's thread reached into it, and was refused. May be called on any thread.
    package func reportEscape(_ text: String) {
        inbox.add(EscapeInbox.Escape(work: nil, text: text, caller: .here))
    }
}
