import DeviceSimCore

extension Vocabulary {
    static let start: [Form] = [
        device("start SUBJECT off", "the device is off", example: "start phone off", "condition") {
            $0.condition = .off
            $0.launch = nil
        },
        device("start SUBJECT locked", "the device was locked after the app was launched", example: "start phone locked", "condition") {
            $0.condition = .locked
        },
        device(
            "start SUBJECT before first unlock", "the device has just been switched on, and nobody unlocked it; the app is not launched",
            example: "start phone before first unlock", "condition"
        ) {
            $0.condition = .beforeFirstUnlock
            $0.launch = nil
        },
        device("start SUBJECT without passcode", "the device has no passcode", example: "start phone without passcode", "passcode") {
            $0.hasPasscode = false
        },
        device("start SUBJECT with biometry", "a face or finger is enrolled", example: "start phone with biometry", "biometry") {
            $0.hasBiometry = true
        },
        device("start SUBJECT not installed", "the app is not installed", example: "start watch not installed", "installed") {
            $0.isInstalled = false
            $0.launch = nil
        },
        device(
            "start SUBJECT not launched",
            "the app is installed and nobody launched it; the first context of a counterpart whose keys sync wakes it nevertheless",
            example: "start apps not launched", "launched"
        ) {
            $0.launch = nil
        },
        device(
            "start SUBJECT in background", "the app was launched by the system, in the background", example: "start watch in background",
            "launched"
        ) {
            $0.launch = .background
        },
        device(
            "start SUBJECT not activated", "the app does not activate its session by itself, at this launch and any later",
            example: "start phone not activated", "activated"
        ) { $0.activatesSession = false },
        Form(
            .start, "start SUBJECT registers CATALOG later",
            "the app does not register the catalog when it is launched, this time and later: a step `DEVICE registers CATALOG` does",
            example: "start apps registers Scenario later"
        ) { match in
            guard let catalog = match.word(.catalog) else { return nil }
            return change(match, aspect: "catalog \(catalog)") { $0.lateCatalogs = Set($0.lateCatalogs + [catalog]).sorted() }
        },
        Form(
            .start, "start SUBJECT with app APP", "the device runs one of the apps of the table below, which steps do not configure",
            example: "start devices with app resends-its-context"
        ) { match in
            guard let app = match.word(.app) else { return nil }
            return change(match, aspect: "app") { $0.app = app }
        },
        Form(.start, "start SUBJECT version VERSION", "the installed version of the app, otherwise 1.0", example: "start phone version 1.9")
        { match in
            guard let version = match.version() else { return nil }
            return change(match, aspect: "version") { $0.appVersion = version }
        },
        Form(
            .start, "start WATCH with complication", "the app's complication is on the active watch face",
            example: "start watch with complication"
        ) { match in
            guard let watch = match.watch else { return nil }
            return .start(StartChange(devices: [watch], aspect: "complication") { $0[watch].hasComplication = true })
        },
        worn(
            "start WATCH without wrist detection", "the watch does not notice that it is taken off, and is not locked then (W126)",
            "wrist detection"
        ) {
            $0.hasWristDetection = false
        },
        worn("start WATCH with always on display", "the screen is dimmed while the wrist is down, and not off (W116)", "display") {
            $0.hasAlwaysOn = true
        },
        Form(
            .start, "start dependent watch app", "the watch's app cannot be without that of the phone, and goes with it (W120)",
            example: "start dependent watch app"
        ) { _ in .start(StartChange(devices: [], aspect: "dependence") { $0.isDependentWatchApp = true }) },
        Form(.start, "start link down", "the devices are out of range of each other", example: "start link down") { _ in
            .start(StartChange(devices: [], aspect: "link") { $0.isLinkUp = false })
        },
        Form(.start, "start unpaired", "the devices are not paired", example: "start unpaired") { _ in
            .start(StartChange(devices: [], aspect: "paired") { $0.isPaired = false })
        },
        Form(
            .start, "start second watch",
            "the phone is paired with another watch too, `watch2`, which nobody wears: its app was launched, and waits until it is put on",
            example: "start second watch"
        ) { _ in
            .start(StartChange(devices: [], aspect: "second watch") { $0.watch2 = $0.watch2 ?? StartState.Device() })
        },
        Form(.start, "start watch2 unpaired", "the second watch is not paired yet", example: "start watch2 unpaired") { match in
            guard match.context.devices.contains(.watch2) else {
                match.diagnose(match.range, "there is no second watch here", hint: "write `start second watch` too")
                return nil
            }
            return .start(StartChange(devices: [], aspect: "second watch's pairing") { $0.isWatch2Paired = false })
        },
        Form(
            .start, "start phone without pairing", "the phone is none that can have a watch: `isSupported()` is false on it",
            example: "start phone without pairing"
        ) { _ in
            .start(
                StartChange(devices: [], aspect: "paired") {
                    $0.phoneCanPair = false
                    $0.isPaired = false
                })
        },
        Form(
            .start, "start watch-only app", "the app has no part on the phone (W16)", example: "start watch-only app"
        ) { _ in
            .start(
                StartChange(devices: [.phone], aspect: "installed") {
                    $0.isWatchOnlyApp = true
                    $0.phone.isInstalled = false
                    $0.phone.launch = nil
                })
        },
    ]

    private static func device(
        _ pattern: String, _ help: String, example: String, _ aspect: String,
        _ apply: @escaping @Sendable (inout StartState.Device) -> Void
    ) -> Form {
        Form(.start, pattern, help, example: example) { change($0, aspect: aspect, apply) }
    }

    private static func worn(
        _ pattern: String, _ help: String, _ aspect: String, _ apply: @escaping @Sendable (inout StartState.Device) -> Void
    ) -> Form {
        let example = pattern.split(separator: " ").map { $0 == "WATCH" ? "watch" : String($0) }.joined(separator: " ")
        return Form(.start, pattern, help, example: example) { match in
            match.watch.map { watch in .start(StartChange(devices: [watch], aspect: aspect) { apply(&$0[watch]) }) }
        }
    }

    private static func change(_ match: Match, aspect: String, _ apply: @escaping (inout StartState.Device) -> Void) -> Meaning? {
        guard let subject = match.word(.subject) else { return nil }
        let devices = DeviceID(scenarioName: subject).map { [$0] } ?? match.context.devices
        return .start(
            StartChange(devices: devices, aspect: aspect) { state in
                for device in devices { apply(&state[device]) }
            })
    }
}
