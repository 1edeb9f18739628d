/// What a daemon keeps for one counterpart: the channels to it, and what came from it (W15).
///
/// A watch has one, a phone one for each of its watches. Confined to the simulation's thread.
package final class Pairing {
    let counterpart: DeviceID
    /// What both sides of the pair share.
    let world: ConnectivityContext
    private(set) weak var peer: ConnectivityDaemon?
    let contexts: ContextChannel
    let messages: MessageChannel
    var received = ContextInbox()
    /// `nil` until something is transferred, so that a run without transfers does not pay for them.
    package private(set) var transfers: PairingTransfers?
    /// Where what is sent in the background keeps its order, whatever its kind (W72).
    private let order: HandoverOrder?
    /// How much has arrived of the counterpart, and was or is to be handed over.
    private var arrivalCount = 0

    init(of daemon: ConnectivityDaemon, with peer: ConnectivityDaemon, world: ConnectivityContext) {
        counterpart = peer.device
        self.world = world
        self.peer = peer
        order = world.knobs.keepsOrderAcrossKinds ? HandoverOrder(counter: daemon.handovers) : nil
        contexts = ContextChannel(from: daemon.device, to: peer, world: world, order: order)
        messages = MessageChannel(to: peer, world: world)
    }

    /// The transfers in the background to and from the counterpart, made on first use.
    func transfers(of daemon: ConnectivityDaemon) -> PairingTransfers? {
        if let transfers { return transfers }
        guard let peer else { return nil }
        let made = PairingTransfers(from: daemon, to: peer, world: world, order: order)
        transfers = made
        return made
    }

    /// For what arrives now.
    func nextArrival() -> Int {
        arrivalCount += 1
        return arrivalCount
    }

    /// Whether what is to be handed over next is a context, by the order of arrivals (W72).
    var isContextNext: Bool {
        guard let context = received.undelivered.first else { return false }
        guard let transfer = transfers?.inbox.next else { return true }
        return context.arrival < transfer.arrival
    }

    /// Contexts are in no backup, and a new pairing begins without any (W15).
    func clearContexts() {
        contexts.clear()
        received = ContextInbox()
    }

    /// The pairing has ended: nothing of it is sent or handed over any more. What was said and heard last can be read until the next one begins.
    func end(keepsQueues: Bool) {
        contexts.withdraw()
        received.withdraw()
        transfers?.clearInbox()
        guard !keepsQueues else { return }
        transfers?.end(
            world.knobs.unpairingFailsTransfers ? SendFailure(code: .deviceNotPaired, reason: "the pairing with the watch has ended") : nil)
    }

    /// The folders of the files that wait for the app.
    var waitingFiles: [String] {
        (transfers?.inbox.contents ?? []).compactMap { if case .file = $0.content { folder(of: $0) } else { nil } }
    }

    /// The session is one for all watches (`Knobs.contextsOutliveSwitch`): what this device said and heard last is taken over from the pairing before.
    func takeOverContexts(of other: Pairing) {
        contexts.takeOver(other.contexts)
        received.takeOver(other.received)
    }

    /// Likewise, what is queued for the watch before is for whichever is active (`Knobs.queuesOutliveSwitch`).
    func takeOverQueues(of other: Pairing, for daemon: ConnectivityDaemon) {
        guard let left = other.transfers, let mine = transfers(of: daemon) else { return }
        mine.userInfos.takeOver(left.userInfos)
        mine.files.takeOver(left.files)
    }

    /// Whether something of the counterpart, or about what was sent to it, waits for the app.
    var hasDeliveries: Bool {
        !received.undelivered.isEmpty || transfers.map { $0.inbox.hasContent || !$0.outcomes.isEmpty } ?? false
    }

    /// Where a received file lies among those that wait.
    func folder(of transfer: Transfer) -> String { "\(counterpart)-\(transfer.number)" }
}

/// What a device transfers in the background to one counterpart, and what came from it that way.
///
/// Confined to the simulation's thread.
package final class PairingTransfers {
    let userInfos: TransferChannel
    let files: TransferChannel
    var budget = DailyBudget()
    var inbox = TransferInbox()
    /// How transfers ended that the app was not told of yet (W83).
    var outcomes = Fifo<TransferOutcome>()

    init(from sender: ConnectivityDaemon, to receiver: ConnectivityDaemon, world: ConnectivityContext, order: HandoverOrder?) {
        userInfos = TransferChannel(.userInfo, from: sender, to: receiver, world: world, order: order)
        files = TransferChannel(.file, from: sender, to: receiver, world: world, order: order)
    }

    package func channel(_ kind: TransferChannelKind) -> TransferChannel {
        kind == .userInfo ? userInfos : files
    }

    func conditionsChanged() {
        userInfos.conditionsChanged()
        files.conditionsChanged()
    }

    /// Nothing that is queued will be carried any more (W122).
    func fail(_ failure: SendFailure) {
        userInfos.fail(failure)
        files.fail(failure)
    }

    /// What got stuck goes on (P20).
    func free() {
        userInfos.free()
        files.free()
    }

    /// The counterpart's app was removed, or the pairing ended there, with what had reached its device and was not given to the app.
    func counterpartLostContent() {
        userInfos.receiverLostContent()
        files.receiverLostContent()
    }

    /// The app was removed, with what it had queued and what waited for it.
    func clear() {
        userInfos.clear()
        files.clear()
        clearInbox()
        outcomes = Fifo()
    }

    /// What has arrived and was not given to the app is gone.
    func clearInbox() {
        inbox = TransferInbox()
    }

    /// The pairing has ended, with what is queued and what the counterpart's app was not given. What the app was to be told of others it still is.
    /// - Parameter failure: What it is told of these; `nil` for nothing.
    func end(_ failure: SendFailure?) {
        for channel in [userInfos, files] {
            if let failure { channel.fail(failure, alsoUnreceived: true) }
            channel.clear()
        }
    }
}

/// The order in which an app handed over what goes to one counterpart in the background: contexts, user infos and files. W72: whether it holds among these
/// kinds is disputed; where it does, nothing leaves before what was handed over earlier has arrived.
///
/// What cannot leave at all holds up its own kind alone: what got stuck (P20), and what stays where it is in Apple's Simulator (W112).
///
/// Confined to the simulation's thread.
final class HandoverOrder {
    /// One of the lines that share the order.
    struct Line {
        /// The ticket of what was handed over first of all that has not arrived, and may leave; `nil` for nothing.
        let oldest: () -> Int?
        /// Looks whether something may leave now.
        let look: () -> Void
    }

    private let counter: HandoverCounter
    private var lines: [Line] = []

    init(counter: HandoverCounter) {
        self.counter = counter
    }

    /// For what is handed over now: higher than every ticket of the device before.
    func nextTicket() -> Int { counter.next() }

    func add(_ line: Line) { lines.append(line) }

    /// Whether nothing was handed over before that has not arrived.
    func isTurn(of ticket: Int) -> Bool { lines.allSatisfy { line in line.oldest().map { $0 >= ticket } ?? true } }

    /// Something has arrived, or was taken out.
    func changed() {
        for line in lines { line.look() }
    }
}

/// Counts what a device hands over, to whichever counterpart.
final class HandoverCounter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
