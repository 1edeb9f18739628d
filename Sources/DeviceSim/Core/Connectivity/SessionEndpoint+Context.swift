import LocalData
import WatchConnectivity

/// The application context.
extension SessionEndpoint {
    /// W10
    package var hasContentPending: Bool {
        guard liveDaemon(for: "hasContentPending") != nil, isReceiving, let pairing else { return false }
        return !pairing.received.undelivered.isEmpty || pairing.transfers?.inbox.hasContent == true
    }

    package var applicationContext: [String: Any] {
        guard liveDaemon(for: "applicationContext") != nil, isReceiving else { return [:] }
        return pairing?.contexts.outbox.current.received(by: integerBitWidth) ?? [:]
    }

    package var receivedApplicationContext: [String: Any] {
        guard liveDaemon(for: "receivedApplicationContext") != nil, isReceiving else { return [:] }
        return pairing?.received.latest.received(by: integerBitWidth) ?? [:]
    }

    /// W40–W42, W47–W51. Success means accepted, not delivered.
    package func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        guard let daemon = liveDaemon(for: "updateApplicationContext") else {
            throw WCError(.genericError, failureReason: "the app's process ended, or this thread is not its own")
        }
        if let code = conditions(daemon).refusal(for: .applicationContext) {
            record(.contextRefused, [.init("error", .text(code.name)), .init("code", .number(code.rawValue))])
            throw WCError(code)
        }
        let payload: Payload
        do {
            payload = try Payload(applicationContext, limit: daemon.world.knobs.contextLimit, integerBitWidth: integerBitWidth)
        } catch {
            record(.contextRefused, [.init("error", .text(error.code.name)), .init("code", .number(error.code.rawValue))] + error.facts)
            throw error.error
        }
        pairing?.contexts.update(payload, process: life.number)
    }

    func conditions(_ daemon: ConnectivityDaemon) -> SendConditions {
        var state = shownState(daemon)
        // W35: what the session shows is stale; what is true decides.
        if staleness.hidesReturn, !daemon.world.knobs.staleReachabilityRefuses { state.isReachable = daemon.sessionState.isReachable }
        return SendConditions(
            isSupported: daemon.isSupported,
            activation: visibleActivation,
            hasDelegate: session.delegate != nil,
            state: state,
            device: life.device
        )
    }

    /// Hands over `count` contexts that arrived, if the session is activated (W9, W44).
    func deliverContexts(_ count: Int) {
        guard isReceiving else { return }
        if keepsOrder { return deliverInOrder() }
        for _ in 0..<count {
            queue.async { [weak self] in self?.deliverContext() }
        }
    }

    private func deliverContext() {
        tellPending()
        handOverContext()
        tellPending()
    }

    func handOverContext() {
        guard isReceiving, let update = pairing?.received.takeNext() else { return }
        guard let delegate = session.delegate else { return recordMissingDelegate([update.number]) }
        _ = deliver(.contextDelivered, update.facts + sender(in: pairing)) {
            delegate.session(session, didReceiveApplicationContext: update.payload.dictionary(for: integerBitWidth))
        }
    }

    /// Who sent what is handed over, where that is not the first watch, or the phone.
    func sender(in pairing: Pairing?) -> [TraceEvent.Fact] {
        pairing?.counterpart == .watch2 ? [.init("from", .text(DeviceID.watch2.description))] : []
    }

    /// W8: what arrives for a delegate that was released goes nowhere.
    func recordMissingDelegate(_ facts: [TraceEvent.Fact]) {
        record(.sessionError, [.init("error", .text(WCError.Code.sessionMissingDelegate.name))] + facts)
    }
}
