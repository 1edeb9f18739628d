import DeviceSimCore

/// What one app handed to its session and the other got, or did not: the lines about it on both sides, as indices.
package struct Exchange: Sendable {
    package enum Channel: String, Sendable, Hashable, CaseIterable {
        case context, message, userInfo, file
    }

    package let channel: Channel
    package let sender: DeviceID
    /// The session took it.
    package private(set) var sent: Int?
    /// It went onto the link; only simulations say so, as of the arrival.
    private(set) var departures: [Int] = []
    private(set) var arrivals: [Int] = []
    /// The receiving app was given it.
    package private(set) var deliveries: [Int] = []
    /// The receiving app answered.
    package private(set) var replies: [Int] = []
    /// The sending app was told how it ended, or took it back: the reply, the error, `didFinish`.
    package private(set) var endings: [Int] = []
    /// Whether the lines surely belong together: no other of that identity was sent.
    package private(set) var isCertain = true

    /// All lines about it.
    var lines: [Int] { (sent.map { [$0] } ?? []) + departures + arrivals + deliveries + replies + endings }

    private enum Side: Hashable {
        case sequence(Int)
        case digest(String)
    }

    private struct Identity: Hashable {
        let channel: Channel
        let sender: DeviceID
        /// Of several watches, the one that a context of the phone's is for: of each the phone counts them from 1. `nil` where no line tells.
        var receiver: DeviceID?
        let side: Side
    }

    /// All exchanges that the events tell of.
    static func all(in events: [ObservedEvent], watches: Set<DeviceID>) -> [Exchange] {
        var exchanges: [Exchange] = []
        var bySequence: [Identity: Int] = [:]
        var byDigest: [Identity: [Int]] = [:]
        var uses: [Identity: Int] = [:]
        // Of several watches it is not known whose contexts the phone's lines are about: each watch has a count of its own.
        let isPair = watches.count < 2
        let worn = isPair ? [:] : Self.wornWatches(events)
        // What was sent first, since a log of the receiver may stand before that of the sender.
        let lines = events.indices.compactMap { index in events[index].exchangeRole.map { (index, $0.0, $0.1) } }
        for (index, channel, role) in lines.filter(\.2.isSenders) + lines.filter({ !$0.2.isSenders }) {
            let event = events[index]
            guard let device = event.device else { continue }
            guard let sender = role.isSenders ? device : device.isPhone ? (isPair ? watches.first ?? .watch : nil) : .phone else {
                continue
            }
            if let sequence = event.sequence {
                let isForOneWatch = !isPair && channel == .context && sender == .phone
                let receiver = isForOneWatch ? role.isSenders ? worn[index] : device : nil
                let identity = Identity(channel: channel, sender: sender, receiver: receiver, side: .sequence(sequence))
                if bySequence[identity] == nil {
                    bySequence[identity] = exchanges.count
                    exchanges.append(Exchange(channel: channel, sender: sender))
                    if let digest = event.digest, role.isSenders {
                        byDigest[Identity(channel: channel, sender: sender, side: .digest(digest)), default: []].append(exchanges.count - 1)
                    }
                }
                if let number = bySequence[identity] { exchanges[number].add(index, role) }
            } else if let digest = role == .reply ? event.text("to") : event.digest {
                let identity = Identity(channel: channel, sender: sender, side: .digest(digest))
                let known = byDigest[identity] ?? []
                let use = role == .delivery ? uses[identity, default: 0] : max(0, uses[identity, default: 0] - 1)
                if role == .delivery { uses[identity, default: 0] += 1 }
                if use < known.count {
                    exchanges[known[use]].add(index, role)
                } else {
                    byDigest[identity, default: []].append(exchanges.count)
                    exchanges.append(Exchange(channel: channel, sender: sender))
                    exchanges[exchanges.count - 1].add(index, role)
                }
            }
        }
        for numbers in byDigest.values where numbers.count > 1 {
            for number in numbers { exchanges[number].isCertain = false }
        }
        return exchanges
    }

    /// Which watch the phone speaks to at each of its lines, as far as its log says when the person changed watches.
    private static func wornWatches(_ events: [ObservedEvent]) -> [Int: DeviceID] {
        let telling = Set(events.filter { $0.kind == .switchWatch }.map(\.place.file))
        var worn: [Int: DeviceID] = [:]
        var latest = DeviceID.watch
        for (index, event) in events.enumerated() where telling.contains(event.place.file) {
            if event.kind == .switchWatch, let watch = DeviceID.all.first(where: { $0.description == event.text("to") }) { latest = watch }
            if event.device == .phone { worn[index] = latest }
        }
        return worn
    }

    private mutating func add(_ index: Int, _ role: Role) {
        switch role {
        case .sent:
            if sent != nil { isCertain = false }
            sent = sent ?? index
        case .departure: departures.append(index)
        case .arrival: arrivals.append(index)
        case .delivery: deliveries.append(index)
        case .reply: replies.append(index)
        case .ending: endings.append(index)
        }
    }

    enum Role {
        case sent, departure, arrival, delivery, reply, ending

        var isSenders: Bool {
            switch self {
            case .sent, .departure, .ending: true
            case .arrival, .delivery, .reply: false
            }
        }
    }

    private init(channel: Channel, sender: DeviceID) {
        self.channel = channel
        self.sender = sender
    }
}

extension ObservedEvent {
    /// What a line says of an exchange.
    var exchangeRole: (Exchange.Channel, Exchange.Role)? {
        switch kind {
        case .contextUpdated: (.context, .sent)
        case .contextSent: (.context, .departure)
        case .contextArrived: (.context, .arrival)
        case .contextDelivered: (.context, .delivery)
        case .messageSent: (.message, .sent)
        case .messageArrived: (.message, .arrival)
        case .messageDelivered: (.message, .delivery)
        case .messageReplied: (.message, .reply)
        case .messageReplyDelivered, .messageFailed: (.message, .ending)
        case .userInfoQueued: (.userInfo, .sent)
        case .userInfoSent: (.userInfo, .departure)
        case .userInfoArrived: (.userInfo, .arrival)
        case .userInfoDelivered: (.userInfo, .delivery)
        case .userInfoFinished, .userInfoFailed, .userInfoCancelled: (.userInfo, .ending)
        case .fileQueued: (.file, .sent)
        case .fileSent: (.file, .departure)
        case .fileArrived: (.file, .arrival)
        case .fileDelivered: (.file, .delivery)
        case .fileFinished, .fileFailed, .fileCancelled: (.file, .ending)
        default: nil
        }
    }
}
