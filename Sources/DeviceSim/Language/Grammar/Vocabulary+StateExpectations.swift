import DeviceSimCore
import LocalData

extension Vocabulary {
    static let storageForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE disk contains KEY [TIMING]", "something lies in the key's place, readable or not",
            example: "expect phone disk contains theme"
        ) {
            keyed($0) { .stored($0, $1, true) }
        },
        Form(
            .expect, "EXPECT DEVICE disk lacks KEY [TIMING]", "nothing lies in the key's place", example: "expect phone disk lacks oldTheme"
        ) {
            keyed($0) { .stored($0, $1, false) }
        },
        Form(
            .expect, "EXPECT no plaintext of KEY on DEVICE [TIMING]",
            "nothing that the device stores contains the value that a step gave the key last, as text, serialized, in Base64 or as a digest",
            example: "expect no plaintext of token on phone"
        ) { keyed($0) { .noPlaintext($0, $1) } },
        file(
            "EXPECT DEVICE file STRING exists [TIMING]", "a file is there; the path is relative to the app's container",
            example: "expect phone file \"Documents/notes\" exists"
        ) {
            _ in .exists
        },
        file("EXPECT DEVICE file STRING missing [TIMING]", "no file is there", example: "expect phone file \"Documents/notes\" missing") {
            _ in .missing
        },
        file(
            "EXPECT DEVICE file STRING has BYTES [TIMING]", "a file has that size",
            example: "expect phone file \"Documents/notes\" has 12 bytes"
        ) {
            $0.count(.bytes).map { .byteCount($0) }
        },
        file(
            "EXPECT DEVICE file STRING has protection PROTECTION [TIMING]", "a file has that protection class",
            example: "expect phone file \"Documents/notes\" has protection complete"
        ) { $0.word(.protection).flatMap { FileProtection(rawValue: $0) }.map { .protection($0) } },
        file(
            "EXPECT DEVICE file STRING is backed up [TIMING]", "a file goes into backups",
            example: "expect phone file \"Documents/notes\" is backed up"
        ) {
            _ in .excludedFromBackup(false)
        },
        file(
            "EXPECT DEVICE file STRING is excluded from backup [TIMING]", "a file stays out of backups",
            example: "expect phone file \"Documents/notes\" is excluded from backup"
        ) { _ in .excludedFromBackup(true) },
    ]

    static let stateForms: [Form] = [
        app("EXPECT DEVICE app running [TIMING]", "a process of the app is there", example: "expect phone app running") { _ in .running },
        app("EXPECT DEVICE app not running [TIMING]", "no process of the app is there", example: "expect watch app not running") { _ in
            .notRunning
        },
        app("EXPECT DEVICE app APP-STATE [TIMING]", "the app runs and is in that state", example: "expect phone app background") {
            $0.word(.appState).flatMap { AppState(rawValue: $0) }.map { .state($0) }
        },
        app("EXPECT DEVICE app installed [TIMING]", "the app is installed", example: "expect watch app installed") { _ in .installed(true)
        },
        app("EXPECT DEVICE app not installed [TIMING]", "the app is not installed", example: "expect watch app not installed") { _ in
            .installed(false)
        },
        app("EXPECT DEVICE app version VERSION [TIMING]", "that version of the app is installed", example: "expect phone app version 2.0") {
            $0.version().map { .version($0) }
        },
        app(
            "EXPECT DEVICE app shows STRING VALUE [TIMING]", "what the app under test shows of something; `null` for nothing",
            example: "expect watch app shows \"theme\" \"dark\" within 1s"
        ) { match in
            guard let name = match.string(), let value = match.value() else { return nil }
            return .shows(name, value)
        },
        state("EXPECT DEVICE is on [TIMING]", "the device is switched on", example: "expect phone is on", .on),
        state("EXPECT DEVICE is off [TIMING]", "the device is switched off", example: "expect phone is off", .off),
        state(
            "EXPECT DEVICE is locked [TIMING]", "the screen is locked, after the first unlock", example: "expect phone is locked", .locked),
        state("EXPECT DEVICE is unlocked [TIMING]", "the device is unlocked", example: "expect phone is unlocked", .unlocked),
        state(
            "EXPECT DEVICE is before first unlock [TIMING]", "nobody has unlocked the device since it was switched on",
            example: "expect phone is before first unlock", .beforeFirstUnlock),
    ]

    private static func file(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> Expectation.FileCondition?
    ) -> Form {
        Form(.expect, pattern, help, example: example) { match in
            guard let path = match.pathInContainer(), let condition = condition(match) else { return nil }
            return onDevice(match) { .file($0, path: path, condition) }
        }
    }

    private static func app(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> Expectation.AppCondition?
    ) -> Form {
        Form(.expect, pattern, help, example: example) { match in
            condition(match).flatMap { condition in onDevice(match) { .app($0, condition) } }
        }
    }

    private static func state(_ pattern: String, _ help: String, example: String, _ condition: Expectation.DeviceCondition) -> Form {
        Form(.expect, pattern, help, example: example) { onDevice($0) { .device($0, condition) } }
    }
}
