import DeviceSimCore

/// Something happens to a watch on the wrist, or its app is let run in the background.
public enum WatchChange: Sendable, Hashable {
    /// The wrist is lowered.
    case wristDown
    /// The wrist is raised.
    case wristUp
    /// The Digital Crown is pressed: the app leaves the screen.
    case crown
    /// The palm covers the display.
    case covered
    /// The watch is taken off, and locks with wrist detection.
    case takenOff
    /// The watch is put on.
    case putOn
    /// How long the app stays frontmost once the wrist is lowered.
    case frontmostTime(VirtualDuration)
    /// Something begins that keeps the app running in the background.
    case starts(BackgroundSession)
    /// That ends.
    case ends(BackgroundSession)
    /// The complication on the face loads its data.
    case complicationLoads
    /// The system gives the app a task with which it refreshes itself.
    case refreshes
    /// Code of the app keeps the processor busy.
    case computes(VirtualDuration)
}

extension WatchChange {
    /// The lines that say what happens to a watch only.
    enum Forms {
        static let wristDown = form(
            "wrist down",
            "a person lowers the wrist: the screen goes off, or is dimmed, and the app stays frontmost for a while (W113)",
            .wristDown)
        static let wristUp = form("wrist up", "a person raises the wrist: the frontmost app is there again, else the watch face", .wristUp)
        static let crown = form("crown", "a person presses the crown: the watch face is there, and no app is frontmost (W115)", .crown)
        static let covered = form(
            "covered", "a person covers the display with the palm: the screen goes off, and no app is frontmost (W115)", .covered)
        static let takenOff = form(
            "taken off", "a person takes the watch off: with wrist detection and a passcode it locks itself (W126)", .takenOff)
        static let putOn = form("put on", "a person puts the watch on; one that has locked itself is to be unlocked", .putOn)
        static let frontmostTime = Form(
            .device, "WATCH stays frontmost for TIME",
            "how long an app stays frontmost once the wrist is lowered, as the app or a person chose; 2min otherwise (W113)",
            example: "watch stays frontmost for 1h"
        ) { match in match.time().flatMap { step(match, .frontmostTime($0)) } }
        static let complicationLoads = form(
            "complication loads", "the app's complication loads its data; the first time the app may send messages (W123)",
            .complicationLoads)
        static let refreshes = form(
            "refreshes in background", "the system gives the app a task with which it refreshes itself, and which it is to complete",
            .refreshes)
        static let computes = Form(
            .device, "WATCH computes for TIME", "code of the app keeps the processor busy, which counts in the background (W124)",
            example: "watch computes for 3s"
        ) { match in match.time().flatMap { step(match, .computes($0)) } }

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                wristDown, wristUp, crown, covered, takenOff, putOn, frontmostTime, complicationLoads, refreshes, computes,
            ] + BackgroundSession.allCases.flatMap { [starts($0), ends($0)] }

        static func starts(_ session: BackgroundSession) -> Form {
            form(
                "\(session) starts",
                "the app begins a session of that kind, with which it goes on in the background and stays reachable (W117)",
                .starts(session))
        }

        static func ends(_ session: BackgroundSession) -> Form { form("\(session) ends", "that session ends", .ends(session)) }

        private static func form(_ words: String, _ help: String, _ change: WatchChange) -> Form {
            Form(.device, "WATCH \(words)", help, example: "watch \(words)") { step($0, change) }
        }

        private static func step(_ match: Match, _ change: WatchChange) -> Meaning? {
            match.watch.map { .step(.device(DeviceStep($0, .watch(change)))) }
        }
    }

    /// The line that says it, but for the device. The compiler asks here for the form of a new change.
    var wording: Wording {
        switch self {
        case .wristDown: Forms.wristDown.filled()
        case .wristUp: Forms.wristUp.filled()
        case .crown: Forms.crown.filled()
        case .covered: Forms.covered.filled()
        case .takenOff: Forms.takenOff.filled()
        case .putOn: Forms.putOn.filled()
        case .frontmostTime(let time): Forms.frontmostTime.filled([.time: "\(time)"])
        case .starts(let session): Forms.starts(session).filled()
        case .ends(let session): Forms.ends(session).filled()
        case .complicationLoads: Forms.complicationLoads.filled()
        case .refreshes: Forms.refreshes.filled()
        case .computes(let time): Forms.computes.filled([.time: "\(time)"])
        }
    }
}
