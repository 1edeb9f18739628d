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
    private(set) weak var daemon: ConnectivityDaemon?
    /// Whom the activated session is with; `nil` before. Of a phone with two watches it is the one that was active then (W15).
    var pairing: Pairing?
    /// As the app last saw it, when it was activated or called back.
    var announced = SessionState()
    var activation = Activation.none
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
    /// Whether the delegate turned out to lack the method that was called last.
    var lacksLastMethod = false

    enum Activation {
        case none, underWay, done
        /// The phone hands over to another watch: what the old one sent still comes, nothing is sent (W13).
        case inactive
    }

    /// How many bits an `Int` of the device's apps has.
    var integerBitWidth: Int { daemon?.world.knobs.integerBitWidth(of: life.device) ?? Int.bitWidth }

    /// What `WCSession.default` is in this process.
    package private(set) lazy var session = WCSession(backend: self)

    init(daemon: ConnectivityDaemon, life: ProcessLife, executor: ProcessExecutor, enter: @escaping (() -> Void) -> Void) {
        self.daemon = daemon
        self.life = life
        queue = SimulatedQueue(scheduler: daemon.world.scheduler, executor: executor, life: life, enter: enter)
    }

    /// The process ended. Every handler that was not called is called now, as code that unwinds.
    func end() {
        daemon = nil
        activation = .none
        pairing = nil
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
            SystemShims.reportEscape(
                "WCSession.\(call) on a session of \(life.device) app #\(life.number), which a static property has kept", in: running)
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
    var isReceiving: Bool { activation == .done || activation == .inactive }

    /// W6: without an activated session nothing is known.
    private func state(for call: StaticString) -> SessionState {
        guard let daemon = liveDaemon(for: call), activation == .done else { return SessionState() }
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
        guard isMember("remainingComplicationUserInfoTransfers", of: .phone), activation == .done else { return 0 }
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
        return state.isCounterpartInstalled || activation == .done && daemon?.world.isDependentWatchApp == true && state.isPaired
    }
    package var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        isMember("iOSDeviceNeedsUnlockAfterRebootForReachability", of: .watch)
            && state(for: "iOSDeviceNeedsUnlockAfterRebootForReachability").phoneNeedsUnlock
    }
    package var isReachable: Bool { state(for: "isReachable").isReachable }
}
