import DeviceSimCore

extension Vocabulary {
    static let deviceForms: [Form] = appForms + widgetForms + hardwareForms + watchForms

    private static let appForms: [Form] = [
        device("DEVICE install", "installs the app", example: "watch install", .install),
        device("DEVICE uninstall", "removes the app and its containers; keychain items stay", example: "watch uninstall", .uninstall),
        Form(
            .device, "DEVICE launch [in background] [CRASH]", "a person opens the app, or the system starts it in the background",
            example: "watch launch in background"
        ) { match in
            step(match, match.has("background") ? .launchInBackground : .launch)
        },
        Form(
            .device, "DEVICE relaunch [in background] [CRASH]", "ends the app's process, if one runs, and launches the app",
            example: "phone relaunch"
        ) { match in step(match, .relaunch(inBackground: match.has("background"))) },
        device(
            "DEVICE prewarm", "the system starts the app's process before anybody opens the app; its code runs when it is launched",
            example: "phone prewarm", .prewarm),
        device("DEVICE foreground [CRASH]", "brings the running app to the foreground", example: "watch foreground", .foreground),
        device("DEVICE background [CRASH]", "sends the running app to the background", example: "watch background", .background),
        device("DEVICE suspend", "the system stops running the app's code and keeps its memory", example: "phone suspend", .suspend),
        device("DEVICE resume", "lets a suspended app run again, in the background", example: "phone resume", .resume),
        device("DEVICE terminate", "ends the app's process", example: "phone terminate", .terminate),
        device(
            "DEVICE swipe away", "a person swipes the app out of the list of apps, which ends it (W62)", example: "phone swipe away",
            .swipeAway),
        device("DEVICE crash", "the app crashes", example: "phone crash", .crash),
        Form(
            .device, "DEVICE update to VERSION", "replaces the app by another version; a running one is ended",
            example: "phone update to 2.0"
        ) { match in match.version().flatMap { step(match, .update(to: $0)) } },
        Form(
            .device, "DEVICE app does STRING [with VALUE] [OUTCOME]", "somebody uses the app under test, which an embedding test brings",
            example: "phone app does \"choose theme\" with \"dark\""
        ) { match in match.string().flatMap { step(match, .perform($0, with: match.value() ?? .null)) } },
    ]

    private static let widgetForms: [Form] = [
        device(
            "DEVICE widget launch",
            "the system starts the app's widget extension: a process beside the app's, which shares App Groups with it and has no session",
            example: "phone widget launch", .widget(.launch)),
        device(
            "DEVICE widget suspend", "the system stops running the widget's code and keeps its memory", example: "phone widget suspend",
            .widget(.suspend)),
        device("DEVICE widget resume", "lets a suspended widget run again", example: "phone widget resume", .widget(.resume)),
        device("DEVICE widget terminate", "ends the widget's process", example: "phone widget terminate", .widget(.terminate)),
        device("DEVICE widget crash", "the widget crashes", example: "phone widget crash", .widget(.crash)),
        Form(
            .device, "DEVICE [widget] locks file STRING",
            "code of the app, or of its widget, locks a file of an App Group and keeps the lock; a process that is suspended with one is killed",
            example: "phone locks file \"group.com.example/db.sqlite\""
        ) { match in match.string().flatMap { step(match, .lockFile(part(match), $0)) } },
        Form(
            .device, "DEVICE [widget] unlocks file STRING", "the code gives the lock back",
            example: "phone widget unlocks file \"group.com.example/db.sqlite\""
        ) { match in match.string().flatMap { step(match, .unlockFile(part(match), $0)) } },
    ]

    private static func part(_ match: Match) -> AppPart { match.has("widget") ? .widget : .app }

    private static let hardwareForms: [Form] = [
        device(
            "DEVICE power on", "switches the device on; with a passcode it is locked, before its first unlock", example: "phone power on",
            .powerOn),
        device("DEVICE power off", "switches the device off", example: "phone power off", .powerOff),
        device(
            "DEVICE power loss", "the battery is pulled: what was not synchronized may be lost", example: "phone power loss", .powerLoss),
        device("DEVICE reboot", "switches the device off and on", example: "phone reboot", .reboot),
        device(
            "DEVICE lock",
            "locks the screen; an app in the foreground goes to the background; what needs an unlocked device stays readable for `lock.grace`",
            example: "phone lock", .lock),
        device("DEVICE unlock", "unlocks the device; after a reboot this is the first unlock", example: "phone unlock", .unlock),
        device("DEVICE passcode set", "sets a passcode", example: "phone passcode set", .setPasscode),
        device(
            "DEVICE passcode removed", "removes the passcode, and what needs one for good", example: "phone passcode removed",
            .removePasscode),
        Form(.device, "DEVICE biometry BIOMETRY", "enrols, changes or removes faces or fingers", example: "phone biometry changed") {
            match in
            match.word(.biometry).flatMap { Biometry.Change(rawValue: $0) }.flatMap { step(match, .biometry($0)) }
        },
        Form(.device, "DEVICE clock ahead TIME", "sets the wall clock fast", example: "watch clock ahead 5min") { match in
            match.time().flatMap { step(match, .setClock(ahead: $0)) }
        },
        Form(.device, "DEVICE clock behind TIME", "sets the wall clock slow", example: "watch clock behind 1h") { match in
            match.time().flatMap { step(match, .setClock(ahead: VirtualDuration(microseconds: -$0.microseconds))) }
        },
        device("DEVICE clock correct", "sets the wall clock right", example: "watch clock correct", .setClock(ahead: .zero)),
        device("DEVICE disk full", "leaves no byte free", example: "phone disk full", .setFreeSpace(0)),
        Form(.device, "DEVICE disk has BYTES free", "leaves so many bytes free", example: "phone disk has 4096 bytes free") { match in
            match.count(.bytes).flatMap { step(match, .setFreeSpace($0)) }
        },
        device("DEVICE disk has room", "leaves as much free as anybody wants", example: "phone disk has room", .setFreeSpace(nil)),
        complication("on", "a person puts the app's complication on the active face", true),
        complication("off", "a person takes the app's complication from the active face", false),
        smartStack("on", "a person puts the app's widget into the Smart Stack", true),
        smartStack("off", "a person takes the app's widget out of the Smart Stack", false),
        device(
            "DEVICE purge caches", "the system empties Library/Caches and tmp; the app must not run", example: "phone purge caches",
            .purgeCaches),
        Form(
            .device, "DEVICE backup as NAME [encrypted]", "keeps a backup of the device under a name",
            example: "phone backup as tuesday encrypted"
        ) {
            match in
            guard let name = match.newName(of: "backup", in: \.backups) else { return nil }
            return step(match, .backup(name: name, encrypted: match.has("encrypted")))
        },
        Form(
            .device, "DEVICE restore from BACKUP [onto new hardware]",
            "erases the device, or replaces it by a new one, and restores a backup: it restarts, the app is installed and not running",
            example: "phone restore from monday"
        ) { match in match.word(.backup).flatMap { step(match, .restore(name: $0, ontoNewHardware: match.has("hardware"))) } },
    ]

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

    // MARK: The link

    static let link: [Form] = [
        Form(.link, "link up", "the devices are in range of each other", example: "link up") { _ in .step(.link(.up)) },
        Form(.link, "link down", "the devices are out of range of each other", example: "link down") { _ in .step(.link(.down)) },
        Form(.link, "link latency TIME", "what anything takes from one device to the other, from now on", example: "link latency 2s") {
            match in
            match.time().map { .step(.link(.latency($0))) }
        },
        Form(
            .link, "devices pair [from backup]",
            "pairs the watch with the phone; one that was unpaired begins anew, with the app installed and not running, or with what the backup holds (W27)",
            example: "devices pair from backup"
        ) { match in .step(.link(match.has("backup") ? .pairFromBackup : .pair)) },
        Form(
            .link, "devices unpair",
            "ends the pairing, which erases the watch (W26); where there is a second watch, that becomes the active one",
            example: "devices unpair"
        ) { _ in .step(.link(.unpair)) },
        Form(.link, "watch2 pair", "pairs the second watch with the phone", example: "watch2 pair") { match in
            secondWatch(match, .pairSecondWatch)
        },
        Form(.link, "watch2 unpair", "ends the pairing with the second watch", example: "watch2 unpair") { match in
            secondWatch(match, .unpairSecondWatch)
        },
        Form(
            .link, "phone switches to WATCH",
            "a person puts on another watch: the phone's session becomes inactive, is deactivated, and is to be activated again (W12, W14)",
            example: "phone switches to watch"
        ) { match in match.watch.map { .step(.link(.switchWatch(to: $0))) } },
    ]

    private static func secondWatch(_ match: Match, _ step: LinkStep) -> Meaning? {
        guard match.context.devices.contains(.watch2) else {
            match.diagnose(match.range, "there is no second watch here", hint: "write `start second watch` before the first step")
            return nil
        }
        return .step(.link(step))
    }

    // MARK: Time

    static let time: [Form] = [
        Form(.time, "wait TIME", "lets time pass", example: "wait 5s") { match in match.time().map { .step(.time(.wait($0))) } },
        Form(.time, "at TIME", "lets time pass until so long after the first step began", example: "at 10s") { match in
            match.time().map { .step(.time(.at($0))) }
        },
        Form(
            .time, "settle [within TIME]", "lets time pass until nothing is left to happen; a failure if that takes longer",
            example: "settle within 1min"
        ) { match in .step(.time(.settle(limit: match.time()))) },
        Form(.time, "mark NAME", "notes this moment, for expectations `since` it", example: "mark unlocked") { match in
            match.newName(of: "mark", in: \.marks).map { .step(.time(.mark($0))) }
        },
        Form(
            .time, "together", "the steps of its block are started at once and awaited together", example: "together"
        ) { _ in .together },
    ]
}
