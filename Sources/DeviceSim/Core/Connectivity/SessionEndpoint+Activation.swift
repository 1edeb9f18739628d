import WatchConnectivity

/// Activation, and the callbacks that tell of changes.
extension SessionEndpoint {
    /// W2–W5. A session whose process is suspended meanwhile is activated when it runs again.
    package func activate() {
        guard let daemon = liveDaemon(for: "activate"), activation == .none else { return }
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
        guard let daemon, activation == .underWay else { return }
        if let code = daemon.activationProblem {
            activation = .none
            record(.sessionError, [.init("error", .text(code.name)), .init("call", .text("activate"))])
            session.delegate?.session(session, activationDidCompleteWith: .notActivated, error: WCError(code))
            return
        }
        staleness = StaleReachability()
        if let old = earlierPairing(daemon) { return completeInactive(old, daemon) }
        activation = .done
        pairing = daemon.pairing
        announced = daemon.sessionState
        if life.device.isPhone, !announced.isCounterpartInstalled { daemon.onWatchMissing() }
        record(.activated)
        session.tellObservers(of: \.activationState)
        session.delegate?.session(session, activationDidCompleteWith: .activated, error: nil)
        tellPending()
        self.daemon?.sessionWasActivated(self)
    }

    /// W3: another watch's content waits, which the person wore before.
    private func earlierPairing(_ daemon: ConnectivityDaemon) -> Pairing? {
        guard daemon.world.knobs.activatesInactiveForOldContent else { return nil }
        return daemon.pairings.first { $0 !== daemon.pairing && $0.hasDeliveries }
    }

    /// W3: the session is with the earlier watch until the app has what that one sent; then it is deactivated.
    private func completeInactive(_ old: Pairing, _ daemon: ConnectivityDaemon) {
        activation = .inactive
        pairing = old
        announced = SessionState()
        record(.inactive, [.init("because", .text("content of \(old.counterpart) waits"))])
        session.tellObservers(of: \.activationState)
        session.delegate?.session(session, activationDidCompleteWith: .inactive, error: nil)
        tellPending()
        self.daemon?.deliverWaitingContent(to: self, of: old)
        deactivate()
    }

    // MARK: Another watch

    /// W12, W13: the person has put on another watch. From now on nothing is sent; what the old one sent still comes.
    func becomeInactive() {
        guard activation == .done else { return }
        activation = .inactive
        cancelMessages()
        queue.async { [weak self] in
            guard let self, activation == .inactive else { return }
            record(.inactive)
            session.tellObservers(of: \.activationState)
            lacksLastMethod = false
            session.delegate?.sessionDidBecomeInactive(session)
            if lacksLastMethod { hasOptedOut = true }
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
    var hasCancelledMessages: Bool { activation == .inactive && daemon?.world.knobs.switchCancelsMessages == true }

    /// W12: the old watch has nothing more to say. Once the app was given all of it, the session is dead until it is activated again (W14).
    func deactivate() {
        guard activation == .inactive else { return }
        queue.async { [weak self] in self?.completeDeactivation() }
    }

    private func completeDeactivation() {
        guard daemon != nil, activation == .inactive else { return }
        if pairing?.hasDeliveries == true { return deactivate() }
        activation = .none
        pairing = nil
        announced = SessionState()
        record(.deactivated)
        session.tellObservers(of: \.activationState)
        lacksLastMethod = false
        session.delegate?.sessionDidDeactivate(session)
        if lacksLastMethod { hasOptedOut = true }
        if hasOptedOut { daemon?.host?.appOptedOut() }
    }

    // MARK: Observers

    /// W125: to be called where `hasContentPending` may have changed, on the session's queue.
    func tellPending() {
        guard daemon != nil, life.isAlive, hasContentPending != announcedPending else { return }
        announcedPending.toggle()
        session.tellObservers(of: \.hasContentPending)
    }

    // MARK: Changes

    /// Enqueues the callbacks for a change of what an activated session shows.
    func stateChanged(from old: SessionState, to new: SessionState) {
        guard activation == .done, let daemon else { return }
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
        guard let daemon, activation == .done else { return }
        let state = shownState(daemon)
        guard evenIfKnown || state.callbacks(since: announced, on: life.device).contains(callback) else { return }
        switch callback {
        case .reachability:
            announced.isReachable = state.isReachable
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
            record(.watchStateChanged, facts)
            session.delegate?.sessionWatchStateDidChange(session)
        case .companionAppInstalled:
            announced.isCounterpartInstalled = state.isCounterpartInstalled
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
        lacksLastMethod = false
        call()
        recorder.confirmAnnounced()
        return !lacksLastMethod
    }
}
