import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// What is looked at when the steps are over and nothing is left to happen.
struct EndChecks {
    let run: ScenarioRun
    let stepCount: Int
    var probe: (any CheckedRunProbe)?

    func check(_ keeper: inout InvariantChecker, _ settling: inout QuiescenceMonitor) throws -> Violation? {
        if case .feedbackLoop(let violation) = try settling.pass(run, step: stepCount) { return violation }
        keeper.refused.look(at: run)
        if let violation = limits(keeper) ?? openTasks() ?? deadSession(keeper) { return violation }
        // Asking for values may set work off that the session has not done yet.
        let session = SessionCheck.check(
            run.simulation.trace, of: run.scenario, isAtRest: run.isInWorkingOrder, step: stepCount, keeper.recorder)
        var answers: [[Answer]] = []
        if let violation = try values(&keeper, &answers) { return violation }
        let contents = try run.simulation.devices.map { StoredOnDevice(device: $0, contents: try $0.storage.storedContents()) }
        let violation =
            try confinement(keeper, contents) ?? secrecy(keeper, contents) ?? protection(keeper) ?? leftovers(keeper, answers)
            ?? audits(keeper, answers) ?? existence(keeper, answers) ?? session
        if violation == nil, let probe, probe.asksApps { try ask(for: probe) }
        return violation
    }

    /// What the apps that run say of their storage and of their sync.
    private func ask(for probe: any CheckedRunProbe) throws {
        for device in run.simulation.devices {
            guard let process = device.process, process.state != .suspended, !(process.app is any ValueKeeping) else { continue }
            let operation = try device.start("account") {
                let router = StorageRouter.shared
                return (audit: await router.auditReport(), sync: await router.syncStatus())
            }
            try run.simulation.finish(operation)
            do {
                guard let (audit, sync) = try operation.result?.get() else { continue }
                probe.told("audit: \(audit.text)", by: device.id)
                probe.told("sync: \(sync.account)", by: device.id)
            } catch {
                probe.told("audit and sync: \(ErrorText.of(error))", by: device.id)
            }
        }
    }

    // MARK: Values

    /// What a device in working order answers.
    fileprivate enum Answer {
        case value(ScenarioValue)
        case absent
        /// It cannot be asked, or says that it cannot say.
        case none
    }

    /// - Parameter all: Gets the answers of all devices for each key.
    private func values(_ keeper: inout InvariantChecker, _ all: inout [[Answer]]) throws -> Violation? {
        let isJoined = run.simulation.isLinkUp && !run.simulation.network.isLinkDead && run.simulation.network.isPaired
        for key in keeper.keys {
            var answers: [Answer] = []
            for device in run.simulation.devices {
                let (answer, violation) = try ask(device, key, &keeper)
                if let violation { return violation }
                answers.append(answer)
            }
            all.append(answers)
            guard key.syncs, isJoined,
                run.simulation.devices.allSatisfy({ isWorking($0) && !mayDoubtPreferences(behind: key, on: $0, keeper) }),
                keeper.mayHaveConverged(key)
            else { continue }
            // One that cannot travel is on one of three, and nothing says on which; and one that cannot be asked may have the latest.
            if keeper.devices.count > 2, keeper.oversized.contains(key.first) { continue }
            guard !answers.contains(where: \.isNone) else { continue }
            for (device, answer) in zip(keeper.devices, answers).dropFirst() {
                let violation = keeper.converge(key, phone: answers[0].value, watch: answer.value, on: device, step: stepCount)
                if let violation { return violation }
            }
        }
        return nil
    }

    private func ask(_ device: Device, _ key: CheckedKey, _ keeper: inout InvariantChecker) throws -> (Answer, Violation?) {
        guard key.isCurrent, key.isAvailable(on: device.id), device.process != nil, device.process?.state != .suspended,
            device.state.isPoweredOn, isDeclared(key, on: device, keeper)
        else { return (.none, nil) }
        let observations = try run.observe(.data(DataStep(device.id, .get(key.reference))))
        probe?.told(observations, at: stepCount)
        if let violation = keeper.note(observations, step: stepCount, at: run.simulation.now) { return (.none, violation) }
        guard let observation = observations.first else { return (.none, nil) }
        switch observation.result {
        case .done: return (observation.found.value.map { .value($0) } ?? .none, nil)
        case .failed(let error) where ScenarioErrorName(error) == .storage(.notFound): return (.absent, nil)
        default: return (.none, nil)
        }
    }

    /// Whether the app's process was prewarmed, and so takes preferences for locked until it is launched anew: such a value, and a migration that begins
    /// with one, waits for that.
    private func mayDoubtPreferences(behind key: CheckedKey, on device: Device, _ keeper: InvariantChecker) -> Bool {
        guard device.process?.life.wasPrewarmed == true else { return false }
        return ([key] + keeper.origins(of: key)).contains { $0.isInPreferences || $0.isUnpredictable }
    }

    /// Asked whether there is a value, a device says what it has just read.
    private func existence(_ keeper: InvariantChecker, _ answers: [[Answer]]) throws -> Violation? {
        for (key, answers) in zip(keeper.keys, answers) where !key.dependsOnPerson && !keeper.damaged.contains(key.reference.index) {
            for (device, answer) in zip(run.simulation.devices, answers) {
                if case .none = answer { continue }
                let observation = try run.observe(.data(DataStep(device.id, .exists(key.reference)))).first
                if case .done? = observation?.result { keeper.recorder?.looked(.absence) }
                guard case .done? = observation?.result, let found = observation?.found.exists, found != (answer.value != nil) else {
                    continue
                }
                let (name, read) = (key.reference.identifier, found ? "finds no value" : "finds a value")
                return Violation(
                    .absence, key: name, device: device.id, step: stepCount,
                    explanation: ["'get' \(read) for '\(name)' on \(device.id), and 'exists' says that there is \(found ? "one" : "none")"])
            }
        }
        return nil
    }

    /// Whether the app's version on the device declares the key's value, be it otherwise. What an update has dropped is nobody's.
    private func isDeclared(_ key: CheckedKey, on device: Device, _ keeper: InvariantChecker) -> Bool {
        guard let version = AppVersion(device.appVersion) else { return true }
        // An app without its list of keys refuses the use of none: it would find what only another version has.
        if keeper.refused.isRefused(key, on: device.id), !key.exists(in: version) { return false }
        // What another version has secured otherwise, this one need not read.
        let isSecuredOtherwise = keeper.keys.contains { $0.first == key.first && $0.mayMeetOtherPolicy }
        guard !isSecuredOtherwise && key.movesBack || key.exists(in: version) else { return false }
        return keeper.keys.contains { $0.first == key.first && $0.isCurrent && $0.exists(in: version) }
    }

    /// Whether nothing keeps the app on the device from doing its work.
    private func isWorking(_ device: Device) -> Bool { device.isInWorkingOrder }

    // MARK: Sending

    private func limits(_ keeper: InvariantChecker) -> Violation? {
        // How much may be sent at once LocalData knows of Apple's session, not of one that a knob has made smaller.
        guard run.scenario.knobs.contextLimit >= Knobs().contextLimit else { return nil }
        if let recorder = keeper.recorder {
            for case .number(let size)? in run.simulation.trace.events.filter({ $0.kind == .contextUpdated }).map({ $0["bytes"] }) {
                recorder.looked(.limits)
                if size > Knobs().contextLimit / 10 * 9 { recorder.wasNear(.limits) }
            }
        }
        for event in run.simulation.trace.events where event.kind == .contextRefused || event.kind == .sessionError {
            guard case .text(let error)? = event["error"], ["payloadTooLarge", "payloadUnsupportedTypes"].contains(error) else { continue }
            // What the app sends beside LocalData is for its own code to make fit.
            if let device = event.device, sends(by: device) { continue }
            return Violation(
                .limits, device: event.device, step: stepCount,
                explanation: ["\(event.device?.description ?? "") was refused a context: \(error)"],
                expectation: Expectation(.event(EventPattern(event.kind, on: event.device), .exactly(0))))
        }
        return nil
    }

    /// Whether a step lets the app on that device send something of its own.
    private func sends(by device: DeviceID) -> Bool {
        appSteps.contains { action in
            switch action {
            case .session(let step):
                switch step.action {
                case .updateContext, .sendMessage, .sendMessageData: step.device == device
                // Its answers are sent by the device that is asked.
                case .answersMessages: step.device == device
                default: false
                }
            case .transfer(let step): step.device == device
            default: false
            }
        }
    }

    private var appSteps: [ScenarioStep.Action] {
        run.scenario.steps.flatMap { step in
            if case .together(let steps) = step.action { steps.map(\.action) } else { [step.action] }
        }
    }

    // MARK: In the background

    /// A watch app completes what the system gave it: else something of it waited for what never came, and the app was ended over it.
    private func openTasks() -> Violation? {
        // Without a session nobody gets what the task was for.
        guard run.scenario.start.watch.activatesSession, run.scenario.start.watch2?.activatesSession ?? true else { return nil }
        let isNegligent = appSteps.contains { action in
            if case .transfer(let step) = action { step.action == .refreshTasks(.never) } else { false }
        }
        // Nor is the session of a watch-only app ever activated, for which the reference app waits (W16).
        guard !isNegligent, !run.scenario.start.isWatchOnlyApp else { return nil }
        for event in run.simulation.trace.events where event.kind == .crash && event["code"] == .text("0xc51bad02") {
            return Violation(
                .progress, device: event.device, step: stepCount,
                explanation: ["the watch app was ended over a refresh task that it left open (0xc51bad02)"],
                expectation: Expectation(.event(EventPattern(.crash, on: event.device), .exactly(0))))
        }
        return nil
    }

    // MARK: Another watch

    /// The phone's app activates its session again, which is over when the person has put on another watch (W12, W14).
    private func deadSession(_ keeper: InvariantChecker) -> Violation? {
        guard keeper.devices.count > 2, let process = run.simulation.phone.process, process.state != .suspended else { return nil }
        // An app that lacks a method of the delegate, as a step says, is not expected to.
        let events = run.simulation.trace.events.filter { $0.device == .phone }
        guard !events.contains(where: { $0.kind == .unimplemented }) else { return nil }
        // Nor is one that lets go of its delegate, or has forgotten it.
        let hasNoDelegate = appSteps.contains { action in
            guard case .session(let step) = action, step.device == .phone else { return false }
            return step.action == .releaseDelegate || step.action == .activateWithoutDelegate
        }
        guard !hasNoDelegate else { return nil }
        keeper.recorder?.looked(.progress)
        let own = events.filter { $0.process == process.life.number }
        guard let last = own.lastIndex(where: { $0.kind == .deactivated }), !own[last...].contains(where: { $0.kind == .activate })
        else { return nil }
        return Violation(
            .progress, device: .phone, step: stepCount,
            explanation: ["the phone's session is over, since another watch was put on, and its app has not activated it again (W14)"],
            expectation: Expectation(.session(.phone, .activationState, .equals(.string("activated"))), timing: .within(.seconds(60))))
    }

    // MARK: Where values lie

    private struct StoredOnDevice {
        let device: Device
        let contents: StoredContents
    }

    /// A value that stays on its device lies nowhere on the other, and came to it in no context.
    private func confinement(_ keeper: InvariantChecker, _ stored: [StoredOnDevice]) throws -> Violation? {
        let sources = Set(keeper.keys.flatMap(\.sources))
        // What one version of the app keeps for itself, another may send from the same place.
        let travelling = Set(keeper.keys.filter(\.syncs).map(\.first))
        let chosen = Set(appSteps.compactMap(\.keyChosenToTravel).map { keeper.keys[$0.index].first })
        let confined = keeper.keys.filter { key in
            // With a value its migration takes along that the app chose to sync it.
            !key.syncs && !sources.contains(key.reference) && !travelling.contains(key.first) && !chosen.contains(key.first)
                && !keeper.origins(of: key).contains(where: \.isSwitchedOn)
        }
        guard confined.contains(where: { !keeper.valuesOnOneDevice(of: $0).isEmpty }) else { return nil }
        let received = stored.map { $0.contents.adding(receivedContext(of: $0.device), at: "the received context") }
        for key in confined {
            for (value, owner) in keeper.valuesOnOneDevice(of: key) {
                for needle in try needles(value, of: key, among: keeper.keys) {
                    keeper.recorder?.looked(.confinement)
                    for (other, contents) in zip(stored.map(\.device), received) where other.id != owner {
                        guard let place = contents.places(containing: needle).first else { continue }
                        return Violation(
                            .confinement, key: key.reference.identifier, device: other.id, step: stepCount,
                            explanation: [
                                "'\(key.reference.identifier)' does not sync, and its value from \(owner) lies in \(place) of \(other.id)"
                            ],
                            expectation: Expectation(.noPlaintext(other.id, key.reference)))
                    }
                }
            }
        }
        return nil
    }

    private func receivedContext(of device: Device) -> Data {
        guard let context = device.process?.endpoint.receivedApplicationContext, !context.isEmpty else { return Data() }
        return PropertyListValue(propertyList: context)?.canonicalBytes ?? Data()
    }

    private func secrecy(_ keeper: InvariantChecker, _ stored: [StoredOnDevice]) throws -> Violation? {
        let secrets = keeper.keys.filter { $0.isSecret && !keeper.spoiled.contains($0.reference.index) }
        guard secrets.contains(where: { !keeper.secretValues(of: $0).isEmpty }) else { return nil }
        let trace = Data(run.simulation.trace.json())
        for key in secrets {
            for value in keeper.secretValues(of: key) {
                if let violation = try readable(value, of: key, keeper) { return violation }
                for needle in try needles(value, of: key, among: keeper.keys) {
                    keeper.recorder?.looked(.secrecy)
                    for one in stored {
                        let places = one.contents.places(containing: needle)
                        guard let place = places.first(where: { !(key.isInKeychain && $0.hasPrefix("keychain ")) }) else { continue }
                        return Violation(
                            .secrecy, key: key.reference.identifier, device: one.device.id, step: stepCount,
                            explanation: [
                                "the value of '\(key.reference.identifier)' is a secret, and lies readable in \(place) of \(one.device.id)"
                            ],
                            expectation: Expectation(.noPlaintext(one.device.id, key.reference)))
                    }
                    if trace.holds(needle), !isPartOfName(needle) {
                        return Violation(
                            .secrecy, key: key.reference.identifier, step: stepCount,
                            explanation: ["the value of '\(key.reference.identifier)' is a secret, and is readable in the trace"])
                    }
                }
            }
        }
        return nil
    }

    /// A value that no byte string tells from others, where it lies as a value of its own: a number, a short text, what is made of these.
    private func readable(_ value: ScenarioValue, of key: CheckedKey, _ keeper: InvariantChecker) throws -> Violation? {
        guard !value.isFoundAsBytes, value.isWorthReadingFor else { return nil }
        let search = ReadableValueSearch(value, serialized: try run.keys[key.reference].serialized(value))
        let places = keeper.keys.flatMap { [$0.name, (try? StorageLocation(of: run.keys[$0.reference].key.base))?.identity ?? ""] }
        guard search.refusal(places: places) == nil else { return nil }
        for device in run.simulation.devices {
            guard let place = try search.place(in: device, isAllowed: { key.isInKeychain && $0.hasPrefix("keychain ") }) else { continue }
            return Violation(
                .secrecy, key: key.reference.identifier, device: device.id, step: stepCount,
                explanation: ["the value of '\(key.reference.identifier)' is a secret, and lies readable in \(place) of \(device.id)"],
                expectation: Expectation(.noPlaintext(device.id, key.reference)))
        }
        return nil
    }

    /// Whether the name of a fact has it in it: there it is no secret.
    private func isPartOfName(_ needle: Data) -> Bool {
        run.simulation.trace.events.contains { $0.facts.contains { Data($0.name.utf8).holds(needle) } }
    }

    private func needles(_ value: ScenarioValue, of key: CheckedKey, among keys: [CheckedKey]) throws -> [Data] {
        guard value.isUnmistakable else { return [] }
        let needles = PlaintextSearch.needles(for: value, serialized: try run.keys[key.reference].serialized(value))
        // LocalData writes down where values lie. A value that is a part of that says nothing there.
        let isPartOfPlace = keys.contains { other in
            let place = Data(((try? StorageLocation(of: run.keys[other.reference].key.base))?.identity ?? other.name).utf8)
            return needles.contains { place.holds($0) }
        }
        return isPartOfPlace ? [] : needles
    }

    private func protection(_ keeper: InvariantChecker) throws -> Violation? {
        for device in run.simulation.devices {
            let check = ProtectionCheck(device: device, step: stepCount, bundleIdentifier: run.simulation.options.bundleIdentifier)
            if let violation = try check.check(keeper) { return violation }
        }
        return nil
    }

    // MARK: Migrations

    /// Where a destination holds a value that its app can read, its sources hold none.
    private func leftovers(_ keeper: InvariantChecker, _ answers: [[Answer]]) throws -> Violation? {
        for (key, answers) in zip(keeper.keys, answers) where !key.sources.isEmpty && !keeper.untold.contains(key.reference.index) {
            for (device, answer) in zip(run.simulation.devices, answers)
            // Into preferences it takes a later process, and a minute (see LocalData's migrations).
            where !key.isInPreferences && key.isAvailable(on: device.id) && isWorking(device)
                && keeper.wasPlantedBeforeLaunch(key, on: device.id)
            {
                guard answer.value != nil else { continue }
                keeper.recorder?.looked(.migration)
                // A prewarmed process doubts a suite that has lost its witness with the power; the next one sees what lies there.
                let doubtsPreferences = device.process?.life.hasDoubtfulPreferences == true
                for source in key.sources
                where try !(doubtsPreferences && keeper.keys[source.index].isInPreferences) && lies(source, on: device)
                    && !isOneFile(source, key.reference, on: device)
                {
                    return Violation(
                        .migration, key: key.reference.identifier, device: device.id, step: stepCount,
                        explanation: [
                            "'\(key.reference.identifier)' was migrated on \(device.id), and '\(source.identifier)' still holds a value"
                        ],
                        expectation: Expectation(.stored(device.id, source, false)))
                }
            }
        }
        return nil
    }

    // MARK: Audit

    private func audits(_ keeper: InvariantChecker, _ answers: [[Answer]]) throws -> Violation? {
        for (place, device) in run.simulation.devices.enumerated() where isWorking(device) {
            let check = AuditCheck(run: run, device: device, step: stepCount)
            if let violation = try check.check(keeper, isReadable: { answers[$0.reference.index][place].value != nil }) { return violation }
        }
        return nil
    }

    /// Whether an old place is the new one, under another name: then its value is where it belongs.
    private func isOneFile(_ source: KeyReference, _ destination: KeyReference, on device: Device) throws -> Bool {
        let (source, destination) = (run.keys[source].key, run.keys[destination].key)
        let operation = device.inspect("compare files") { try await $0.isOneFile(source, destination) }
        try run.simulation.finish(operation)
        return try operation.result?.get() == true
    }

    private func lies(_ key: KeyReference, on device: Device) throws -> Bool {
        let binding = run.keys[key]
        let operation = device.inspect("look at \(key.identifier)") { try await $0.storedByteCount(of: binding.key) }
        try run.simulation.finish(operation)
        do {
            return try operation.result?.get() != nil
        } catch let error as StorageError where error.code == .accessDenied {
            // By its path, in a container that the app has no more.
            return false
        }
    }
}

extension ScenarioValue {
    /// Whether the value's bytes say that it is this one wherever they are found. A few digits stand in any file.
    fileprivate var isUnmistakable: Bool {
        switch self {
        case .string(let text): text.utf8.count > (text.allSatisfy(\.isHexDigit) ? 6 : 4)
        case .integer(let number): number.magnitude > 999_999
        case .unsigned: true
        case .data(let bytes): bytes.count > 4
        case .null, .bool: false
        case .double(let number): "\(number)".utf8.count > 6
        case .date(let date): date.timeIntervalSinceReferenceDate.magnitude > 999_999
        case .url, .uuid: true
        case .array(let elements): elements.contains { $0.isUnmistakable }
        case .object(let members): members.values.contains { $0.isUnmistakable }
        }
    }

    /// Whether the search for byte strings finds it in whatever form it lies: a text, or bytes.
    fileprivate var isFoundAsBytes: Bool {
        switch self {
        case .string, .data: isUnmistakable
        default: false
        }
    }

    /// Smaller numbers are drawn for other keys, counted by LocalData, or both: nobody could tell whose one is.
    fileprivate var isWorthReadingFor: Bool {
        switch self {
        case .null, .bool: false
        case .integer(let number): number.magnitude > 9_999
        case .unsigned(let number): number > 9_999
        case .double(let number): abs(number) > 9_999
        // Four letters, and a few hexadecimal digits, are a part of many things.
        case .string(let text): text.utf8.count < 4 || isUnmistakable
        case .data, .date: isUnmistakable
        case .url, .uuid: true
        case .array(let elements): elements.contains { $0.isWorthReadingFor }
        case .object(let members): members.values.contains { $0.isWorthReadingFor }
        }
    }
}

extension ScenarioStep.Action {
    /// The key of which the app chooses that its value travels.
    fileprivate var keyChosenToTravel: KeyReference? {
        guard case .data(let data) = self, case .overrideSync(let key, let policy?) = data.action, policy != .never else { return nil }
        return key
    }
}

extension EndChecks.Answer {
    fileprivate var isNone: Bool {
        if case .none = self { true } else { false }
    }

    fileprivate var value: ScenarioValue? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension SyncStatus {
    /// In one line.
    fileprivate var account: String {
        let waiting = pending.map { "\($0.key) waits (\($0.obstacle))" }
        let problems = problems.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key): \($0.value)" }
        let parts = [
            waiting, didNotFit.map { "\($0) did not fit" }, tombstones.map { "\($0) is deleted" }, unknownKeys.map { "\($0) is unknown" },
            lockedKeys.map { "\($0) is locked" }, problems, [lastError.map { "\($0)" }].compactMap(\.self),
        ]
        return parts.joined().joined(separator: "; ")
    }
}

extension ScenarioRun {
    /// Whether both apps can do their work, and the devices reach each other.
    var isInWorkingOrder: Bool {
        simulation.isLinkUp && !simulation.network.isLinkDead && simulation.network.isPaired
            && simulation.devices.allSatisfy(\.isInWorkingOrder)
    }
}

extension Device {
    /// Whether nothing keeps the app on the device from doing its work.
    fileprivate var isInWorkingOrder: Bool {
        guard state.isPoweredOn, isAppInstalled, state.lockState == .unlocked, storage.faults.isEmpty,
            storage.freeSpace == nil, let process = process, process.state != .suspended
        else { return false }
        return !process.life.startedBeforeFirstUnlock && process.endpoint.activationState == .activated
    }
}
