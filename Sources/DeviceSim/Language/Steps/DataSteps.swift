import DeviceSimCore
import LocalData

/// The app on a device, or its widget, calls LocalData.
public struct DataStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// The process that does it. A widget can set, get and remove values, and ask whether there is one.
    public let part: AppPart
    /// What the app's code asks LocalData for.
    public let action: Action
    /// What must come of it.
    public let outcome: StepOutcome

    /// A step of an app's code with LocalData, in the app or in its widget.
    public init(_ device: DeviceID, in part: AppPart = .app, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.part = part
        self.action = action
        self.outcome = outcome
    }

    /// The same process doing something else, or with another outcome.
    package func with(_ action: Action? = nil, outcome: StepOutcome? = nil) -> DataStep {
        DataStep(device, in: part, action ?? self.action, outcome: outcome ?? self.outcome)
    }

    /// What app code can ask LocalData for.
    public enum Action: Sendable, Hashable {
        /// Stores a value.
        case set(KeyReference, ScenarioValue)
        /// Reads the value, whatever it is.
        case get(KeyReference)
        /// Removes the value.
        case remove(KeyReference)
        /// Asks whether there is a value.
        case exists(KeyReference)
        /// Follows `changes(of:)` until its process ends.
        case observe(KeyReference)
        /// `forceMigration(for:)`, or of every key of the app's version with `nil`.
        case migrate(KeyReference?)
        /// `rotateKeys()`
        case rotateKeys
        /// `rotateKeys(retiringOldKeys: true)`
        case rotateAndRetireKeys
        /// `resealValue(of:)`; `nil`: `resealValues()`
        case reseal(KeyReference?)
        /// `retireUnneededKeys()`
        case retireKeys
        /// `retireUnneededKeys(whileOthersAreQuiet: true)`
        case retireKeysInQuiet
        /// `keyRotationPlan()`
        case planRotation
        /// `auditReport()`
        case audit
        /// `registerCatalog(_:migrateImmediately:)`, of a catalog that was left out at the launch, and a sync.
        case register(String)
        /// `setSyncPolicyOverride(_:for:)`; `nil` returns to what the key declares.
        case overrideSync(KeyReference, SyncPolicy?)
        /// `removeSyncPolicyOverrides()`
        case clearOverrides
        /// `syncRegisteredKeysIfNeeded()`
        case sync
        /// `syncNow()`, which sends although nothing is new.
        case syncNow
        /// Asks the counterpart for a snapshot and applies the reply.
        case requestSnapshot
        /// Keeps a `syncSnapshot()` under a name.
        case takeSnapshot(String)
        /// Applies a kept snapshot, of whichever device.
        case applySnapshot(String)
        /// Applies a payload written in the file, such as one that is no snapshot.
        case applyPayload(ScenarioValue)
        /// Puts a value where the key's declaration says, as an older app would have: no catalog is asked, nothing syncs.
        case plant(KeyReference, ScenarioValue)
    }
}

extension DataStep {
    /// The lines that say what app code asks LocalData for.
    enum Forms {
        static let set = Form(
            .data, "DEVICE [widget] set KEY VALUE [OUTCOME]", "the app stores a value, or its widget does",
            example: "phone set theme \"dark\""
        ) { match in
            guard let key = match.key(), let value = match.typedValue() else { return nil }
            return step(match, .set(key, value))
        }
        static let get = keyStep(
            "DEVICE [widget] get KEY [OUTCOME]", "the app, or its widget, reads the value", example: "phone widget get token fails locked"
        ) {
            .get($0)
        }
        static let remove = keyStep(
            "DEVICE [widget] remove KEY [OUTCOME]", "the app, or its widget, removes the value", example: "phone remove theme"
        ) {
            .remove($0)
        }
        static let exists = keyStep(
            "DEVICE [widget] exists KEY [OUTCOME]", "the app, or its widget, asks whether there is a value",
            example: "phone exists token fails locked"
        ) { .exists($0) }
        static let observe = keyStep(
            "DEVICE observes KEY [OUTCOME]",
            "the app follows `changes(of:)` of the key, as long as its process lives; `expect DEVICE observed KEY VALUE` says what it was told last",
            example: "watch observes theme"
        ) { .observe($0) }
        static let migrate = keyStep(
            "DEVICE migrate KEY [OUTCOME]", "the app calls `forceMigration(for:)`", example: "phone migrate theme crashes at operation 3"
        ) { .migrate($0) }
        static let migrateAll = plain(
            "DEVICE migrate all keys [OUTCOME]", "the app calls `forceMigration(for:)` for every key of its version",
            example: "phone migrate all keys", .migrate(nil))
        static let rotateKeys = plain(
            "DEVICE rotate keys [OUTCOME]",
            "the app calls `rotateKeys()`; an error of the first value that may be sealed anew by another call is the step's",
            example: "phone rotate keys fails locked", .rotateKeys)
        static let rotateAndRetireKeys = plain(
            "DEVICE rotate keys and retire old ones [OUTCOME]",
            "the app calls `rotateKeys(retiringOldKeys: true)`, which deletes then what nothing needs; errors as with `rotate keys`",
            example: "phone rotate keys and retire old ones", .rotateAndRetireKeys)
        static let resealValues = plain(
            "DEVICE reseal values [OUTCOME]", "the app calls `resealValues()`; errors as with `rotate keys`",
            example: "phone reseal values", .reseal(nil))
        static let reseal = keyStep(
            "DEVICE reseal KEY [OUTCOME]", "the app calls `resealValue(of:)`, which may ask a person to authenticate",
            example: "phone reseal token fails locked"
        ) { .reseal($0) }
        static let retireKeys = plain(
            "DEVICE retire keys [OUTCOME]", "the app calls `retireUnneededKeys()`, which keeps what something needs",
            example: "phone retire keys", .retireKeys)
        static let retireKeysInQuiet = plain(
            "DEVICE retire keys while others are quiet [OUTCOME]",
            "the app calls `retireUnneededKeys(whileOthersAreQuiet: true)`: it says that no other process of its App Groups seals anything",
            example: "phone retire keys while others are quiet", .retireKeysInQuiet)
        static let planRotation = plain(
            "DEVICE plan rotation [OUTCOME]",
            "the app calls `keyRotationPlan()`, which changes nothing; the trace says how much there is to do. `expect DEVICE reseal of KEY due` asks for a value",
            example: "phone plan rotation", .planRotation)
        static let audit = plain(
            "DEVICE audit [OUTCOME]", "the app calls `auditReport()`, which changes nothing; the trace says how much was found",
            example: "phone audit", .audit)
        static let register = Form(
            .data, "DEVICE registers CATALOG [OUTCOME]",
            "the app registers a catalog that it left out when it was launched, as one of a part that is opened later, and syncs",
            example: "phone registers Scenario"
        ) { match in match.word(.catalog).flatMap { step(match, .register($0)) } }
        static let overrideSync = Form(
            .data, "DEVICE overrides sync of KEY with SYNC [OUTCOME]",
            "the app calls `setSyncPolicyOverride(_:for:)`: the policy holds on this device, until it is cleared, whatever the key declares",
            example: "phone overrides sync of theme with never"
        ) { match in
            guard let key = match.key(), let policy = match.word(.sync).flatMap({ SyncPolicy(rawValue: $0) }) else { return nil }
            return step(match, .overrideSync(key, policy))
        }
        static let clearOverride = keyStep(
            "DEVICE clears override of KEY [OUTCOME]", "the app takes its override back: what the key declares holds again",
            example: "phone clears override of theme"
        ) { .overrideSync($0, nil) }
        static let clearOverrides = plain(
            "DEVICE clears all overrides [OUTCOME]",
            "the app calls `removeSyncPolicyOverrides()`: of every key what it declares holds again, also where the list of choices is damaged",
            example: "phone clears all overrides", .clearOverrides)
        static let syncNow = plain(
            "DEVICE sync now [OUTCOME]", "the app calls `syncNow()`, which sends also where the counterpart is known to have everything",
            example: "phone sync now", .syncNow)
        static let sync = plain("DEVICE sync [OUTCOME]", "the app calls `syncRegisteredKeysIfNeeded()`", example: "phone sync", .sync)
        static let requestSnapshot = plain(
            "DEVICE request snapshot [OUTCOME]", "the app asks the counterpart for a snapshot and applies the reply",
            example: "watch request snapshot", .requestSnapshot)
        static let takeSnapshot = Form(
            .data, "DEVICE take snapshot as NAME [OUTCOME]", "keeps a `syncSnapshot()` under a name", example: "phone take snapshot as new"
        ) { match in
            guard let name = match.newName(of: "snapshot", in: \.snapshots) else { return nil }
            return step(match, .takeSnapshot(name))
        }
        static let applySnapshot = Form(
            .data, "DEVICE apply snapshot SNAPSHOT [OUTCOME]", "applies a kept snapshot", example: "watch apply snapshot old"
        ) { match in
            match.word(.snapshot).flatMap { step(match, .applySnapshot($0)) }
        }
        static let applyPayload = Form(
            .data, "DEVICE apply OBJECT [OUTCOME]", "applies a payload as if it had come from the counterpart",
            example: "watch apply {\"LocalData\": 5} fails invalidSnapshot"
        ) { match in match.value(.object).flatMap { step(match, .applyPayload($0)) } }
        static let plant = Form(
            .data, "DEVICE plant KEY VALUE",
            "puts a value where the key declares it, as an earlier app would have, just now: no catalog is asked, nothing syncs; `wait 1min` makes it old",
            example: "phone plant oldTheme \"dark\""
        ) { match in
            guard let key = match.key(), let value = match.typedValue() else { return nil }
            return step(match, .plant(key, value))
        }

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                set, get, remove, exists, observe, migrate, migrateAll, rotateKeys, rotateAndRetireKeys, resealValues, reseal,
                retireKeys, retireKeysInQuiet, planRotation, audit, register, overrideSync, clearOverride, clearOverrides, sync, syncNow,
                requestSnapshot, takeSnapshot, applySnapshot,
                applyPayload,
                plant,
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

    /// The line that says it. The compiler asks here for the form of a new action.
    var wording: Wording {
        switch action {
        case .set(let key, let value): Forms.set.filled([.key: key.identifier, .value: value.notation])
        case .get(let key): Forms.get.filled([.key: key.identifier])
        case .remove(let key): Forms.remove.filled([.key: key.identifier])
        case .exists(let key): Forms.exists.filled([.key: key.identifier])
        case .observe(let key): Forms.observe.filled([.key: key.identifier])
        case .migrate(let key?): Forms.migrate.filled([.key: key.identifier])
        case .migrate(nil): Forms.migrateAll.filled()
        case .rotateKeys: Forms.rotateKeys.filled()
        case .rotateAndRetireKeys: Forms.rotateAndRetireKeys.filled()
        case .reseal(let key?): Forms.reseal.filled([.key: key.identifier])
        case .reseal(nil): Forms.resealValues.filled()
        case .retireKeys: Forms.retireKeys.filled()
        case .retireKeysInQuiet: Forms.retireKeysInQuiet.filled()
        case .planRotation: Forms.planRotation.filled()
        case .audit: Forms.audit.filled()
        case .register(let name): Forms.register.filled([.catalog: name])
        case .overrideSync(let key, let policy?): Forms.overrideSync.filled([.key: key.identifier, .sync: policy.rawValue])
        case .overrideSync(let key, nil): Forms.clearOverride.filled([.key: key.identifier])
        case .clearOverrides: Forms.clearOverrides.filled()
        case .sync: Forms.sync.filled()
        case .syncNow: Forms.syncNow.filled()
        case .requestSnapshot: Forms.requestSnapshot.filled()
        case .takeSnapshot(let name): Forms.takeSnapshot.filled([.name: name])
        case .applySnapshot(let name): Forms.applySnapshot.filled([.snapshot: name])
        case .applyPayload(let value): Forms.applyPayload.filled([.object: value.notation])
        case .plant(let key, let value): Forms.plant.filled([.key: key.identifier, .value: value.notation])
        }
    }

    /// The word that tells the step from others, such as `set`.
    package var verb: String { wording.verb }
}

extension AppPart {
    /// With a space before it; nothing for the app.
    package var notation: String { self == .app ? "" : " \(rawValue)" }
}
