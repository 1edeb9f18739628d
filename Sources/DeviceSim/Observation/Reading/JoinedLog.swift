import DeviceSimCore

/// All logs as one: in an order in which nothing is got before it was sent, with times by the phone's clock.
package struct JoinedLog: Sendable {
    package let logs: [ObservedLog]
    package let events: [ObservedEvent]
    /// By the clock of the first log, for each event.
    package let times: [Int64]
    package let exchanges: [Exchange]
    /// The devices that the logs have lines of, the phone first.
    package let devices: [DeviceID]
    /// Which exchange an event is about, by its number.
    private let exchangeNumbers: [Int: Int]
    /// How far the clock of each log is ahead of the first one's.
    package let clocks: [ClockOffset]

    /// - Parameter logs: Each with its own number.
    package init(_ logs: [ObservedLog]) {
        self.logs = logs
        let all = logs.flatMap(\.events)
        let watches = Set(all.compactMap(\.device).filter { !$0.isPhone })
        let clocks = ClockOffset.all(of: logs, events: all, exchanges: Exchange.all(in: all, watches: watches))
        let order = Self.order(of: all, logs: logs.count, clocks: clocks, watches: watches)
        events = order.map { all[$0] }
        let seen = Set(all.compactMap(\.device))
        devices = DeviceID.all.filter(seen.contains)
        times = events.map { $0.time - clocks[$0.place.file].microseconds }
        let exchanges = Exchange.all(in: events, watches: watches)
        self.exchanges = exchanges
        exchangeNumbers = Dictionary(
            exchanges.enumerated().flatMap { number, exchange in exchange.lines.map { ($0, number) } },
            uniquingKeysWith: { first, _ in first })
        self.clocks = clocks
    }

    /// Two logs that both say that they are of one device, and cannot be: they tell of the same time, or name two models of a watch.
    package static func clash(of logs: [ObservedLog]) -> LogClash? {
        for (number, one) in logs.enumerated() {
            for other in logs[..<number] {
                for device in DeviceID.all {
                    let lines = [other, one].map { log in log.events.filter { $0.device == device } }
                    guard let first = lines[0].first?.time, let last = lines[0].last?.time, let begin = lines[1].first?.time,
                        let end = lines[1].last?.time
                    else { continue }
                    let models = [other, one].map { log in Set(log.headers.filter { $0.device == device }.compactMap(\.model)) }
                    let areOfTwo = !device.isPhone && !models[0].isEmpty && !models[1].isEmpty && models[0].isDisjoint(with: models[1])
                    guard first < end && begin < last || areOfTwo else { continue }
                    return LogClash(first: other.name, second: one.name, device: device)
                }
            }
        }
        return nil
    }

    /// Which exchange the event is about.
    func exchangeNumber(of index: Int) -> Int? { exchangeNumbers[index] }

    /// The exchange that the event is about.
    func exchange(of index: Int) -> Exchange? { exchangeNumbers[index].map { exchanges[$0] } }

    /// Whether the lines of two events were stamped by one clock.
    func haveOneClock(_ one: Int, _ other: Int) -> Bool { events[one].place.file == events[other].place.file }

    /// `watch.log:12`
    package func name(of place: LogPlace) -> String { "\(logs[place.file].name):\(place.line)" }

    /// Each log keeps its own order. Among them the earlier line is first, but nothing that was got comes before it was sent.
    private static func order(of events: [ObservedEvent], logs: Int, clocks: [ClockOffset], watches: Set<DeviceID>) -> [Int] {
        guard logs > 1 else { return Array(events.indices) }
        var cause: [Int: Int] = [:]
        for exchange in Exchange.all(in: events, watches: watches) where exchange.isCertain {
            if let sent = exchange.sent {
                for index in exchange.arrivals + exchange.deliveries where events[index].place.file != events[sent].place.file {
                    cause[index] = sent
                }
            }
            guard let reply = exchange.replies.first else { continue }
            for index in exchange.endings where events[index].kind == .messageReplyDelivered {
                if events[index].place.file != events[reply].place.file { cause[index] = reply }
            }
        }
        var queues = (0..<logs).map { file in events.indices.filter { events[$0].place.file == file }[...] }
        var isDone = [Bool](repeating: false, count: events.count)
        var order: [Int] = []
        while order.count < events.count {
            var best: (free: Bool, time: Int64, file: Int)?
            for file in queues.indices {
                guard let head = queues[file].first else { continue }
                let isFree = cause[head].map { isDone[$0] } ?? true
                let time = events[head].time - clocks[file].microseconds
                // Where damage has made a circle, time decides.
                guard let known = best else {
                    best = (isFree, time, file)
                    continue
                }
                if (isFree ? 0 : 1, time) < (known.free ? 0 : 1, known.time) { best = (isFree, time, file) }
            }
            guard let file = best?.file, let index = queues[file].popFirst() else { break }
            isDone[index] = true
            order.append(index)
        }
        return order
    }
}

/// Two logs that are not of one device, and say so.
package struct LogClash: Sendable, Hashable {
    package let first: String
    package let second: String
    package let device: DeviceID
}

/// How far the clock of a log is ahead of that of the first log with the phone in it.
package struct ClockOffset: Sendable, Hashable {
    package let microseconds: Int64
    /// How it is known.
    package let basis: Basis

    package enum Basis: Sendable, Hashable {
        /// It is the clock that the others are held against, or of the same device.
        case same
        /// What went both ways bounds it from both sides: at most half of this many microseconds off.
        case bothWays(uncertainty: Int64)
        /// What went one way bounds it from one side; the link is taken to be as fast as by default.
        case oneWay
        /// Nothing that was exchanged is in both logs: the first lines are taken to be simultaneous.
        case guessed
        /// What was got would have come before it was sent: a clock was set meanwhile, or runs faster than the other.
        case unsteady
    }

    static func all(of logs: [ObservedLog], events: [ObservedEvent], exchanges: [Exchange]) -> [ClockOffset] {
        guard let reference = logs.firstIndex(where: { $0.events.contains { $0.device == .phone } }) ?? logs.indices.first else {
            return []
        }
        let devices = logs.map { Set($0.events.compactMap(\.device)) }
        return logs.indices.map { file in
            if file == reference || devices[file] == devices[reference] { return ClockOffset(microseconds: 0, basis: .same) }
            return offset(of: file, against: reference, logs: logs, events: events, exchanges: exchanges)
        }
    }

    private static func offset(
        of file: Int, against reference: Int, logs: [ObservedLog], events: [ObservedEvent], exchanges: [Exchange]
    ) -> ClockOffset {
        var most: Int64?
        var least: Int64?
        func learn(sent: Int, got: Int) {
            let (one, other) = (events[sent], events[got])
            if one.place.file == reference, other.place.file == file {
                most = min(most ?? .max, other.time - one.time)
            } else if one.place.file == file, other.place.file == reference {
                least = max(least ?? .min, one.time - other.time)
            }
        }
        for exchange in exchanges where exchange.isCertain {
            if let sent = exchange.sent, let got = (exchange.arrivals + exchange.deliveries).first { learn(sent: sent, got: got) }
            if let reply = exchange.replies.first, let told = exchange.endings.first(where: { events[$0].kind == .messageReplyDelivered }) {
                learn(sent: reply, got: told)
            }
        }
        let usual = Knobs().linkLatency.microseconds
        switch (least, most) {
        case (let least?, let most?) where least <= most:
            return ClockOffset(microseconds: least + (most - least) / 2, basis: .bothWays(uncertainty: most - least))
        case (let least?, let most?): return ClockOffset(microseconds: most + (least - most) / 2, basis: .unsteady)
        case (nil, let most?): return ClockOffset(microseconds: most - usual, basis: .oneWay)
        case (let least?, nil): return ClockOffset(microseconds: least + usual, basis: .oneWay)
        case (nil, nil):
            let begins = (logs[file].events.first?.time ?? 0) - (logs[reference].events.first?.time ?? 0)
            return ClockOffset(microseconds: begins, basis: .guessed)
        }
    }
}
