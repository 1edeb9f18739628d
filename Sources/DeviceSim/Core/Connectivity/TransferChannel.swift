/// Carries the transfers of one kind from one device to the other. It needs the link, and no app at either end (W81).
///
/// Confined to the simulation's thread.
package final class TransferChannel {
    package private(set) var queue = TransferQueue<TransferContent>()
    private let kind: TransferChannelKind
    private let world: ConnectivityContext
    private weak var sender: ConnectivityDaemon?
    private weak var receiver: ConnectivityDaemon?
    /// Where the order holds among the kinds of what is sent (W72).
    private let order: HandoverOrder?
    private var departure: TimerID?
    private var arrival: TimerID?
    private var tick: TimerID?
    /// Of what is on the link: when its first byte arrives, and its last.
    private var flight: (begin: VirtualTime, end: VirtualTime, bytes: Int)?
    /// How many transfers have left, for those that stick (P20).
    private var departureCount = 0
    /// Whether the next departure is of what was stuck before.
    private var isFreed = false
    /// What has reached the device of the receiver, and its app was not given yet. Where receipt is what ends a transfer (W84); else empty.
    private var unreceived: [Transfer] = []
    /// What became of those, by number, until the link tells the sending device.
    private var receipts: [Int: SendFailure?] = [:]
    /// Whether the app looks at how far its transfers are. Only then is there something to do on the way.
    var isWatched = false {
        didSet { scheduleTick() }
    }

    init(
        _ kind: TransferChannelKind, from sender: ConnectivityDaemon, to receiver: ConnectivityDaemon, world: ConnectivityContext,
        order: HandoverOrder? = nil
    ) {
        self.kind = kind
        self.sender = sender
        self.receiver = receiver
        self.world = world
        self.order = order
        order?.add(.init(oldest: { [weak self] in self?.oldestTicket }, look: { [weak self] in self?.scheduleDeparture() }))
    }

    /// What is stuck, or in Apple's Simulator, holds up its own kind alone.
    private var oldestTicket: Int? { queue.stuck != nil || isHeldBySimulator ? nil : queue.oldestTicket }

    private var isTurn: Bool {
        guard let order, let ticket = queue.nextTicket else { return true }
        return order.isTurn(of: ticket)
    }

    func add(_ content: TransferContent, number: Int, isCurrent: Bool) {
        queue.add(content, number: number, ticket: order?.nextTicket() ?? 0, isCurrent: isCurrent)
        free()
        scheduleDeparture()
    }

    /// What is neither received, cancelled nor failed, in the order of the calls.
    var outstanding: [Transfer] {
        unreceived.isEmpty ? queue.outstanding : (queue.outstanding + unreceived).sorted { $0.number < $1.number }
    }

    /// Where each of them is.
    var places: [(transfer: Transfer, place: HeldContent.Place)] {
        queue.outstanding.map { entry in
            (entry, entry.number == queue.inFlight ? .onLink : entry.number == queue.stuck ? .stuck : .waiting)
        } + unreceived.map { ($0, .awaitsReceipt) }
    }

    /// Lets go on what got stuck: the next transfer was added, the watch app ended, or a device restarted (P20).
    func free() {
        guard !world.knobs.stuckUntilCancelled, queue.free() else { return }
        isFreed = true
        scheduleDeparture()
    }

    /// - Returns: what was taken back; `nil` if it has arrived, failed or been taken back before.
    func cancel(_ number: Int) -> Transfer? {
        if let place = unreceived.firstIndex(where: { $0.number == number }) {
            // What has reached the device is given to the app all the same.
            return unreceived.remove(at: place)
        }
        let wasInFlight = queue.inFlight == number
        guard let content = queue.remove(number) else { return nil }
        if wasInFlight { land() }
        scheduleDeparture()
        order?.changed()
        return Transfer(number: number, content: content)
    }

    func conditionsChanged() {
        reportReceipts()
        guard !queue.isEmpty else { return }
        if canTransfer {
            scheduleDeparture()
        } else {
            interrupt()
        }
    }

    /// Takes all that is queued elsewhere. This queue is empty, as every switch of watches takes what is in it.
    func takeOver(_ other: TransferChannel) {
        other.interrupt()
        for transfer in other.queue.outstanding {
            queue.add(
                transfer.content, number: transfer.number, ticket: transfer.ticket, isCurrent: other.queue.current == transfer.number)
        }
        other.queue = TransferQueue()
        other.order?.changed()
    }

    /// The app was removed from the receiving device: the sender is told of each (W122).
    /// - Parameter alsoUnreceived: Whether what has reached that device fails as well, if its app was not given it.
    func fail(_ failure: SendFailure, alsoUnreceived: Bool = false) {
        guard !queue.isEmpty || alsoUnreceived && !unreceived.isEmpty else { return }
        interrupt()
        let outstanding = alsoUnreceived ? self.outstanding : queue.outstanding
        if alsoUnreceived { unreceived = [] }
        queue = TransferQueue()
        for transfer in outstanding {
            let transfer = Transfer(number: transfer.number, content: transfer.content)
            sender?.transferEnded(TransferOutcome(transfer: transfer, failure: failure))
        }
        order?.changed()
    }

    /// The app was removed from the sending device.
    func clear() {
        interrupt()
        queue = TransferQueue()
        unreceived = []
        receipts = [:]
        order?.changed()
    }

    /// How many bytes of a file have arrived so far. Of one that is not on the link, none.
    func transferredBytes(of number: Int) -> Int {
        transferredBytes(of: number, at: world.scheduler.now)
    }

    private func transferredBytes(of number: Int, at time: VirtualTime) -> Int {
        guard queue.inFlight == number, let flight, time > flight.begin, flight.end > flight.begin else { return 0 }
        let share = Double((time - flight.begin).microseconds) / Double((flight.end - flight.begin).microseconds)
        return min(flight.bytes, Int(Double(flight.bytes) * share))
    }

    /// The first instant after now at which at least so many bytes of a file have arrived, if nothing comes between. `nil` if they have already, or
    /// will not on this way. Nothing is scheduled for it: bytes flow without an event.
    package func instant(of number: Int, reaching bytes: Int) -> VirtualTime? {
        let now = world.scheduler.now
        guard queue.inFlight == number, let flight, flight.end > now, transferredBytes(of: number, at: now) < bytes,
            transferredBytes(of: number, at: flight.end) >= bytes
        else { return nil }
        // The count grows with time, so halving finds its first instant exactly, whatever rounding does.
        var (early, late) = (now.microseconds, flight.end.microseconds)
        while late - early > 1 {
            let middle = early + (late - early) / 2
            if transferredBytes(of: number, at: VirtualTime(microseconds: middle)) < bytes { early = middle } else { late = middle }
        }
        return VirtualTime(microseconds: late)
    }

    // MARK: On the link

    /// W112: Apple's Simulator takes user infos and files, and never delivers them.
    private var canTransfer: Bool {
        guard let sender else { return false }
        return world.facts.canTransfer(from: sender.device) && !isHeldBySimulator
    }

    private var isHeldBySimulator: Bool {
        world.knobs.simulatorMode && (kind == .userInfo || world.knobs.simulatorFiles == .outstanding)
    }

    /// Whether the sender is told that it arrived, and nothing does.
    private var isLostBySimulator: Bool {
        world.knobs.simulatorMode && kind == .file && world.knobs.simulatorFiles == .finished
    }

    /// A transfer leaves after all that is ready now has run, so that a complication info of this instant goes before the rest.
    private func scheduleDeparture() {
        guard departure == nil, queue.canDepart, canTransfer, isTurn else { return }
        departure = world.scheduler.schedule(at: world.scheduler.now, as: work("departure of a transfer")) { [weak self] in
            self?.departure = nil
            self?.depart()
        }
    }

    private func depart() {
        guard canTransfer, isTurn, !sticks(), var transfer = queue.depart(), let sender else { return }
        if world.knobs.readsFileWhenSent, case .file(let file) = transfer.content {
            do throws(SendFailure) {
                transfer = Transfer(number: transfer.number, content: .file(try file.readAnew(by: sender)), ticket: transfer.ticket)
                queue.replace(transfer.number, with: transfer.content)
            } catch {
                return drop(transfer, error, sender)
            }
        }
        world.recorder.record(kind.sent, on: sender.device, process: nil, facts: [transfer.numberFact])
        let begin = world.scheduler.now + world.latency
        var end = begin
        var bytes = 0
        if case .file(let file) = transfer.content {
            bytes = file.data.count
            end = begin + .carrying(bytes, bytesPerSecond: world.knobs.fileBandwidth)
        }
        flight = (begin, end, bytes)
        arrival = world.scheduler.schedule(at: end, as: work("arrival of a transfer")) { [weak self] in self?.arrive() }
        scheduleTick()
    }

    /// W146: the file is gone, or cannot be read any more.
    private func drop(_ transfer: Transfer, _ failure: SendFailure, _ sender: ConnectivityDaemon) {
        _ = queue.remove(transfer.number)
        sender.transferEnded(TransferOutcome(transfer: transfer, failure: failure))
        scheduleDeparture()
        order?.changed()
    }

    /// Whether the next transfer gets stuck instead of leaving, although nothing happened (P20).
    private func sticks() -> Bool {
        guard world.knobs.transferSticksAfter > 0, queue.canDepart else { return false }
        guard !isFreed else {
            isFreed = false
            return false
        }
        departureCount += 1
        guard departureCount % (world.knobs.transferSticksAfter + 1) == 0 else { return false }
        queue.stick()
        order?.changed()
        return true
    }

    private func arrive() {
        land()
        guard !world.knobs.losesAcknowledgements || isLostBySimulator else { return acknowledge() }
        if let transfer = queue.arrive() {
            if isLostBySimulator {
                sender?.transferEnded(TransferOutcome(transfer: transfer, failure: nil))
            } else {
                end(transfer, receiver?.transferArrived(transfer))
            }
        }
        depart()
        order?.changed()
    }

    /// A transfer has reached the device, or was refused there. That ends it, unless only its receipt by the app does (W84).
    private func end(_ transfer: Transfer, _ failure: SendFailure?) {
        guard failure == nil, world.knobs.transferEndsWithReceipt, receiver != nil else {
            sender?.transferEnded(TransferOutcome(transfer: transfer, failure: failure))
            return
        }
        unreceived.append(transfer)
        reportReceipts()
    }

    /// The receiving app was given the transfer.
    func wasReceived(_ number: Int) {
        receipts[number] = .some(nil)
        world.scheduler.schedule(at: world.scheduler.now + world.latency) { [weak self] in self?.reportReceipts() }
    }

    /// What its device held for the receiving app is gone with that.
    func receiverLostContent() {
        for transfer in unreceived where receipts[transfer.number] == nil {
            receipts[transfer.number] = SendFailure(
                code: .deliveryFailed, reason: "the counterpart's app was not given it, and its device has it no more")
        }
        reportReceipts()
    }

    private func reportReceipts() {
        guard !receipts.isEmpty, world.facts.isInRange else { return }
        let told = unreceived.filter { receipts[$0.number] != nil }
        unreceived.removeAll { receipts[$0.number] != nil }
        for transfer in told {
            guard let failure = receipts.removeValue(forKey: transfer.number) else { continue }
            sender?.transferEnded(TransferOutcome(transfer: transfer, failure: failure))
        }
    }

    /// P5: the transfer stays in the queue until the sending device knows of its arrival, and goes again if the link breaks before that.
    private func acknowledge() {
        guard let number = queue.inFlight, let content = queue[number] else { return depart() }
        let transfer = Transfer(number: number, content: content)
        let failure = receiver?.transferArrived(transfer)
        arrival = world.scheduler.schedule(
            at: world.scheduler.now + world.latency, as: work("acknowledgement of a transfer")
        ) { [weak self] in
            guard let self else { return }
            land()
            if queue.arrive() != nil { end(transfer, failure) }
            depart()
            order?.changed()
        }
    }

    private func work(_ noun: StaticString) -> ScheduledWork {
        ScheduledWork(noun, of: sender.map { "\(kind == .file ? "file" : "user info") of the \($0.device)" })
    }

    private func interrupt() {
        land()
        if let departure { world.scheduler.cancel(departure) }
        departure = nil
        queue.interrupt(sticks: world.knobs.interruptionSticks)
        if queue.stuck != nil { order?.changed() }
    }

    /// Nothing is on the link any more.
    private func land() {
        for timer in [arrival, tick].compactMap({ $0 }) { world.scheduler.cancel(timer) }
        arrival = nil
        tick = nil
        flight = nil
    }

    /// Tells the app how far the file is, ten times on the way.
    private func scheduleTick() {
        guard isWatched, tick == nil, let flight, flight.end > flight.begin else { return }
        let tenth = VirtualDuration(microseconds: max(1, (flight.end - flight.begin).microseconds / 10))
        let next = max(world.scheduler.now, flight.begin) + tenth
        guard next < flight.end else { return }
        tick = world.scheduler.schedule(at: next, as: work("progress of a file")) { [weak self] in
            guard let self else { return }
            tick = nil
            if let number = queue.inFlight { sender?.endpoint?.fileProgressed(number) }
            scheduleTick()
        }
    }
}

extension TransferChannelKind {
    var queued: TraceEvent.Kind { self == .userInfo ? .userInfoQueued : .fileQueued }
    var sent: TraceEvent.Kind { self == .userInfo ? .userInfoSent : .fileSent }
    var arrived: TraceEvent.Kind { self == .userInfo ? .userInfoArrived : .fileArrived }
    var delivered: TraceEvent.Kind { self == .userInfo ? .userInfoDelivered : .fileDelivered }
    var finished: TraceEvent.Kind { self == .userInfo ? .userInfoFinished : .fileFinished }
    var failed: TraceEvent.Kind { self == .userInfo ? .userInfoFailed : .fileFailed }
    package var cancelled: TraceEvent.Kind { self == .userInfo ? .userInfoCancelled : .fileCancelled }
}

extension VirtualDuration {
    /// How long so many bytes take, rounded up.
    static func carrying(_ bytes: Int, bytesPerSecond: Int) -> VirtualDuration {
        let rate = Int64(max(1, bytesPerSecond))
        return VirtualDuration(microseconds: (Int64(bytes) * 1_000_000 + rate - 1) / rate)
    }
}
