import DeviceSimCore
import DeviceSimLanguage

/// What a kind of step needs of the situation to be made at all: without it the step is refused as impossible, or waits for ever.
///
/// A test makes each in each situation that this allows.
struct StepNeed: Sendable {
    var apps = Set(StepSituation.App.allCases)
    var locks = Set(StepSituation.Lock.allCases)
    var links = Set(StepSituation.Link.allCases)

    func isMet(in situation: StepSituation) -> Bool {
        apps.contains(situation.app) && locks.contains(situation.lock) && links.contains(situation.link)
    }

    private static let on: Set<StepSituation.Lock> = [.beforeFirstUnlock, .locked, .unlocked]
    private static let running: Set<StepSituation.App> = [.foreground, .background]
    private static let installed: Set<StepSituation.App> = [.notRunning, .foreground, .background, .suspended]

    private static let anywhere = StepNeed()
    private static let runningApp = StepNeed(apps: running)
    private static let process = StepNeed(apps: [.foreground, .background, .suspended])
    private static let device = StepNeed(locks: on)
    /// What is said of an app's code for later; one that is suspended cannot be told.
    private static let unsuspended = StepNeed(apps: [.notInstalled, .notRunning, .foreground, .background])

    static func of(_ proposal: StepProposal) -> StepNeed { of(proposal.kind, proposal.form.topic) }

    private static func of(_ kind: String, _ topic: Form.Topic) -> StepNeed {
        if let own = byKind[kind] { return own }
        return switch topic {
        case .data: runningApp
        case .session, .transfer: laterKinds.contains { kind.hasPrefix($0) } ? unsuspended : runningApp
        case .device:
            // What becomes of the wrist and of a watch's screen.
            wristKinds.contains(kind) ? device : anywhere
        // Its steps set preferences, which are not there before the first unlock.
        default:
            kind == "together"
                ? StepNeed(apps: running, locks: [.locked, .unlocked]) : kind.hasPrefix("DEVICE is lied to") ? lie : anywhere
        }
    }

    /// The counterpart must have sent something, and it must get through.
    private static let lie = StepNeed(apps: [.foreground], locks: [.unlocked], links: [.up])

    private static let laterKinds = [
        "DEVICE replies", "DEVICE never", "DEVICE app", "DEVICE keeps", "DEVICE reads", "DEVICE ignores", "DEVICE completes",
        "DEVICE crashes while",
    ]

    private static let wristKinds: Set<String> = [
        "WATCH wrist down", "WATCH wrist up", "WATCH crown", "WATCH covered", "WATCH taken off", "WATCH put on",
        "WATCH stays frontmost for TIME", "DEVICE lock", "DEVICE unlock", "DEVICE restore from BACKUP [onto new hardware]",
    ]

    private static let byKind: [String: StepNeed] = {
        var needs: [String: StepNeed] = [
            "DEVICE plant KEY VALUE": StepNeed(apps: unsuspended.apps, locks: on), "DEVICE copy KEY over KEY": StepNeed(apps: installed),
            "DEVICE app does STRING [with VALUE]": runningApp,
            // A file of the app is protected until the first unlock.
            "DEVICE write file STRING VALUE": StepNeed(apps: running, locks: [.locked, .unlocked]),
            "DEVICE purge caches": StepNeed(apps: [.notInstalled, .notRunning]),
            "devices pair [from backup]": StepNeed(locks: on, links: [.unpaired]), "devices unpair": device, "watch2 unpair": device,
            "phone switches to WATCH": StepNeed(locks: on, links: [.up, .down]),
            "DEVICE install": device, "DEVICE uninstall": StepNeed(apps: installed, locks: on),
            "DEVICE update to VERSION": StepNeed(apps: installed, locks: on), "DEVICE power loss": device,
            "DEVICE passcode set": device, "DEVICE passcode removed": StepNeed(locks: [.unlocked]), "DEVICE biometry BIOMETRY": device,
            "DEVICE foreground": StepNeed(apps: [.foreground, .background, .suspended], locks: [.unlocked]),
            "DEVICE background": runningApp, "DEVICE resume": StepNeed(apps: [.suspended]),
            "DEVICE widget resume": StepNeed(apps: [.suspended]),
            "DEVICE launch [in background]": StepNeed(apps: [.notRunning], locks: on),
            "DEVICE prewarm": StepNeed(apps: [.notRunning], locks: on),
            "DEVICE widget launch": StepNeed(apps: [.notRunning], locks: on),
            "DEVICE relaunch [in background]": StepNeed(apps: installed, locks: [.unlocked]),
            "DEVICE backup as NAME [encrypted]": StepNeed(locks: [.locked, .unlocked]),
            "WATCH complication loads": StepNeed(apps: [.foreground], locks: [.unlocked], links: [.up, .down]),
        ]
        for kind in ["complication on", "smart stack on", "refreshes in background"] {
            needs["WATCH \(kind)"] = StepNeed(apps: installed, locks: on)
        }
        for session in BackgroundSession.allCases {
            needs["WATCH \(session.rawValue) starts"] = runningApp
            needs["WATCH \(session.rawValue) ends"] = StepNeed(apps: running, locks: [.locked, .unlocked])
        }
        needs["WATCH computes for TIME"] = runningApp
        for kind in [
            "suspend", "terminate", "swipe away", "crash", "locks file STRING",
            "unlocks file STRING", "widget suspend", "widget terminate", "widget crash", "widget locks file STRING",
            "widget unlocks file STRING",
        ] {
            needs["DEVICE \(kind)"] = process
        }
        return needs
    }()
}
