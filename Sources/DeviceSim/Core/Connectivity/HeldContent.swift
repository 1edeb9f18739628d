import LocalData
import WatchConnectivity

/// Something that a device's daemon or session holds: on its way to a counterpart, or come from there and not taken by the app.
package struct HeldContent: Sendable, Hashable {
    /// How it travels.
    package enum Channel: String, Sendable, CaseIterable {
        case context, message, reply, userInfo, file
    }

    /// How far it is.
    package enum Place: String, Sendable, CaseIterable {
        /// It has not left.
        case waiting
        case onLink = "on the link"
        /// It got stuck, and holds up what is behind it (P20).
        case stuck
        /// It has reached the other device, whose app was not given it (W84).
        case awaitsReceipt = "awaits receipt"
        /// A message whose sender waits for what comes of it.
        case awaitsAnswer = "awaits an answer"
        /// It has come, and the app was not given it.
        case arrived
        /// How it ended, which the app was not told yet.
        case ended
    }

    package let channel: Channel
    package let place: Place
    /// Its number among the sender's, as in the trace.
    package let number: Int
    /// The other device.
    package let counterpart: DeviceID
    /// The entries of a dictionary, or a file's name.
    package var names: [String]
    /// 0 where it is not known.
    package let byteCount: Int
    /// The entries of a dictionary, or of a file's metadata. Nobody is shown them who has not asked for values: who looks takes them out, or writes them out.
    package var values: [String: PropertyListValue] = [:]
    /// The entries as a scenario writes them, for those who asked.
    package var written: String?

    /// What it is, in one line: a file's name, the entries or their names.
    package var summary: String {
        let entries = channel == .file ? names.first ?? "" : written ?? names.joined(separator: " ")
        guard channel == .file, let written else { return entries }
        return "\(entries) with \(written)"
    }
}

extension HeldContent {
    init(_ channel: Channel, _ place: Place, _ number: Int, _ counterpart: DeviceID, _ payload: Payload?) {
        self.init(
            channel: channel, place: place, number: number, counterpart: counterpart, names: payload?.values.keys.sorted() ?? [],
            byteCount: payload?.byteCount ?? 0, values: payload?.values ?? [:])
    }

    init(_ transfer: Transfer, _ place: Place, _ counterpart: DeviceID) {
        switch transfer.content {
        case .userInfo(let payload, _): self.init(.userInfo, place, transfer.number, counterpart, payload)
        case .file(let file):
            self.init(
                channel: .file, place: place, number: transfer.number, counterpart: counterpart, names: [file.name],
                byteCount: file.data.count, values: file.metadata?.values ?? [:])
        }
    }
}

extension ConnectivityDaemon {
    /// All that it holds, by counterpart and channel, in the order in which it goes. Looking changes nothing.
    package var held: [HeldContent] {
        pairings.flatMap { pairing -> [HeldContent] in
            let other = pairing.counterpart
            var held: [HeldContent] = []
            if let update = pairing.contexts.outbox.inFlight {
                held.append(.init(.context, .onLink, update.sequence, other, update.payload))
            }
            if let update = pairing.contexts.outbox.waiting {
                held.append(.init(.context, .waiting, update.sequence, other, update.payload))
            }
            held += pairing.received.undelivered.map { .init(.context, .arrived, $0.sequence, other, $0.payload) }
            held += pairing.messages.onLink.map { .init($0.isReply ? .reply : .message, .onLink, $0.number, other, $0.payload) }
            guard let transfers = pairing.transfers else { return held }
            for channel in [transfers.userInfos, transfers.files] {
                held += channel.places.map { .init($0.transfer, $0.place, other) }
            }
            held += transfers.inbox.contents.map { .init($0, .arrived, other) }
            held += transfers.outcomes.all.map { .init($0.transfer, .ended, other) }
            return held
        }
    }
}

extension SessionEndpoint {
    /// The messages whose sender waits, and those that the app was not given. Looking changes nothing.
    package var heldMessages: [HeldContent] {
        let counterpart = pairing?.counterpart ?? (life.device.isPhone ? .watch : .phone)
        let sent = pending.keys.sorted().map { HeldContent(.message, .awaitsAnswer, $0, counterpart, nil) }
        return sent
            + undelivered.map {
                HeldContent(.message, .arrived, $0.envelope.sequence, $0.pairing?.counterpart ?? counterpart, $0.envelope.payload)
            }
    }

    /// What the session shows on this side, by Apple's names. Looking changes nothing, and leaves no trace.
    package var shown: [TraceEvent.Fact] {
        var facts: [TraceEvent.Fact] = [.init("activationState", .text(visibleActivation.lookName))]
        guard daemon != nil else { return facts }
        if life.device.isPhone {
            facts += [
                .init("isPaired", .flag(isPaired)), .init("isWatchAppInstalled", .flag(isWatchAppInstalled)),
                .init("isReachable", .flag(isReachable)), .init("isComplicationEnabled", .flag(isComplicationEnabled)),
            ]
            if isComplicationEnabled {
                facts.append(.init("remainingComplicationUserInfoTransfers", .number(remainingComplicationUserInfoTransfers)))
            }
        } else {
            facts += [
                .init("isCompanionAppInstalled", .flag(isCompanionAppInstalled)), .init("isReachable", .flag(isReachable)),
                .init("iOSDeviceNeedsUnlockAfterRebootForReachability", .flag(iOSDeviceNeedsUnlockAfterRebootForReachability)),
            ]
        }
        facts.append(.init("hasContentPending", .flag(hasContentPending)))
        facts.append(.init("applicationContext", .list(pairing?.contexts.outbox.current.keys.sorted() ?? [])))
        facts.append(.init("receivedApplicationContext", .list(pairing?.received.latest.keys.sorted() ?? [])))
        return facts
    }

    /// The values of the contexts, by the names that ``shown`` has for them.
    package var contexts: [(name: String, values: [String: PropertyListValue])] {
        [("applicationContext", pairing?.contexts.outbox.current ?? [:]), ("receivedApplicationContext", pairing?.received.latest ?? [:])]
    }
}

extension WCSessionActivationState {
    fileprivate var lookName: String {
        switch self {
        case .notActivated: "notActivated"
        case .inactive: "inactive"
        case .activated: "activated"
        @unknown default: "unknown"
        }
    }
}
