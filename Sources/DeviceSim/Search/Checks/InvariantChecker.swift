import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// The last step of each kind that counts, on one device. What is done before the first step has the number 0, what nobody did -1.
struct LatestSteps {
    /// The app ran from its launch on, came to the foreground or synced.
    var run = 0
    /// Something kept the app from doing its work.
    var disturbance = -1
    /// The app was told that its sync is done.
    var sync = -1
    /// The app was launched.
    var launch = 0
    /// The app was launched with nothing that keeps a launch from moving what it finds.
    var sweep = 0
    /// Something was put where only a launch looks for it.
    var planting = -1
    /// The app was updated.
    var update = -1
    /// A value was written.
    var write = -1
}

/// Holds one run to its invariants: takes what came of each step, and says which invariant was broken, and why.
///
/// Pure: it knows what app code was told, and the facts of the run that ``CheckedRun`` looks up at the end.
struct InvariantChecker {
    let keys: [CheckedKey]
    /// The phone, its watch, and the second one where there is one: in the order of their places.
    let devices: [DeviceID]
    var histories: [VersionHistory]
    /// What each app did last, by the device's place.
    var latest: [LatestSteps]
    /// Every value that a step gave a key, and where, for looking for it where it must not be.
    private(set) var writtenValues: [Int: [(value: ScenarioValue, device: DeviceID)]] = [:]
    /// What was planted at the sources of migrations.
    var plantings = LegacyValues()
    /// The version that each destination's migration makes of what was planted, where that lay durably: by the history's place, then by device.
    var durablePlantings: [Int: [DeviceID: Int]] = [:]
    /// The versions that were planted, or that a migration was made to bring anew, by the history's place: no app was told that they are stored.
    var plantedVersions: [Int: Set<Int>] = [:]
    /// Where a power loss may have taken the record of a value in preferences, and no app has set one since: by the history's and the device's place.
    var unrecorded: Set<[Int]> = []
    /// When the step ended that was noted last.
    private(set) var now = VirtualTime.start
    /// The devices on which something had no room.
    private(set) var lackedRoom: Set<DeviceID> = []
    /// Whether all steps were such as apps and people make when nothing goes wrong.
    private(set) var isUneventful = true
    /// Operations of one instant.
    private var overlaps = OverlapCheck()
    /// The version of the app on each device, by the device's place.
    var versions: [AppVersion]
    /// The highest that each device has had.
    var highestVersions: [AppVersion]
    /// The app's version that each backup holds.
    var backupVersions: [String: AppVersion] = [:]
    /// Keys whose stored bytes were changed behind LocalData's back.
    var spoiled: Set<Int> = []
    /// What a lying counterpart may have touched.
    var lies = LiesTold()
    /// Keys whose values cannot be told from the steps (``UntoldKeys``).
    var untold: Set<Int>
    /// Values that updates make of others.
    var made = MadeValues(of: [], untold: [:], deviceCount: 2)
    /// Whether a device has no passcode any more.
    var hasLostPasscode = false
    /// Keys that an app under test has set by itself: a value of theirs that no step wrote is its own.
    var setByApp: Set<Int> = []
    /// Keys of which nothing is promised, or nobody knows what.
    var damaged: Set<Int> { lies.keys.isEmpty && untold.isEmpty ? spoiled : spoiled.union(lies.keys).union(untold) }
    /// The values, by ``CheckedKey/first``, of which one may be left out of what is sent, or the watch cannot hold it.
    private(set) var oversized: Set<Int> = []
    /// Whether a value may not travel, or not be held by the watch.
    func mayNotArrive(_ value: ScenarioValue?) -> Bool { value.map { $0.isLarge || watchHas32BitInt && !$0.fits32Bits } ?? false }
    /// The devices, by place, that are other hardware than their master keys are bound to.
    var isNewHardware: Set<Int> = []

    /// Which versions of the app wrote and met what.
    var forms = FormsCheck()
    /// The sync policies that the app chose.
    var overrides = Overrides()
    /// What of the counterpart's could not be stored.
    var putOff = PutOffValues()
    /// What may be stored unnoted.
    var unnoted = UnnotedEdits()
    /// What the apps that run could not register.
    var refused = RefusedCatalogs()
    /// What must be secured as declared.
    private(set) var protections = Protections()
    /// A secret that an app without LocalData left where a key has its own, in the step before: by ``CheckedKey/first`` and the device's place.
    private(set) var foreignItem: (key: Int, device: Int)?
    /// The devices, by place, in whose keychains such a secret was left: by ``CheckedKey/first``.
    private var foreignItems: [Int: Set<Int>] = [:]
    /// Secrets that a widget has set: by ``CheckedKey/first`` and the device's place.
    private(set) var widgetSecrets: Set<[Int]> = []
    /// What must not travel for that.
    private var keptBack = KeptBack()
    /// Whether the phone may have lost what it stored: then it has the smaller forms of its values from the watch.
    var phoneMayHaveLost = false

    /// The watches that were worn while the devices came to rest, in turns, since anything was changed.
    var exchanges: [DeviceID] = []

    /// Counts what is looked at, where that was asked for.
    var recorder: CoverageRecorder?

    /// On which device each snapshot was taken.
    private var snapshots: [String: DeviceID] = [:]
    /// Whether less may be sent at once than with Apple's session.
    let hasSmallerLimits: Bool
    /// Values that code of the apps' own has, beside what it gives to keys.
    var valuesBesideKeys: [ScenarioValue] = []
    /// The devices whose app has no delegate, or lost it: the session tells it nothing, and takes nothing from it (W4, W8).
    var withoutDelegate: Set<DeviceID> = []
    /// The devices whose app does not take everything that arrives, as a step says.
    var deafDevices: Set<DeviceID> = []
    /// Whether keychain items outlive their app.
    let keychainSurvivesUninstall: Bool
    let unpairErasesWatch: Bool
    let preferencesWrittenWithin: VirtualDuration
    let watchHas32BitInt: Bool
    /// Whether the watch's app cannot be without that of the phone (W120).
    let isDependentWatchApp: Bool

    init(keys: [CheckedKey], untold: Set<Int> = [], knobs: Knobs, start: StartState = StartState()) {
        self.keys = keys
        self.untold = untold
        isDependentWatchApp = start.isDependentWatchApp
        devices = start.watch2 == nil ? [.phone, .watch] : [.phone, .watch, .watch2]
        latest = devices.map { _ in LatestSteps() }
        versions = devices.map { start[$0].appVersion }
        highestVersions = versions
        watchHas32BitInt = knobs.watchHas32BitInt
        let usual = Knobs()
        hasSmallerLimits =
            knobs.contextLimit < usual.contextLimit || knobs.messageLimit < usual.messageLimit || knobs.userInfoLimit < usual.userInfoLimit
        unpairErasesWatch = knobs.unpairErasesWatch
        preferencesWrittenWithin = knobs.preferencesWrittenWithin
        keychainSurvivesUninstall = knobs.keychainSurvivesUninstall
        histories = Array(repeating: VersionHistory(deviceCount: devices.count), count: keys.count * devices.count)
    }

    /// Synced values have one history; a value that stays on its device has one for each.
    func place(of key: CheckedKey, on device: DeviceID) -> Int {
        key.first * devices.count + (key.syncs ? 0 : device.place)
    }

    /// Tells apart what the devices know of each other's writes.
    static func fingerprint(of histories: [VersionHistory]) -> UInt64 {
        histories.indices.reduce(0) { $0 &* 31 &+ histories[$1].fingerprint }
    }

    // MARK: Steps

    /// Takes what came of a step, of several at once for a block.
    mutating func note(_ observations: [StepObservation], step: Int, at time: VirtualTime) -> Violation? {
        now = time
        for observation in observations where observation.conditions.lacksRoom {
            if let device = observation.action.device { lackedRoom.insert(device) }
        }
        noteDisturbances(observations, step: step)
        if !observations.allSatisfy(\.isOrdinary) { isUneventful = false }
        made.note(observations, versions: versions)
        if observations.contains(where: { !$0.action.leavesExchanges }) { exchanges = [] }
        keptBack.note(observations, keys)
        protections.note(observations, keys, refused)
        defer { foreignItem = foundForeignItem(observations) }
        for observation in observations { noteForeignItem(observation) }
        if let violation = noteOverlaps(observations, step: step) { return violation }
        for observation in observations { noteLies(observation, isAlone: observations.count == 1) }
        var begun: [Int?] = []
        for observation in observations { begun.append(beginWrite(observation, step: step, concurrent: begun)) }
        for (observation, number) in zip(observations, begun) {
            if let violation = observe(observation, version: number, step: step, isAlone: observations.count == 1) { return violation }
        }
        // What was acknowledged in the same instant was so before.
        for observation in observations { losePower(observation) }
        for observation in observations {
            noteForcedMigration(observation, step: step)
            noteUnnotedEdits(observation)
        }
        return nil
    }

    private mutating func noteOverlaps(_ observations: [StepObservation], step: Int) -> Violation? {
        // Taken out meanwhile: to show the whole to a part of it that changes would copy the whole.
        var overlaps = OverlapCheck()
        swap(&overlaps, &self.overlaps)
        defer { swap(&overlaps, &self.overlaps) }
        return overlaps.note(observations, step: step, at: now, in: self)
    }

    /// A secret that somebody stored before any app set one is older than all that are set, on either device.
    private mutating func foundForeignItem(_ observations: [StepObservation]) -> (key: Int, device: Int)? {
        guard let observation = observations.first, observations.count == 1, case .done = observation.result,
            case .data(let data) = observation.action, case .plant(let reference, _) = data.action
        else { return nil }
        let key = keys[reference.index]
        let place = place(of: key, on: data.device)
        guard key.isCurrent, key.isInKeychain, key.security.isKeychain, key.sources.isEmpty, histories[place].versions.count == 2 else {
            return nil
        }
        // Where the key declares no sync, what apps set before they choose one has no version either: nothing says which of the two is older.
        if !key.isSwitchedOn { histories[place].inherit(1) }
        return (key.first, data.device.place)
    }

    /// Of items without a version that somebody left in the keychains of two devices nothing says which is the later one.
    private mutating func noteForeignItem(_ observation: StepObservation) {
        if case .impossible = observation.result { return }
        guard case .data(let data) = observation.action, case .plant(let reference, _) = data.action else { return }
        let key = keys[reference.index]
        guard key.isInKeychain, key.syncs else { return }
        foreignItems[key.first, default: []].insert(data.device.place)
        if foreignItems[key.first, default: []].count > 1 { spoil(key) }
    }

    private mutating func beginWrite(_ observation: StepObservation, step: Int, concurrent: [Int?]) -> Int? {
        if case .impossible = observation.result { return nil }
        guard case .data(let data) = observation.action, isOfDevice(data), let (key, value) = data.action.written else { return nil }
        if let value {
            writtenValues[key.index, default: []].append((value, data.device))
            if mayNotArrive(value) { oversized.insert(keys[key.index].first) }
        }
        latest[data.device.place].write = step
        let checked = keys[key.index]
        if data.part == .widget, checked.isInKeychain { widgetSecrets.insert([checked.first, data.device.place]) }
        forms.noteWrite(of: value, checked, data, in: versions[data.device.place])
        noteOtherNames(of: checked, data)
        if case .plant = data.action, checked.isTakenOver { spoil(checked) }
        return histories[place(of: checked, on: data.device)].begin(
            value, on: data.device, step: step, concurrent: concurrent.compactMap { $0 }, isOfApp: data.part == .app)
    }

    /// Whether the step is about a value that both processes of the device have. What a widget keeps for itself nobody else is promised.
    func isOfDevice(_ step: DataStep) -> Bool {
        step.part == .app || (step.action.key.map { keys[$0.index].isSharedWithWidget } ?? true)
    }

    private mutating func observe(_ observation: StepObservation, version: Int?, step: Int, isAlone: Bool) -> Violation? {
        // A new process has its delegate.
        noteDelegate(observation)
        guard case .data(let data) = observation.action else { return forget(observation) }
        guard isOfDevice(data) else { return nil }
        if let key = data.action.key { plantings.touch(keys[key.index], on: data.device, step: step) }
        switch observation.result {
        case .impossible: return nil
        case .ended:
            noteOverride(data, step: step, isDone: false)
            return nil
        case .failed(let error):
            // Behind the app's back, and for the full disk of nobody's making. The value may lie there all the same.
            if case .plant(let key, _) = data.action {
                plant(key, data, step: step, isCertain: false)
                return nil
            }
            noteOverride(data, step: step, isDone: false)
            if isAlone, let version { withdraw(version, of: data, error, observation.conditions) }
            if ScenarioErrorName(error) == .storage(.superseded) { recorder?.looked(.forms) }
            if isAlone, !lies.mayConcern(data.action.key) { forms.noteFailure(error, of: data, keys) }
            if let violation = absence(of: data, error, observation, step: step, isAlone: isAlone) { return violation }
            return unexplained(error, data, observation, step: step)
        case .done:
            noteOverride(data, step: step, isDone: true)
            if let version, let key = data.action.written?.key {
                if let violation = forms.write(keys[key.index], data, step: step, isAlone: isAlone) { return violation }
                let place = place(of: keys[key.index], on: data.device)
                histories[place].acknowledge(version, at: now)
                if case .plant = data.action {
                    // What lies there without a record gives way to what a power loss took, as LocalData takes that back.
                    if unrecorded.contains([place, data.device.place]) { spoil(keys[key.index]) }
                    plant(key, data, step: step)
                } else {
                    // A removal of what is not there leaves no record.
                    if data.part == .app, data.action.written?.value != nil { unrecorded.remove([place, data.device.place]) }
                }
            }
            if case .takeSnapshot(let name) = data.action { snapshots[name] = data.device }
            if data.action.isSync {
                if !observation.conditions.hasFaults { latest[data.device.place].run = step }
                latest[data.device.place].sync = step
            }
            guard case .get(let key) = data.action, let value = observation.found.value else { return nil }
            return read(value, of: key, on: data.device, observation, step: step, isAlone: isAlone)?.inWidget(data.part == .widget)
        }
    }

    // MARK: Reads

    /// Holds a read against what is known. `value` is `nil` for verified absence.
    mutating func read(
        _ value: ScenarioValue?, of reference: KeyReference, on device: DeviceID, _ observation: StepObservation, step: Int,
        isAlone: Bool = true
    ) -> Violation? {
        let key = keys[reference.index]
        guard key.isCurrent, !damaged.contains(reference.index), isAlone else { return nil }
        if let recorder { tell(recorder, value, key, on: device, observation) }
        if let value, keptBack.isKept(value, of: key, from: device) {
            return Violation(
                .confinement, key: reference.identifier, device: device, step: step,
                explanation: ["the sync of '\(reference.identifier)' is off on the other device, and \(device) reads what was set there"],
                expectation: Expectation(.value(device, reference, .missing)))
        }
        if let value, let violation = forms.read(value, key, on: device, step: step) { return violation }
        let place = place(of: key, on: device)
        guard let contradiction = histories[place].read(value, on: device, as: form(of: key, on: device)) else { return nil }
        let wanted = histories[place].allowedValues(on: device)
        let expectation = Self.anyOf(wanted).map { Expectation(.value(device, reference, $0)) }
        switch contradiction {
        case .unknownValue:
            guard !setByApp.contains(reference.index) else {
                untold.formUnion(setByApp.filter { keys[$0].first == key.first })
                return nil
            }
            if let value, let violation = misplaced(value, of: key, on: device, step: step, expectation) { return violation }
            return Violation(
                .atomicity, key: reference.identifier, device: device, step: step,
                explanation: ["\(device) reads a value of '\(reference.identifier)' that no step wrote"], expectation: expectation)
        case .outdated(let found, let later):
            let isLocked = value == nil && observation.conditions.lockStates.contains { $0 != .unlocked }
            let invariant: Invariant = isLocked ? .absence : later.value == nil ? .removal : .durability
            return Violation(
                invariant, key: reference.identifier, device: device, step: step,
                explanation: [
                    "\(device) reads \(Self.text(found, of: reference)), which \(Self.origin(found))",
                    "\(device) had \(Self.text(later, of: reference)), which \(Self.origin(later)), after that",
                ], expectation: expectation)
        }
    }

    /// The form that a device may have of another's values.
    func form(of key: CheckedKey, on device: DeviceID) -> WatchForm? {
        device.isPhone && !phoneMayHaveLost ? nil : key.watchForm
    }

    /// A value that was written elsewhere: on the other device, or where an earlier version of the app kept it.
    private func misplaced(
        _ value: ScenarioValue, of key: CheckedKey, on device: DeviceID, step: Int, _ expectation: Expectation?
    ) -> Violation? {
        let name = key.reference.identifier
        if !key.syncs, valuesOnOneDevice(of: key).contains(where: { $0.device != device && $0.value.isSame(as: value) }) {
            return Violation(
                .confinement, key: name, device: device, step: step,
                explanation: ["'\(name)' does not sync, and \(device) reads \(value.notation), which was written on the other device"],
                expectation: expectation)
        }
        if plantings.values(for: key, on: device).contains(where: { $0.isSame(as: value) }) {
            return Violation(
                .migration, key: name, device: device, step: step,
                explanation: [
                    "\(device) reads \(value.notation) for '\(name)', which lay where an earlier version of the app kept it",
                    "'\(name)' had a value by then, which is newer than anything that an earlier version left",
                ], expectation: expectation)
        }
        return nil
    }

    /// One of some values, as a scenario file writes it: absence comes last. `nil` for more than a line may name.
    static func anyOf(_ values: [ScenarioValue?]) -> Expectation.ValueCondition? {
        var conditions: [Expectation.ValueCondition] = []
        for value in values.compactMap(\.self) where !conditions.contains(.equals(value)) { conditions.append(.equals(value)) }
        if values.contains(nil) { conditions.append(.missing) }
        guard let last = conditions.last, conditions.count <= Expectation.ValueCondition.maximumAlternatives else { return nil }
        return conditions.dropLast().reversed().reduce(last) { .either($1, $0) }
    }

    /// A read that finds verified absence fails with `notFound`.
    private mutating func absence(
        of data: DataStep, _ error: any Error, _ observation: StepObservation, step: Int, isAlone: Bool
    ) -> Violation? {
        guard case .get(let key) = data.action, ScenarioErrorName(error) == .storage(.notFound) else { return nil }
        if data.part == .widget, mayWaitBeyondWidget(keys[key.index], on: data.device) { return nil }
        return read(nil, of: key, on: data.device, observation, step: step, isAlone: isAlone)?.inWidget(data.part == .widget)
    }

    private func unexplained(_ error: any Error, _ data: DataStep, _ observation: StepObservation, step: Int) -> Violation? {
        let key = data.action.key
        if let key, damaged.contains(key.index) || !keys[key.index].isCurrent { return nil }
        recorder?.looked(.explanation)
        // An older version of the app does not open what a newer one has secured otherwise, nor does a migration take it.
        if ScenarioErrorName(error) == .storage(.undeclaredPolicy),
            (key.map { [keys[$0.index]] + origins(of: keys[$0.index]) } ?? keys).contains(where: \.mayMeetOtherPolicy)
        {
            return nil
        }
        // Its master key stayed on the hardware that was backed up.
        if isNewHardware.contains(data.device.place), ScenarioErrorName(error) == .storage(.keyMissing) { return nil }
        // A context that is refused as a whole stays the one that was received last.
        if data.action.isSync || data.action == .requestSnapshot, !lies.keys.isEmpty, ScenarioErrorName(error) == .storage(.invalidSnapshot)
        {
            return nil
        }
        // One's own is refused.
        if case .applySnapshot(let name) = data.action, snapshots[name] == data.device { return nil }
        // What LocalData sends at least does not fit into a session whose limits a knob has lowered, or beside a large context of the app's own; and a session
        // without a delegate takes nothing.
        if hasSmallerLimits || withoutDelegate.contains(data.device) || valuesBesideKeys.contains(where: \.isLarge),
            key == nil, ScenarioErrorName(error) == .storage(.inputOutput)
        {
            return nil
        }
        // What is done with all values is done with one that a migration takes from another key's place by its name, and that is sealed.
        if key == nil, !untold.isEmpty, ScenarioErrorName(error) == .storage(.undeclaredPolicy) { return nil }
        // What is done with all values is done with those in folders that are out of the app's reach, too.
        if key == nil, [.storage(.accessDenied), .storage(.inputOutput)].contains(ScenarioErrorName(error)),
            keys.contains(where: \.domain.isFileByPath)
        {
            return nil
        }
        // A form that a liar made up counts as one of a newer app.
        if !lies.keys.isEmpty, ScenarioErrorName(error) == .storage(.superseded) { return nil }
        guard !FailureReasons.explain(error, of: data, key: key.map { keys[$0.index] }, observation.conditions) else { return nil }
        return Violation(
            .explanation, key: key?.identifier, device: data.device, step: step,
            explanation: ["'\(data.verb)' fails with \(ErrorText.name(of: error)), and nothing is locked, faulty or full"])
    }

    // MARK: The end

    /// The values that were written on one device only, to this key only, with that device. One that is a part of another one may be found with it.
    func valuesOnOneDevice(of key: CheckedKey) -> [(value: ScenarioValue, device: DeviceID)] {
        let mine = writtenValues[key.reference.index] ?? []
        let others = writtenValues.filter { $0.key != key.reference.index }.flatMap(\.value)
        return mine.filter { written in
            !isOfAnyPattern(written.value)
                && !mine.contains { $0.device != written.device && $0.value.tells(written.value) }
                && !others.contains { $0.value.tells(written.value) }
        }
    }

    /// The values that were given to this secret key, and to none that is no secret, alone or as a part.
    func secretValues(of key: CheckedKey) -> [ScenarioValue] {
        let open = keys.filter { !$0.isSecret || $0.isInKeychain != key.isInKeychain }
            .flatMap { writtenValues[$0.reference.index] ?? [] }.map(\.value)
        guard !key.mayBeMadePlain else { return [] }
        return (writtenValues[key.reference.index] ?? []).map(\.value).filter { value in
            !isOfAnyPattern(value) && !open.contains { $0.tells(value) }
        }
    }

    /// Whether a value is bytes that begin as those do that an app has beside it, such as `data(100 bytes)`, whose pattern is the same wherever it is written. A
    /// text that lies elsewhere somebody has put there.
    private func isOfAnyPattern(_ value: ScenarioValue) -> Bool {
        guard case .data = value else { return false }
        return valuesBesideKeys.contains { $0.tells(value) }
    }
}
