import DeviceSimCore

/// Something happens to a device or to the app on it.
public struct DeviceStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What happens to it.
    public let action: Action
    /// Anything but success is possible only where ``Action/runsApp`` is true.
    public let outcome: StepOutcome

    /// A step that happens to a device.
    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    /// What can happen to a device.
    public enum Action: Sendable, Hashable {
        // The app
        /// The app is installed.
        case install
        /// The app is removed with its containers; keychain items stay.
        case uninstall
        /// A person opens the app.
        case launch
        /// The system starts the app in the background.
        case launchInBackground
        /// The system starts the process before anybody opens the app.
        case prewarm
        /// A person brings the running app to the screen.
        case foreground
        /// The app leaves the screen.
        case background
        /// The system stops running the app's code and keeps its memory.
        case suspend
        /// A suspended app runs again, in the background.
        case resume
        /// The system or a person ends the app.
        case terminate
        /// A person swipes the app out of the list of apps.
        case swipeAway
        /// The app crashes.
        case crash
        /// Terminate, if it runs, and launch: in the foreground, or by the system.
        case relaunch(inBackground: Bool)
        /// The app is replaced by another version.
        case update(to: AppVersion)
        /// Somebody uses the app under test; `null` is no value.
        case perform(String, with: ScenarioValue)

        // The app's widget extension
        /// Something happens to the app's widget.
        case widget(WidgetChange)

        /// A part of the app takes a lock on a file of an App Group, `group.com.example/db.sqlite`, and keeps it.
        case lockFile(AppPart, String)
        /// A part of the app gives such a lock back.
        case unlockFile(AppPart, String)

        // The device
        /// The device is switched on.
        case powerOn
        /// The device is switched off in good order.
        case powerOff
        /// The battery is pulled: what was not synchronized may be lost.
        case powerLoss
        /// The device is switched off and on.
        case reboot
        /// The screen is locked.
        case lock
        /// The screen is unlocked.
        case unlock
        /// A passcode is set.
        case setPasscode
        /// The passcode is removed, and with it what needs one.
        case removePasscode
        /// Faces or fingers are enrolled, changed or removed.
        case biometry(Biometry.Change)
        /// By how much the wall clock is ahead of true time; negative is behind.
        case setClock(ahead: VirtualDuration)
        /// How many bytes are free; `nil` is as many as anybody wants.
        case setFreeSpace(Int?)
        /// The system removes what lies in the caches.
        case purgeCaches
        /// Keeps a backup under a name.
        case backup(name: String, encrypted: Bool)
        /// The device gets what a backup of that name holds, as itself or as another device.
        case restore(name: String, ontoNewHardware: Bool)
        /// Puts the app's complication on the active face of a watch, or takes it away.
        case complication(Bool)
        /// What happens to a watch only.
        case watch(WatchChange)
        /// Puts the app's widget into the Smart Stack of a watch, or takes it out.
        case smartStack(Bool)

        // What is beyond the device
        /// Requests of the app for URLs that begin so are answered with that: a text, bytes, or what JSON says of another value.
        case networkAnswers(String, with: ScenarioValue, status: Int)
        /// No request of the app is answered any more.
        case networkIsDown
    }

    /// The former name.
    @available(*, deprecated, renamed: "Biometry.Change")
    public typealias BiometryChange = Biometry.Change

    /// What can happen to a widget's process.
    public enum WidgetChange: String, Sendable, Hashable, CaseIterable {
        /// It is started, is suspended or runs again, is ended by the system, or crashes.
        case launch, suspend, resume, terminate, crash
    }
}

extension DeviceStep.Action {
    /// Whether the step waits for code of the app, so that a crash at one of its storage operations can be asked for.
    public var runsApp: Bool {
        switch self {
        case .launch, .launchInBackground, .foreground, .background, .relaunch, .perform: true
        case .install, .uninstall, .prewarm, .suspend, .resume, .terminate, .swipeAway, .crash, .update, .widget, .lockFile, .unlockFile,
            .powerOn, .powerOff, .powerLoss, .reboot, .lock, .unlock, .setPasscode, .removePasscode, .biometry, .setClock, .setFreeSpace,
            .purgeCaches, .backup, .restore, .complication, .watch, .smartStack, .networkAnswers, .networkIsDown:
            false
        }
    }
}

extension DeviceStep {
    /// The lines that say what happens to a device.
    enum Forms {
        static let install = device("DEVICE install", "installs the app", example: "watch install", .install)
        static let uninstall = device(
            "DEVICE uninstall", "removes the app and its containers; keychain items stay", example: "watch uninstall", .uninstall)
        static let launch = Form(
            .device, "DEVICE launch [in background] [CRASH]", "a person opens the app, or the system starts it in the background",
            example: "watch launch in background"
        ) { match in
            step(match, match.has("background") ? .launchInBackground : .launch)
        }
        static let relaunch = Form(
            .device, "DEVICE relaunch [in background] [CRASH]", "ends the app's process, if one runs, and launches the app",
            example: "phone relaunch"
        ) { match in step(match, .relaunch(inBackground: match.has("background"))) }
        static let prewarm = device(
            "DEVICE prewarm", "the system starts the app's process before anybody opens the app; its code runs when it is launched",
            example: "phone prewarm", .prewarm)
        static let foreground = device(
            "DEVICE foreground [CRASH]", "brings the running app to the foreground", example: "watch foreground", .foreground)
        static let background = device(
            "DEVICE background [CRASH]", "sends the running app to the background", example: "watch background", .background)
        static let suspend = device(
            "DEVICE suspend", "the system stops running the app's code and keeps its memory", example: "phone suspend", .suspend)
        static let resume = device("DEVICE resume", "lets a suspended app run again, in the background", example: "phone resume", .resume)
        static let terminate = device("DEVICE terminate", "ends the app's process", example: "phone terminate", .terminate)
        static let swipeAway = device(
            "DEVICE swipe away", "a person swipes the app out of the list of apps, which ends it (W62)", example: "phone swipe away",
            .swipeAway)
        static let crash = device("DEVICE crash", "the app crashes", example: "phone crash", .crash)
        static let update = Form(
            .device, "DEVICE update to VERSION", "replaces the app by another version; a running one is ended",
            example: "phone update to 2.0"
        ) { match in match.version().flatMap { step(match, .update(to: $0)) } }
        static let perform = Form(
            .device, "DEVICE app does STRING [with VALUE] [OUTCOME]", "somebody uses the app under test, which an embedding test brings",
            example: "phone app does \"choose theme\" with \"dark\""
        ) { match in match.string().flatMap { step(match, .perform($0, with: match.value() ?? .null)) } }
        static let widgetLaunch = device(
            "DEVICE widget launch",
            "the system starts the app's widget extension: a process beside the app's, which shares App Groups with it and has no session",
            example: "phone widget launch", .widget(.launch))
        static let widgetSuspend = device(
            "DEVICE widget suspend", "the system stops running the widget's code and keeps its memory", example: "phone widget suspend",
            .widget(.suspend))
        static let widgetResume = device(
            "DEVICE widget resume", "lets a suspended widget run again", example: "phone widget resume", .widget(.resume))
        static let widgetTerminate = device(
            "DEVICE widget terminate", "ends the widget's process", example: "phone widget terminate", .widget(.terminate))
        static let widgetCrash = device("DEVICE widget crash", "the widget crashes", example: "phone widget crash", .widget(.crash))
        static let lockFile = Form(
            .device, "DEVICE [widget] locks file STRING",
            "code of the app, or of its widget, locks a file of an App Group and keeps the lock; a process that is suspended with one is killed",
            example: "phone locks file \"group.com.example/db.sqlite\""
        ) { match in match.string().flatMap { step(match, .lockFile(part(match), $0)) } }
        static let unlockFile = Form(
            .device, "DEVICE [widget] unlocks file STRING", "the code gives the lock back",
            example: "phone widget unlocks file \"group.com.example/db.sqlite\""
        ) { match in match.string().flatMap { step(match, .unlockFile(part(match), $0)) } }
        static let powerOn = device(
            "DEVICE power on", "switches the device on; with a passcode it is locked, before its first unlock", example: "phone power on",
            .powerOn)
        static let powerOff = device("DEVICE power off", "switches the device off", example: "phone power off", .powerOff)
        static let powerLoss = device(
            "DEVICE power loss", "the battery is pulled: what was not synchronized may be lost", example: "phone power loss", .powerLoss)
        static let reboot = device("DEVICE reboot", "switches the device off and on", example: "phone reboot", .reboot)
        static let lock = device(
            "DEVICE lock",
            "locks the screen; an app in the foreground goes to the background; what needs an unlocked device stays readable for `lock.grace`",
            example: "phone lock", .lock)
        static let unlock = device(
            "DEVICE unlock", "unlocks the device; after a reboot this is the first unlock", example: "phone unlock", .unlock)
        static let setPasscode = device("DEVICE passcode set", "sets a passcode", example: "phone passcode set", .setPasscode)
        static let removePasscode = device(
            "DEVICE passcode removed", "removes the passcode, and what needs one for good", example: "phone passcode removed",
            .removePasscode)
        static let biometry = Form(
            .device, "DEVICE biometry BIOMETRY", "enrols, changes or removes faces or fingers", example: "phone biometry changed"
        ) {
            match in
            match.word(.biometry).flatMap { Biometry.Change(rawValue: $0) }.flatMap { step(match, .biometry($0)) }
        }
        static let clockAhead = Form(.device, "DEVICE clock ahead TIME", "sets the wall clock fast", example: "watch clock ahead 5min") {
            match in
            match.time().flatMap { step(match, .setClock(ahead: $0)) }
        }
        static let clockBehind = Form(.device, "DEVICE clock behind TIME", "sets the wall clock slow", example: "watch clock behind 1h") {
            match in
            match.time().flatMap { step(match, .setClock(ahead: VirtualDuration(microseconds: -$0.microseconds))) }
        }
        static let clockCorrect = device(
            "DEVICE clock correct", "sets the wall clock right", example: "watch clock correct", .setClock(ahead: .zero))
        static let diskFull = device("DEVICE disk full", "leaves no byte free", example: "phone disk full", .setFreeSpace(0))
        static let diskHasFree = Form(
            .device, "DEVICE disk has BYTES free", "leaves so many bytes free", example: "phone disk has 4096 bytes free"
        ) { match in
            match.count(.bytes).flatMap { step(match, .setFreeSpace($0)) }
        }
        static let diskHasRoom = device(
            "DEVICE disk has room", "leaves as much free as anybody wants", example: "phone disk has room", .setFreeSpace(nil))
        static let complicationOn = complication("on", "a person puts the app's complication on the active face", true)
        static let complicationOff = complication("off", "a person takes the app's complication from the active face", false)
        static let smartStackOn = smartStack("on", "a person puts the app's widget into the Smart Stack", true)
        static let smartStackOff = smartStack("off", "a person takes the app's widget out of the Smart Stack", false)
        static let purgeCaches = device(
            "DEVICE purge caches", "the system empties Library/Caches and tmp; the app must not run", example: "phone purge caches",
            .purgeCaches)
        static let backup = Form(
            .device, "DEVICE backup as NAME [encrypted]",
            "keeps a backup of the device under a name; keychain items come to other hardware from one that is `encrypted` on a computer, not from iCloud's",
            example: "phone backup as tuesday encrypted"
        ) {
            match in
            guard let name = match.newName(of: "backup", in: \.backups) else { return nil }
            return step(match, .backup(name: name, encrypted: match.has("encrypted")))
        }
        static let restore = Form(
            .device, "DEVICE restore from BACKUP [onto new hardware]",
            "erases the device, or replaces it by a new one, and restores a backup: it restarts, the app is installed and not running",
            example: "phone restore from monday"
        ) { match in match.word(.backup).flatMap { step(match, .restore(name: $0, ontoNewHardware: match.has("hardware"))) } }

        static let networkAnswers = Form(
            .device, "DEVICE network answers STRING with VALUE [status COUNT]",
            "from now on the app's requests for URLs that begin so are answered: with a text, with data, or with another value as JSON. Until a step says so none is, and a request fails as offline",
            example: "phone network answers \"https://example.com/\" with {\"theme\": \"dark\"}"
        ) { match in
            guard let start = match.string(), let value = match.value() else { return nil }
            return step(match, .networkAnswers(start, with: value, status: match.count() ?? 200))
        }
        static let networkIsDown = device(
            "DEVICE network is down", "from now on no request of the app is answered: they fail as offline",
            example: "phone network is down", .networkIsDown)

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                install, uninstall, launch, relaunch, prewarm, foreground, background, suspend, resume, terminate, swipeAway, crash, update,
                perform, widgetLaunch, widgetSuspend, widgetResume, widgetTerminate, widgetCrash, lockFile, unlockFile, powerOn, powerOff,
                powerLoss, reboot, lock, unlock, setPasscode, removePasscode, biometry, clockAhead, clockBehind, clockCorrect, diskFull,
                diskHasFree, diskHasRoom, complicationOn, complicationOff, smartStackOn, smartStackOff, purgeCaches, backup, restore,
                networkAnswers, networkIsDown,
            ]

        private static func part(_ match: Match) -> AppPart { match.has("widget") ? .widget : .app }

        private static func device(_ pattern: String, _ help: String, example: String, _ action: DeviceStep.Action) -> Form {
            Form(.device, pattern, help, example: example) { step($0, action) }
        }

        private static func complication(_ word: String, _ help: String, _ isOn: Bool) -> Form {
            Form(.device, "WATCH complication \(word)", help, example: "watch complication \(word)") { match in
                match.watch.map { .step(.device(DeviceStep($0, .complication(isOn)))) }
            }
        }

        private static func smartStack(_ word: String, _ help: String, _ isOn: Bool) -> Form {
            Form(.device, "WATCH smart stack \(word)", help, example: "watch smart stack \(word)") { match in
                match.watch.map { .step(.device(DeviceStep($0, .smartStack(isOn)))) }
            }
        }

        private static func step(_ match: Match, _ action: DeviceStep.Action) -> Meaning? {
            match.device.map { .step(.device(DeviceStep($0, action, outcome: match.outcome))) }
        }
    }

    /// The line that says it. The compiler asks here for the form of a new action.
    var wording: Wording {
        switch action {
        case .install: Forms.install.filled()
        case .uninstall: Forms.uninstall.filled()
        case .launch: Forms.launch.filled()
        case .launchInBackground: Forms.launch.filled([:], "background")
        case .prewarm: Forms.prewarm.filled()
        case .foreground: Forms.foreground.filled()
        case .background: Forms.background.filled()
        case .suspend: Forms.suspend.filled()
        case .resume: Forms.resume.filled()
        case .terminate: Forms.terminate.filled()
        case .swipeAway: Forms.swipeAway.filled()
        case .crash: Forms.crash.filled()
        case .relaunch(let inBackground): Forms.relaunch.filled([:], inBackground ? "background" : nil)
        case .update(let version): Forms.update.filled([.version: "\(version)"])
        case .perform(let action, let value):
            Forms.perform.filled([.string: ScenarioValue.quoted(action), .value: value == .null ? nil : value.notation])
        case .widget(.launch): Forms.widgetLaunch.filled()
        case .widget(.suspend): Forms.widgetSuspend.filled()
        case .widget(.resume): Forms.widgetResume.filled()
        case .widget(.terminate): Forms.widgetTerminate.filled()
        case .widget(.crash): Forms.widgetCrash.filled()
        case .lockFile(let part, let path): Forms.lockFile.filled([.string: ScenarioValue.quoted(path)], part.wording)
        case .unlockFile(let part, let path): Forms.unlockFile.filled([.string: ScenarioValue.quoted(path)], part.wording)
        case .powerOn: Forms.powerOn.filled()
        case .powerOff: Forms.powerOff.filled()
        case .powerLoss: Forms.powerLoss.filled()
        case .reboot: Forms.reboot.filled()
        case .lock: Forms.lock.filled()
        case .unlock: Forms.unlock.filled()
        case .setPasscode: Forms.setPasscode.filled()
        case .removePasscode: Forms.removePasscode.filled()
        case .biometry(let change): Forms.biometry.filled([.biometry: change.rawValue])
        case .setClock(.zero): Forms.clockCorrect.filled()
        case .setClock(let ahead) where ahead > .zero: Forms.clockAhead.filled([.time: "\(ahead)"])
        case .setClock(let ahead): Forms.clockBehind.filled([.time: "\(VirtualDuration(microseconds: -ahead.microseconds))"])
        case .setFreeSpace(nil): Forms.diskHasRoom.filled()
        case .setFreeSpace(0?): Forms.diskFull.filled()
        case .setFreeSpace(let count?): Forms.diskHasFree.filled([.bytes: count.bytesNotation])
        case .purgeCaches: Forms.purgeCaches.filled()
        case .backup(let name, let isEncrypted): Forms.backup.filled([.name: name], isEncrypted ? "encrypted" : nil)
        case .restore(let name, let isNew): Forms.restore.filled([.backup: name], isNew ? "hardware" : nil)
        case .complication(true): Forms.complicationOn.filled()
        case .complication(false): Forms.complicationOff.filled()
        case .smartStack(true): Forms.smartStackOn.filled()
        case .smartStack(false): Forms.smartStackOff.filled()
        case .watch(let change): change.wording
        case .networkAnswers(let start, let value, let status):
            Forms.networkAnswers.filled([
                .string: ScenarioValue.quoted(start), .value: value.notation, .count: status == 200 ? nil : "\(status)",
            ])
        case .networkIsDown: Forms.networkIsDown.filled()
        }
    }
}
