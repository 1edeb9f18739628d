import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData
import WatchConnectivity

/// What is looked at when the steps are over and nothing is left to happen.
struct EndChecks {
    let run: ScenarioRun
    let stepCount: Int
    var probe: (any CheckedRunProbe)?

    func check(_ keeper: inout InvariantChecker, _ settling: inout QuiescenceMonitor) throws -> Violation? {
        if case .feedbackLoop(let violation) = try settling.pass(run, step: stepCount) { return violation }
        keeper.refused.look(at: run)
        if let violation = try limits(keeper) ?? openTasks() ?? deadSession(keeper) ?? outdatedObservers(keeper) { return violation }
        if run.mayHaveArrived, let violation = AppInvariantCheck(run: run, step: stepCount, recorder: keeper.recorder).check(isAtRest: true)
        {
            return violation
        }
        // Asking for values may set work off that the session has not done yet.
        let session = SessionCheck.check(
            run.simulation.trace, of: run.scenario, isAtRest: run.isInWorkingOrder, step: stepCount, keeper.recorder)
        var answers: [[Answer]] = []
        if let violation = try values(&keeper, &answers) { return violation }
        let contents = try run.simulation.devices.map { StoredOnDevice(device: $0, contents: try $0.storage.storedContents()) }
        let stored: Violation? =
            try confinement(keeper, contents) ?? secrecy(keeper, contents) ?? residue(keeper, contents) ?? protection(keeper)
        let violation: Violation? =
            try stored ?? leftovers(keeper, answers) ?? audits(keeper, answers) ?? existence(keeper, answers) ?? session
        if violation == nil, let probe, probe.asksApps { try ClosingRound(run: run, probe: probe).ask() }
        return violation
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
            if let violation = madeValue(key, answers, keeper, isJoined: isJoined) { return violation }
            guard key.syncs, isJoined,
                run.simulation.devices.allSatisfy({ isWorking($0) && !keeper.mayDoubtPreferences(behind: key, on: $0) }),
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

    private func madeValue(_ key: CheckedKey, _ answers: [Answer], _ keeper: InvariantChecker, isJoined: Bool) -> Violation? {
        guard keeper.made.contains(key), isJoined || !key.syncs, run.simulation.devices.allSatisfy(isWorking),
            !key.syncs || keeper.mayHaveConverged(key), !answers.contains(where: \.isNone),
            !run.simulation.devices.contains(where: { keeper.mayDoubtPreferences(behind: key, on: $0) })
        else { return nil }
        return keeper.madeValue(key, answers.map(\.value), step: stepCount)
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
            if let device = event.device, sendsUnfit(from: device) { continue }
            return Violation(
                .limits, device: event.device, step: stepCount,
                explanation: ["\(event.device?.description ?? "") was refused a context: \(error)"],
                expectation: Expectation(.event(EventPattern(event.kind, on: event.device), .exactly(0))))
        }
        return nil
    }

    /// Whether a step lets the app on that device send something of its own that its session may refuse.
    private func sendsUnfit(from device: DeviceID) -> Bool {
        appSteps.contains { $0.device == device && $0.valuesBesideKeys.contains(where: \.mayBeRefused) }
    }

    /// All steps, those of blocks by themselves.
    var appSteps: [ScenarioStep.Action] {
        run.scenario.steps.flatMap { step in
            if case .together(let steps) = step.action { steps.map(\.action) } else { [step.action] }
        }
    }

    // MARK: In the background

    /// A watch app completes what the system gave it: else something of it waited for what never came, and the app was ended over it.
    private func openTasks() -> Violation? {
        // Without a session nobody gets what the task was for.
        guard run.scenario.start.watch.activatesSession, run.scenario.start.watch2?.activatesSession ?? true else { return nil }
        // Nor is the session of a watch-only app ever activated, for which the reference app waits (W16).
        guard !run.scenario.start.isWatchOnlyApp else { return nil }
        for event in run.simulation.trace.events where event.kind == .crash && event["code"] == .text("0xc51bad02") {
            let isNegligent = appSteps.contains { action in
                if case .transfer(let step) = action { step.action == .refreshTasks(.never) } else { false }
            }
            guard !isNegligent else { return nil }
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
        keeper.recorder?.looked(.progress)
        let own = events.filter { $0.process == process.life.number }
        guard let last = own.lastIndex(where: { $0.kind == .deactivated }), !own[last...].contains(where: { $0.kind == .activate })
        else { return nil }
        // One that lets go of its delegate, or has forgotten it, is not told.
        let hasNoDelegate = appSteps.contains { action in
            guard case .session(let step) = action, step.device == .phone else { return false }
            return step.action == .releaseDelegate || step.action == .activateWithoutDelegate
        }
        guard !hasNoDelegate else { return nil }
        return Violation(
            .progress, device: .phone, step: stepCount,
            explanation: ["the phone's session is over, since another watch was put on, and its app has not activated it again (W14)"],
            expectation: Expectation(.session(.phone, .activationState, .equals(.string("activated"))), timing: .within(.seconds(60))))
    }

    // MARK: Observers of the session

    /// Who observes the session was told the last change of each property. What a session misses of its counterpart's coming back (W35) it does not show either.
    private func outdatedObservers(_ keeper: InvariantChecker) throws -> Violation? {
        for device in run.simulation.devices where isWorking(device) {
            guard let process = device.process, process.state != .suspended, run.sessionObservers.observes(process) else { continue }
            let observers = run.sessionObservers
            let operation = try device.start("look at the session") { observers.outdated(in: process, WCSession.default) }
            try run.simulation.finish(operation)
            guard case .success(let outdated)? = operation.result else { continue }
            keeper.recorder?.looked(.observation)
            // Of a dependent app's counterpart nobody is told that it is there: where the watch is, it is (W121).
            let isDependent = run.scenario.start.isDependentWatchApp
            guard let property = outdated.first(where: { !isDependent || $0 != .isCompanionAppInstalled }) else { continue }
            let pattern = EventPattern(.sessionObserved, on: device.id, facts: [.init("keyPath", .string(property.rawValue))])
            let told = run.simulation.trace.events.count { pattern.matches($0) }
            return Violation(
                .observation, device: device.id, step: stepCount,
                explanation: [
                    "code of \(device.id) that observes the session was told of `\(property.rawValue)` something else last than what it shows"
                ],
                expectation: Expectation(.event(pattern, .atLeast(told + 1))))
        }
        return nil
    }

    // MARK: Protection and migrations

    private func protection(_ keeper: InvariantChecker) throws -> Violation? {
        for device in run.simulation.devices {
            let check = ProtectionCheck(device: device, step: stepCount, bundleIdentifier: run.simulation.options.bundleIdentifier)
            if let violation = try check.check(keeper) { return violation }
        }
        return nil
    }

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
        // Without keys there is nothing that an audit could say of the app's values.
        for (place, device) in run.simulation.devices.enumerated() where isWorking(device) && !keeper.keys.isEmpty {
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

extension EndChecks.Answer {
    fileprivate var isNone: Bool {
        if case .none = self { true } else { false }
    }

    fileprivate var value: ScenarioValue? {
        if case .value(let value) = self { value } else { nil }
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
