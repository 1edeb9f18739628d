import WatchConnectivity

/// Transfers in the background: what a daemon does for those of its own app, and for those that arrive.
extension ConnectivityDaemon {
    /// The number of the next transfer of that kind.
    func nextNumber(of kind: TransferChannelKind) -> Int {
        switch kind {
        case .userInfo:
            userInfoCount += 1
            return userInfoCount
        case .file:
            fileCount += 1
            return fileCount
        }
    }

    /// Takes a transfer from the app's process of number `process`.
    func add(_ content: TransferContent, number: Int, process: Int) {
        guard let transfers = transfers() else { return }
        var isUrgent = false
        if case .userInfo(_, true) = content { isUrgent = true }
        world.recorder.record(
            content.channel.queued, on: device, process: process, facts: Transfer(number: number, content: content).facts)
        transfers.channel(content.channel).add(content, number: number, isCurrent: isUrgent)
    }

    /// W86
    func cancel(_ number: Int, of kind: TransferChannelKind, process: Int) {
        for pairing in pairings {
            guard let transfer = pairing.transfers?.channel(kind).cancel(number) else { continue }
            world.recorder.record(kind.cancelled, on: device, process: process, facts: [transfer.numberFact])
            guard world.knobs.finishAfterCancel else { return }
            let failure = SendFailure(code: .genericError, reason: "the app cancelled the transfer")
            return report(TransferOutcome(transfer: transfer, failure: failure), in: pairing)
        }
    }

    /// A transfer has come over the link.
    /// - Returns: why it cannot be taken.
    func transferArrived(_ transfer: Transfer) -> SendFailure? {
        guard let pairing, let transfers = transfers() else {
            return SendFailure(code: .deliveryFailed, reason: "the receiver knows no such device")
        }
        var reason = WakeReason.userInfo
        switch transfer.content {
        case .userInfo(_, let isUrgent): reason = isUrgent ? .complication : .userInfo
        case .file(let file):
            reason = .file
            do throws(SendFailure) {
                _ = try host?.files?.place(received: file.data, name: file.name, folder: pairing.folder(of: transfer))
            } catch {
                return error
            }
        }
        world.recorder.record(
            transfer.content.channel.arrived, on: device, process: nil,
            facts: [transfer.numberFact] + (reason == .complication ? [.init("complication", .flag(true))] : []))
        var arrived = transfer
        arrived.arrival = pairing.nextArrival()
        transfers.inbox.arrive(arrived)
        contentArrived(for: reason)
        endpoint?.deliverTransfers()
        return nil
    }

    /// A transfer of this device has arrived, or failed for good. The app is told, at its next launch if it does not run (W83).
    func transferEnded(_ outcome: TransferOutcome) {
        if let pairing { report(outcome, in: pairing) }
    }

    private func report(_ outcome: TransferOutcome, in pairing: Pairing) {
        pairing.transfers(of: self)?.outcomes.append(outcome)
        endpoint?.deliverOutcomes()
    }

    /// How a transfer failed that the app was not told of yet; `nil` if it did not.
    package func untoldFailure(of number: Int, _ kind: TransferChannelKind) -> (any Error)? {
        pairings.lazy.compactMap { pairing in
            pairing.transfers?.outcomes.all.first { $0.transfer.number == number && $0.transfer.content.channel == kind }?.failure?.error
        }.first
    }

    /// Launches the app for what arrived, if the system does that (W96, W110, W111, W144, W151). The watch's app then gets a refresh task.
    func contentArrived(for reason: WakeReason) {
        guard let host, world.knobs.wakesBeforeFirstUnlock || host.state.lockState != .beforeFirstUnlock else { return }
        guard device.isPhone ? world.knobs.wakesPhone(for: reason) : world.knobs.wakesWatch(for: reason), spendWake(on: host) else {
            return
        }
        host.wakeApp(for: reason)
    }

    /// The process ended while a receive callback may have been running (W87).
    func interruptDelivery(in pairing: Pairing) {
        guard let dropped = pairing.transfers?.inbox.interrupt(redelivers: world.knobs.redeliversAfterCrash) else { return }
        tellSender(ofReceiptOf: dropped, in: pairing)
        if case .file = dropped.content { host?.files?.removeReceivedFile(folder: pairing.folder(of: dropped)) }
    }

    /// The app was given a transfer. Only where that ends it does the sender get to know (W84).
    func tellSender(ofReceiptOf transfer: Transfer, in pairing: Pairing) {
        // What nobody sent has no number.
        guard world.knobs.transferEndsWithReceipt, transfer.number > 0 else { return }
        pairing.peer?.pairing(with: device)?.transfers?.channel(transfer.content.channel).wasReceived(transfer.number)
    }

    /// What got stuck between this device and its counterparts goes on, either way (P20).
    func freeStuckTransfers() {
        for pairing in pairings {
            pairing.transfers?.free()
            pairing.peer?.pairing(with: device)?.transfers?.free()
        }
    }

    // MARK: Complications

    /// W95: how many urgent transfers are left today.
    var remainingComplicationTransfers: Int {
        guard let host, sessionState.isComplicationEnabled else { return 0 }
        return (pairing?.transfers?.budget ?? DailyBudget()).remaining(of: world.knobs.complicationBudget, on: today(on: host))
    }

    /// Takes one from the day's budget.
    /// - Returns: whether one was left.
    func spendComplicationTransfer() -> Bool {
        guard let host, sessionState.isComplicationEnabled else { return false }
        return transfers()?.budget.spend(of: world.knobs.complicationBudget, on: today(on: host)) ?? false
    }

    private func today(on host: any ConnectivityHost) -> Int {
        DailyBudget.day(at: host.wallClock, reset: world.knobs.complicationReset)
    }
}

extension Knobs {
    /// W111
    fileprivate func wakesPhone(for reason: WakeReason) -> Bool {
        switch reason {
        case .context: wakesPhoneForTransfers || wakesPhoneForContexts
        case .userInfo, .complication: wakesPhoneForTransfers || wakesPhoneForUserInfos
        case .file: wakesPhoneForTransfers || wakesPhoneForFiles
        case .message, .complicationLoad, .refresh: true
        }
    }

    /// W96, W110
    fileprivate func wakesWatch(for reason: WakeReason) -> Bool {
        reason == .complication ? wakesWatchForComplications : wakesWatchForTransfers
    }
}
