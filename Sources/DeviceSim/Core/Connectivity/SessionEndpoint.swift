import Foundation
import WatchConnectivity

/// One app process's end of its device's session: what `WCSession.default` asks in that process.
///
/// After the process ended, calls change nothing and leave no trace; what waits for an answer gets an error, so that it can unwind.
///
/// Confined to the simulation's thread. A call from another thread is refused, and reported as an escape.
package final class SessionEndpoint: WCSessionBackend, @unchecked Sendable {
    let life: ProcessLife
    let queue: SimulatedQueue
    /// `nil` once the process ended.
    /// Whoever gets at it may change anything of the network, and is noted as doing so (``Footprint``).
    var daemon: ConnectivityDaemon? {
        queue.touchNetwork()
        return knownDaemon
    }
    private weak var knownDaemon: ConnectivityDaemon?
    /// As the app last saw it, when it was activated or called back.
    var announced = SessionState()
    private(set) var activation = Activation.none
    /// What those who observe `hasContentPending` know (W125).
    var announcedPending = false
    /// What the session misses of its counterpart's comings and goings (W35).
    var staleness = StaleReachability()
    /// Sent messages whose handlers may still be called, by number.
    var pending: [Int: PendingMessage] = [:]
    /// Arrived messages that the delegate was not given, in order.
    var undelivered: [ReceivedMessage] = []
    /// The objects that stand for transfers which are not finished, by number, as far as the app has any.
    var userInfoTransfers: [Int: SimulatedUserInfoTransfer] = [:]
    var fileTransfers: [Int: SimulatedFileTransfer] = [:]
    /// Whether a turn on the queue is taken for the next outcome, or the next delivery, of a transfer.
    var isTellingOutcomes = false
    var isDeliveringTransfers = false
    /// The members of the other side's session that this app was told it does not have.
    var isKnownMisuse: Set<String> = []
    /// Whether the delegate lacks a method that apps for several watches have (W118).
    var hasOptedOut = false
    /// Whether the delegate turned out to lack the method that was called last. Read by ``implements(_:)`` only.
    private var lacksLastMethod = false

    /// How far the session is, and whom it is with. Of a phone with two watches that is the one that was active when it was activated (W15).
    enum Activation {
        case none, underWay
        case done(with: Pairing?)
        /// The phone hands over to another watch: what the old one sent still comes, nothing is sent (W13).
        case inactive(with: Pairing?)
    }

    /// Whom the session is with, once it is activated.
    var pairing: Pairing? {
        queue.touchNetwork()
        return switch activation {
        case .none, .underWay: nil
        case .done(let pairing), .inactive(let pairing): pairing
        }
    }

    private var isDone: Bool { if case .done = activation { true } else { false } }
    private var isInactive: Bool { if case .inactive = activation { true } else { false } }

    /// How many bits an `Int` of the device's apps has.
    var integerBitWidth: Int { daemon?.world.knobs.integerBitWidth(of: life.device) ?? Int.bitWidth }

    /// What `WCSession.default` is in this process.
    package private(set) lazy var session = WCSession(backend: self)

    init(daemon: ConnectivityDaemon, life: ProcessLife, executor: ProcessExecutor, enter: @escaping (() -> Void) -> Void) {
        knownDaemon = daemon
        self.life = life
        queue = SimulatedQueue(scheduler: daemon.world.scheduler, executor: executor, life: life, enter: enter)
    }

    /// The process ended. Every handler that was not called is called now, as code that unwinds.
    func end() {
        queue.touchNetwork()
        knownDaemon = nil
        activation = .none
        queue.removeAll()
        undelivered.removeAll()
        userInfoTransfers.removeAll()
        fileTransfers.removeAll()
        for (_, message) in pending.sorted(by: { $0.key < $1.key }) {
            unwind(message.handlers)
        }
        pending.removeAll()
    }

    /// The daemon, if the call comes from code that may use it: of a live process, on the simulation's thread.
    func liveDaemon(for call: StaticString) -> ConnectivityDaemon? {
        guard queue.isOnHomeThread else {
            queue.reportEscape("\(life.device) app #\(life.number): WCSession.\(call)")
            return nil
        }
        if !life.isAlive, let running = ProcessContext.current, running.life !== life, running.life.isAlive {
            running.reportEscape(
                "WCSession.\(call) on a session of \(life.device) app #\(life.number), which a static property has kept")
        }
        return life.isAlive ? daemon : nil
    }

    func record(_ kind: TraceEvent.Kind, _ facts: [TraceEvent.Fact] = []) {
        daemon?.world.recorder.record(kind, on: life.device, process: life.number, facts: facts)
    }

    // MARK: Properties

    package var isSupported: Bool { daemon?.isSupported ?? true }

    package var activationState: WCSessionActivationState {
        liveDaemon(for: "activationState") == nil ? .notActivated : visibleActivation
    }

    var visibleActivation: WCSessionActivationState {
        switch activation {
        case .none, .underWay: .notActivated
        case .done: .activated
        case .inactive: .inactive
        }
    }

    /// Whether the app is given what arrives (W9, W13).
    var isReceiving: Bool { isDone || isInactive }

    /// W6: without an activated session nothing is known.
    private func state(for call: StaticString) -> SessionState {
        guard let daemon = liveDaemon(for: call), isDone else { return SessionState() }
        return shownState(daemon)
    }

    /// What is true, as far as the session knows.
    func shownState(_ daemon: ConnectivityDaemon) -> SessionState {
        var state = daemon.sessionState
        if staleness.hidesReturn { state.isReachable = false }
        return state
    }

    // Of those that Apple has on one side only, the other side gets the value that says nothing.
    package var isPaired: Bool { isMember("isPaired", of: .phone) && state(for: "isPaired").isPaired }
    package var isWatchAppInstalled: Bool {
        isMember("isWatchAppInstalled", of: .phone) && state(for: "isWatchAppInstalled").isCounterpartInstalled
    }
    package var isComplicationEnabled: Bool {
        isMember("isComplicationEnabled", of: .phone) && state(for: "isComplicationEnabled").isComplicationEnabled
    }
    package var remainingComplicationUserInfoTransfers: Int {
        guard isMember("remainingComplicationUserInfoTransfers", of: .phone), isDone else { return 0 }
        return liveDaemon(for: "remainingComplicationUserInfoTransfers")?.remainingComplicationTransfers ?? 0
    }
    /// W15: stays valid while the session is inactive, so that the app can finish what it keeps for that watch.
    package var watchDirectoryURL: URL? {
        guard isMember("watchDirectoryURL", of: .phone), let daemon = liveDaemon(for: "watchDirectoryURL"), isReceiving, let pairing,
            pairing.world.facts.state(of: life.device).isCounterpartInstalled,
            let path = daemon.host?.files?.watchDirectory(named: pairing.counterpart.description)
        else { return nil }
        return URL(fileURLWithPath: path, isDirectory: true)
    }
    package var isCompanionAppInstalled: Bool {
        guard isMember("isCompanionAppInstalled", of: .watch) else { return false }
        let state = state(for: "isCompanionAppInstalled")
        // W121: of a dependent app it says nothing, since the app goes with that of the phone.
        return state.isCounterpartInstalled || isDone && daemon?.world.isDependentWatchApp == true && state.isPaired
    }
    package var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        isMember("iOSDeviceNeedsUnlockAfterRebootForReachability", of: .watch)
            && state(for: "iOSDeviceNeedsUnlockAfterRebootForReachability").phoneNeedsUnlock
    }
    package var isReachable: Bool { state(for: "isReachable").isReachable }
}

/// Activation, and the callbacks that tell of changes.
extension SessionEndpoint {
    /// W2–W5. A session whose process is suspended meanwhile is activated when it runs again.
    package func activate() {
        guard let daemon = liveDaemon(for: "activate"), case .none = activation else { return }
        guard session.delegate != nil else {
            return record(
                .sessionError, [.init("error", .text(WCError.Code.sessionMissingDelegate.name)), .init("call", .text("activate"))])
        }
        activation = .underWay
        record(.activate)
        let scheduler = daemon.world.scheduler
        let due = scheduler.now + daemon.world.knobs.activationLatency
        scheduler.schedule(at: due, as: ScheduledWork("activation of the session", of: daemon.device)) { [weak self] in
            self?.queue.async { self?.completeActivation() }
        }
    }

    /// W3: the state has changed when the callback runs. W9: what waited for it comes after.
    private func completeActivation() {
        guard let daemon, case .underWay = activation else { return }
        if let code = daemon.activationProblem {
            activation = .none
            record(.sessionError, [.init("error", .text(code.name)), .init("call", .text("activate"))])
            session.delegate?.session(session, activationDidCompleteWith: .notActivated, error: WCError(code))
            return
        }
        staleness = StaleReachability()
        if let old = earlierPairing(daemon) { return completeInactive(old, daemon) }
        activation = .done(with: daemon.pairing)
        announced = daemon.sessionState
        if life.device.isPhone, !announced.isCounterpartInstalled { daemon.onWatchMissing() }
        tellActivation()
        record(.activated)
        session.delegate?.session(session, activationDidCompleteWith: .activated, error: nil)
        if daemon.world.knobs.activationTellsState { tellOfActivation(daemon) }
        tellPending()
        self.daemon?.sessionWasActivated(self)
    }

    /// W145: the activation counts as the change from a session that shows nothing.
    private func tellOfActivation(_ daemon: ConnectivityDaemon) {
        for callback in shownState(daemon).callbacks(since: SessionState(), on: life.device) {
            if callback == .companionAppInstalled, daemon.world.isDependentWatchApp { continue }
            queue.async { [weak self] in self?.announce(callback, evenIfKnown: true) }
        }
    }

    /// W3: another watch's content waits, which the person wore before.
    private func earlierPairing(_ daemon: ConnectivityDaemon) -> Pairing? {
        guard daemon.world.knobs.activatesInactiveForOldContent else { return nil }
        return daemon.pairings.first { $0 !== daemon.pairing && $0.hasDeliveries }
    }

    /// W3: the session is with the earlier watch until the app has what that one sent; then it is deactivated.
    private func completeInactive(_ old: Pairing, _ daemon: ConnectivityDaemon) {
        activation = .inactive(with: old)
        announced = SessionState()
        tellActivation()
        record(.inactive, [.init("because", .text("content of \(old.counterpart) waits"))])
        session.delegate?.session(session, activationDidCompleteWith: .inactive, error: nil)
        tellPending()
        self.daemon?.deliverWaitingContent(to: self, of: old)
        deactivate()
    }

    // MARK: Another watch

    /// W12, W13: the person has put on another watch. From now on nothing is sent; what the old one sent still comes.
    func becomeInactive() {
        guard case .done(let pairing) = activation else { return }
        activation = .inactive(with: pairing)
        cancelMessages()
        queue.async { [weak self] in
            guard let self, isInactive else { return }
            tellActivation()
            record(.inactive)
            if !implements({ session.delegate?.sessionDidBecomeInactive(session) }) { hasOptedOut = true }
        }
    }

    /// W13: what was said is cancelled, be it under way or waiting for its reply. Those of the watch are not delivered any more.
    private func cancelMessages() {
        guard let daemon, daemon.world.knobs.switchCancelsMessages else { return }
        _ = pairing?.messages.withdrawMessages()
        let failure = SendFailure(code: daemon.world.knobs.cancelledMessageError.code, reason: "the person is changing watches")
        for sequence in pending.keys.sorted() { fail(sequence, failure) }
    }

    /// W13: whether messages and replies of this session go nowhere.
    var hasCancelledMessages: Bool { isInactive && daemon?.world.knobs.switchCancelsMessages == true }

    /// W12: the old watch has nothing more to say. Once the app was given all of it, the session is dead until it is activated again (W14).
    func deactivate() {
        guard isInactive else { return }
        queue.async { [weak self] in self?.completeDeactivation() }
    }

    private func completeDeactivation() {
        guard daemon != nil, isInactive else { return }
        if pairing?.hasDeliveries == true { return deactivate() }
        activation = .none
        announced = SessionState()
        tellActivation()
        record(.deactivated)
        if !implements({ session.delegate?.sessionDidDeactivate(session) }) { hasOptedOut = true }
        if hasOptedOut { daemon?.host?.appOptedOut() }
    }

    // MARK: Observers

    /// To be called where the session is activated, or is no longer: its properties show something else then (W6), and who observed them before would miss their
    /// next change.
    private func tellActivation() {
        session.tellObservers(of: \.activationState)
        session.tellObservers(of: \.isReachable)
        if life.device.isPhone {
            session.tellObservers(of: \.isPaired)
            session.tellObservers(of: \.isWatchAppInstalled)
            session.tellObservers(of: \.isComplicationEnabled)
        } else {
            session.tellObservers(of: \.isCompanionAppInstalled)
        }
    }

    /// W125: to be called where `hasContentPending` may have changed, on the session's queue.
    func tellPending() {
        guard daemon != nil, life.isAlive, hasContentPending != announcedPending else { return }
        announcedPending.toggle()
        session.tellObservers(of: \.hasContentPending)
    }

    // MARK: Changes

    /// Enqueues the callbacks for a change of what an activated session shows.
    func stateChanged(from old: SessionState, to new: SessionState) {
        guard isDone, let daemon else { return }
        var callbacks = new.callbacks(since: old, on: life.device)
        let world = daemon.world
        if world.knobs.reachabilityStaleness > .zero, callbacks.last == .reachability,
            !staleness.change(to: new.isReachable, at: world.scheduler.now, within: world.knobs.reachabilityStaleness)
        {
            callbacks.removeLast()
        }
        // An app that sleeps is told once of what is different when it wakes, not of all that came and went.
        let isSuspended = queue.isSuspended
        // W121: it changes nothing for a dependent app.
        if world.isDependentWatchApp { callbacks.removeAll { $0 == .companionAppInstalled } }
        for callback in callbacks {
            queue.async { [weak self] in self?.announce(callback, evenIfKnown: !isSuspended) }
        }
    }

    private func announce(_ callback: StateCallback, evenIfKnown: Bool) {
        guard let daemon, isDone else { return }
        let state = shownState(daemon)
        guard evenIfKnown || state.callbacks(since: announced, on: life.device).contains(callback) else { return }
        switch callback {
        case .reachability:
            announced.isReachable = state.isReachable
            session.tellObservers(of: \.isReachable)
            record(.reachabilityChanged, [.init("isReachable", .flag(state.isReachable))])
            session.delegate?.sessionReachabilityDidChange(session)
        case .watchState:
            if !state.isCounterpartInstalled { daemon.onWatchMissing() }
            announced.isPaired = state.isPaired
            announced.isCounterpartInstalled = state.isCounterpartInstalled
            announced.isComplicationEnabled = state.isComplicationEnabled
            var facts: [TraceEvent.Fact] = [
                .init("isPaired", .flag(state.isPaired)), .init("isWatchAppInstalled", .flag(state.isCounterpartInstalled)),
            ]
            if state.isComplicationEnabled { facts.append(.init("isComplicationEnabled", .flag(true))) }
            session.tellObservers(of: \.isPaired)
            session.tellObservers(of: \.isWatchAppInstalled)
            session.tellObservers(of: \.isComplicationEnabled)
            record(.watchStateChanged, facts)
            session.delegate?.sessionWatchStateDidChange(session)
        case .companionAppInstalled:
            announced.isCounterpartInstalled = state.isCounterpartInstalled
            session.tellObservers(of: \.isCompanionAppInstalled)
            record(.companionAppInstalledChanged, [.init("isCompanionAppInstalled", .flag(state.isCounterpartInstalled))])
            session.delegate?.sessionCompanionAppInstalledDidChange(session)
        }
    }

    package func delegateDoesNotImplement(_ method: WCSessionDelegateMethod) {
        guard let daemon = liveDaemon(for: "delegate") else { return }
        lacksLastMethod = true
        daemon.world.recorder.withdrawAnnounced()
        record(.unimplemented, [.init("method", .text(method.rawValue))])
    }

    /// Calls the delegate with something that arrived. The trace says that it was delivered, unless the delegate lacks the method.
    /// - Returns: whether the delegate has the method.
    func deliver(
        _ kind: TraceEvent.Kind, _ facts: [TraceEvent.Fact], _ call: () -> Void
    ) -> Bool {
        guard let recorder = daemon?.world.recorder else { return false }
        recorder.announce(kind, on: life.device, process: life.number, facts: facts)
        let isImplemented = implements(call)
        recorder.confirmAnnounced()
        return isImplemented
    }

    /// Whether the delegate has the method that `call` calls.
    func implements(_ call: () -> Void) -> Bool {
        lacksLastMethod = false
        call()
        return !lacksLastMethod
    }
}

/// What a developer should know of, and no callback says.
extension SessionEndpoint {
    /// A failure that the app has no code for.
    /// - Parameter what: `message`, `user info` or `file`.
    func recordUnobserved(_ what: String, _ number: Int, _ failure: SendFailure, because cause: String) {
        record(
            .unobservedFailure,
            [
                .init("what", .text(what)), .init("sequence", .number(number)), .init("error", .text(failure.code.name)),
                .init("reason", .text(failure.reason)), .init("because", .text(cause)),
            ])
    }

    /// Whether this device's session has a member that Apple's has on one side only. The first use on the other side is noted.
    func isMember(_ member: String, of side: Side) -> Bool {
        if life.device.isPhone == (side == .phone) { return true }
        if isKnownMisuse.insert(member).inserted {
            record(.misuse, [.init("member", .text(member)), .init("only", .text(side == .phone ? "iOS" : "watchOS"))])
        }
        return false
    }

    enum Side {
        case phone, watch
    }
}
