import DeviceSimCore

/// Something happens between the devices.
public enum LinkStep: Sendable, Hashable {
    /// The devices are in range of each other.
    case up
    /// The devices are out of range of each other.
    case down
    /// One way, from now on.
    case latency(VirtualDuration)
    /// The watch is paired with the phone.
    case pair
    /// The watch is unpaired.
    case unpair
    /// Pairs the watch and restores what was backed up of it when it was unpaired.
    case pairFromBackup
    /// The phone's second watch.
    case pairSecondWatch
    /// The phone's second watch is unpaired.
    case unpairSecondWatch
    /// A person puts on another one of the phone's watches (W12).
    case switchWatch(to: DeviceID)
}

/// Time passes, or is noted.
public enum TimeStep: Sendable, Hashable {
    /// Lets so much time pass.
    case wait(VirtualDuration)
    /// Lets time pass until this long after the first step began. In the past: a failure of the step.
    case at(VirtualDuration)
    /// Lets time pass until nothing is left to happen, for at most `limit` (`nil`: the simulation's own limit).
    case settle(limit: VirtualDuration?)
    /// Notes the present place in the trace, for expectations `since` it.
    case mark(String)
}

extension LinkStep {
    /// The lines that say what happens between the devices.
    enum Forms {
        static let up = Form(.link, "link up", "the devices are in range of each other", example: "link up") { _ in .step(.link(.up)) }
        static let down = Form(.link, "link down", "the devices are out of range of each other", example: "link down") { _ in
            .step(.link(.down))
        }
        static let latency = Form(
            .link, "link latency TIME", "what anything takes from one device to the other, from now on", example: "link latency 2s"
        ) {
            match in
            match.time().map { .step(.link(.latency($0))) }
        }
        static let pair = Form(
            .link, "devices pair [from backup]",
            "pairs the watch with the phone; one that was unpaired begins anew, with the app installed and not running, or with what the backup holds (W27)",
            example: "devices pair from backup"
        ) { match in .step(.link(match.has("backup") ? .pairFromBackup : .pair)) }
        static let unpair = Form(
            .link, "devices unpair",
            "ends the pairing, which erases the watch (W26), also after a restore onto new hardware has ended it; where there is a second watch, that becomes the active one",
            example: "devices unpair"
        ) { _ in .step(.link(.unpair)) }
        static let pairSecondWatch = Form(.link, "watch2 pair", "pairs the second watch with the phone", example: "watch2 pair") { match in
            secondWatch(match, .pairSecondWatch)
        }
        static let unpairSecondWatch = Form(.link, "watch2 unpair", "ends the pairing with the second watch", example: "watch2 unpair") {
            match in
            secondWatch(match, .unpairSecondWatch)
        }
        static let switchWatch = Form(
            .link, "phone switches to WATCH",
            "a person puts on another watch: the phone's session becomes inactive, is deactivated, and is to be activated again (W12, W14)",
            example: "phone switches to watch"
        ) { match in match.watch.map { .step(.link(.switchWatch(to: $0))) } }

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                up, down, latency, pair, unpair, pairSecondWatch, unpairSecondWatch, switchWatch,
            ]

        private static func secondWatch(_ match: Match, _ step: LinkStep) -> Meaning? {
            guard match.context.devices.contains(.watch2) else {
                match.diagnose(match.range, "there is no second watch here", hint: "write `start second watch` before the first step")
                return nil
            }
            return .step(.link(step))
        }
    }

    /// The line that says it. The compiler asks here for the form of a new step.
    var wording: Wording {
        switch self {
        case .up: Forms.up.filled()
        case .down: Forms.down.filled()
        case .latency(let latency): Forms.latency.filled([.time: "\(latency)"])
        case .pair: Forms.pair.filled()
        case .unpair: Forms.unpair.filled()
        case .pairFromBackup: Forms.pair.filled([:], "backup")
        case .pairSecondWatch: Forms.pairSecondWatch.filled()
        case .unpairSecondWatch: Forms.unpairSecondWatch.filled()
        case .switchWatch(let watch): Forms.switchWatch.filled([.watch: "\(watch)"])
        }
    }
}

extension TimeStep {
    /// The lines that let time pass, and the head of a block of steps at one instant.
    enum Forms {
        static let wait = Form(.time, "wait TIME", "lets time pass", example: "wait 5s") { match in
            match.time().map { .step(.time(.wait($0))) }
        }
        static let at = Form(.time, "at TIME", "lets time pass until so long after the first step began", example: "at 10s") { match in
            match.time().map { .step(.time(.at($0))) }
        }
        static let settle = Form(
            .time, "settle [within TIME]", "lets time pass until nothing is left to happen; a failure if that takes longer",
            example: "settle within 1min"
        ) { match in .step(.time(.settle(limit: match.time()))) }
        static let mark = Form(.time, "mark NAME", "notes this moment, for expectations `since` it", example: "mark unlocked") { match in
            match.newName(of: "mark", in: \.marks).map { .step(.time(.mark($0))) }
        }
        static let together = Form(
            .time, "together", "the steps of its block are started at once and awaited together", example: "together"
        ) { _ in .together }

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                wait, at, settle, mark, together,
            ]

    }

    /// The line that says it. The compiler asks here for the form of a new step.
    var wording: Wording {
        switch self {
        case .wait(let time): Forms.wait.filled([.time: "\(time)"])
        case .at(let time): Forms.at.filled([.time: "\(time)"])
        case .settle(let limit): Forms.settle.filled([.time: limit.map { "\($0)" }])
        case .mark(let name): Forms.mark.filled([.name: name])
        }
    }
}
