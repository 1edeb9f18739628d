import DeviceSimCore
import LocalData

extension Vocabulary {
    static let data: [Form] = [
        Form(
            .data, "DEVICE [widget] set KEY VALUE [OUTCOME]", "the app stores a value, or its widget does",
            example: "phone set theme \"dark\""
        ) { match in
            guard let key = match.key(), let value = match.typedValue() else { return nil }
            return step(match, .set(key, value))
        },
        keyStep(
            "DEVICE [widget] get KEY [OUTCOME]", "the app, or its widget, reads the value", example: "phone widget get token fails locked"
        ) {
            .get($0)
        },
        keyStep("DEVICE [widget] remove KEY [OUTCOME]", "the app, or its widget, removes the value", example: "phone remove theme") {
            .remove($0)
        },
        keyStep(
            "DEVICE [widget] exists KEY [OUTCOME]", "the app, or its widget, asks whether there is a value",
            example: "phone exists token fails locked"
        ) { .exists($0) },
        keyStep(
            "DEVICE migrate KEY [OUTCOME]", "the app calls `forceMigration(for:)`", example: "phone migrate theme crashes at operation 3"
        ) { .migrate($0) },
        plain(
            "DEVICE migrate all keys [OUTCOME]", "the app calls `forceMigration(for:)` for every key of its version",
            example: "phone migrate all keys", .migrate(nil)),
        plain(
            "DEVICE rotate keys [OUTCOME]",
            "the app calls `rotateKeys()`; an error of the first value that may be sealed anew by another call is the step's",
            example: "phone rotate keys fails locked", .rotateKeys),
        plain(
            "DEVICE reseal values [OUTCOME]", "the app calls `resealValues()`; errors as with `rotate keys`",
            example: "phone reseal values", .resealValues),
        plain(
            "DEVICE retire keys [OUTCOME]", "the app calls `retireUnneededKeys()`, which keeps what something needs",
            example: "phone retire keys", .retireKeys),
        plain(
            "DEVICE audit [OUTCOME]", "the app calls `auditReport()`, which changes nothing; the trace says how much was found",
            example: "phone audit", .audit),
        Form(
            .data, "DEVICE overrides sync of KEY with SYNC [OUTCOME]",
            "the app calls `setSyncPolicyOverride(_:for:)`: the policy holds on this device, until it is cleared, whatever the key declares",
            example: "phone overrides sync of theme with never"
        ) { match in
            guard let key = match.key(), let policy = match.word(.sync).flatMap({ SyncPolicy(rawValue: $0) }) else { return nil }
            return step(match, .overrideSync(key, policy))
        },
        keyStep(
            "DEVICE clears override of KEY [OUTCOME]", "the app takes its override back: what the key declares holds again",
            example: "phone clears override of theme"
        ) { .overrideSync($0, nil) },
        plain("DEVICE sync [OUTCOME]", "the app calls `syncRegisteredKeysIfNeeded()`", example: "phone sync", .sync),
        plain(
            "DEVICE request snapshot [OUTCOME]", "the app asks the counterpart for a snapshot and applies the reply",
            example: "watch request snapshot", .requestSnapshot),
        Form(
            .data, "DEVICE take snapshot as NAME [OUTCOME]", "keeps a `syncSnapshot()` under a name", example: "phone take snapshot as new"
        ) { match in
            guard let name = match.newName(of: "snapshot", in: \.snapshots) else { return nil }
            return step(match, .takeSnapshot(name))
        },
        Form(.data, "DEVICE apply snapshot SNAPSHOT [OUTCOME]", "applies a kept snapshot", example: "watch apply snapshot old") { match in
            match.word(.snapshot).flatMap { step(match, .applySnapshot($0)) }
        },
        Form(
            .data, "DEVICE apply OBJECT [OUTCOME]", "applies a payload as if it had come from the counterpart",
            example: "watch apply {\"LocalData\": 5} fails invalidSnapshot"
        ) { match in match.value(.object).flatMap { step(match, .applyPayload($0)) } },
        Form(
            .data, "DEVICE plant KEY VALUE",
            "puts a value where the key declares it, as an earlier app would have, just now: no catalog is asked, nothing syncs; `wait 1min` makes it old",
            example: "phone plant oldTheme \"dark\""
        ) { match in
            guard let key = match.key(), let value = match.typedValue() else { return nil }
            return step(match, .plant(key, value))
        },
    ]

    private static func keyStep(
        _ pattern: String, _ help: String, example: String, _ action: @escaping @Sendable (KeyReference) -> DataStep.Action
    ) -> Form {
        Form(.data, pattern, help, example: example) { match in match.key().flatMap { step(match, action($0)) } }
    }

    private static func plain(_ pattern: String, _ help: String, example: String, _ action: DataStep.Action) -> Form {
        Form(.data, pattern, help, example: example) { step($0, action) }
    }

    private static func step(_ match: Match, _ action: DataStep.Action) -> Meaning? {
        match.device.map { .step(.data(DataStep($0, in: match.has("widget") ? .widget : .app, action, outcome: match.outcome))) }
    }
}
