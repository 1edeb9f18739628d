import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData
import WatchConnectivity

extension ScenarioRun {
    /// Looks whether an expectation holds, letting time pass as far as it says.
    func check(_ expectation: Expectation) throws {
        let start = try firstEvent(of: expectation)
        account(for: expectation.condition)
        defer { noteWanted(by: expectation, since: start) }
        if case .within(let span) = expectation.timing { return try check(expectation, since: start, within: span) }
        var finding = try find(expectation.condition, since: start, mark: expectation.since)
        switch expectation.timing {
        case .now, .within: break
        case .throughout(let span):
            let deadline = simulation.now + span
            _ = try simulation.run(
                until: {
                    finding = try find(expectation.condition, since: start, mark: expectation.since)
                    return !finding.isHolding
                }, deadline: deadline, alsoAt: { quietInstant(expectation.condition) })
        case .never(let span):
            let begin = simulation.now
            let isBroken = try simulation.run(
                until: {
                    finding = try find(expectation.condition, since: start, mark: expectation.since)
                    if case .fails = finding { return false } else { return true }
                },
                deadline: simulation.now + span,
                alsoAt: { quietInstant(expectation.condition) })
            finding = isBroken ? finding.objection(after: simulation.now - begin, of: span) ?? .holds : .holds
        }
        try finding.require()
    }

    /// Waits until an expectation holds. While nobody can answer, such as an app that does not run and that what is under way launches, it does not hold yet, unless it
    /// is of a value: then what the app's next process would read decides.
    private func check(_ expectation: Expectation, since start: Int, within span: VirtualDuration) throws {
        var obstacle: (any Error)?
        var finding = ExpectationResult.holds
        func look() throws -> Bool {
            do {
                finding = try find(expectation.condition, since: start, mark: expectation.since)
                obstacle = nil
                return finding.isHolding
            } catch let error as SimulationError {
                guard case .impossible = error else { throw error }
                obstacle = error
            } catch let error as StepFailure where error.isOfAppThatWaits {
                obstacle = error
            }
            switch try storedValue(expectation.condition) {
            case nil: return false
            case .another(let reason):
                obstacle = obstacle.map { Self.adding(reason, to: $0) }
                return false
            case .wanted:
                (finding, obstacle) = (.holds, nil)
                return true
            }
        }
        if try look() { return }
        _ = try simulation.run(until: look, deadline: simulation.now + span, alsoAt: { quietInstant(expectation.condition) })
        if let obstacle { throw obstacle }
        try finding.require()
    }

    /// The place in the trace from which the expectation's events count.
    private func firstEvent(of expectation: Expectation) throws -> Int {
        guard let name = expectation.since else { return firstStepEvent }
        guard let mark = marks[name] else { throw StepFailure("no place was marked '\(name)' before this step") }
        return mark
    }

    private func find(_ condition: Expectation.Condition, since start: Int, mark: String?) throws -> ExpectationResult {
        switch condition {
        case .value(let id, let key, let condition): try value(of: key, on: device(id), condition)
        case .widgetValue(let id, let key, let condition): try value(of: key, on: device(id), in: .widget, condition)
        case .observed(let id, let key, let condition): try observed(key, on: device(id), condition)
        case .widget(let id, let condition): try check(widgetOf: device(id), is: condition)
        case .migration(let id, let key, let condition): try migration(of: key, on: device(id), condition)
        case .deliveries(let id, let end, let channel, let count): deliveries(id, end, channel, count, since: start)
        case .session(let id, let property, let match): try session(property, of: device(id), match)
        case .message(let label, let condition): try message(label, condition)
        case .transfer(let label, let condition): try transfer(label, condition)
        case .outstanding(let id, let channel, let count): try outstanding(channel, on: device(id), count)
        case .receivedUserInfos(let id, let value): receivedUserInfos(of: id, value)
        case .complicationBudget(let id, let count): try complicationBudget(of: device(id), count)
        case .unobservedFailures(let count): unobservedFailures(count, since: start)
        case .stored(let id, let key, let isExpected): try stored(key, on: device(id), isExpected)
        case .sealed(let id, let key, let seal): try sealed(key, on: device(id), by: seal)
        case .reseal(let id, let key, let condition): try reseal(of: key, on: device(id), condition)
        case .masterKeys(let id, let count): try masterKeys(on: device(id), count)
        case .noPlaintext(let id, let key): try noPlaintext(of: key, on: device(id))
        case .file(let id, let path, let condition): try file(path, on: device(id), condition)
        case .app(let id, let condition): try app(on: device(id), is: condition)
        case .device(let id, let condition): try check(device(id), is: condition)
        case .inOrder(let patterns): inOrder(patterns, since: start)
        case .inAnyOrder(let patterns): inAnyOrder(patterns, since: start)
        case .event(let pattern, let count): events(pattern, count, since: start)
        case .nothingElse: nothingElse(since: mark ?? latestMark)
        case .devicesAgree(let key): try devicesAgree(on: key)
        case .pending(let id, let key, let isExpected): try pending(key, on: device(id), isExpected)
        case .audit(let id, let condition): try audit(of: device(id), condition)
        case .invariant(let name): try appInvariant(name)
        }
    }

    /// Runs something in the app, as an expectation does: to the end, without letting time pass.
    func ask<Value>(
        _ device: Device, in part: AppPart = .app, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Result<Value, any Error> {
        let process = try device.requireProcess(of: part)
        let name = part == .app ? "app" : "widget"
        guard process.state != .suspended else {
            throw StepFailure.ofAppThatWaits(
                "the \(name) is suspended: it answers when it runs again, after `\(device.id)\(part.notation) launch`")
        }
        let operation = process.start("expect", body)
        try simulation.runReady()
        guard let result = operation.result else {
            throw StepFailure("the \(name) waits for something that takes time, and has not answered")
        }
        return result
    }

    // MARK: Values

    private func value(
        of key: KeyReference, on device: Device, in part: AppPart = .app, _ condition: Expectation.ValueCondition
    ) throws -> ExpectationResult {
        let binding = part == .app ? binding(of: key, on: device) : keys[key]
        let result = try ask(device, in: part) { try await binding.get(with: .shared) }
        return hold(result, to: condition, "\(device.id)\(part.notation) \(key.identifier)", otherwise: "another value was found")
    }

    func hold(
        _ result: Result<ScenarioValue, any Error>, to condition: Expectation.ValueCondition, _ subject: String, otherwise finding: String
    ) -> ExpectationResult {
        guard !condition.holds(for: result) else { return .holds }
        let actual =
            switch result {
            case .success(let found): found.notation
            case .failure(let error) where ScenarioErrorName(error) == .storage(.notFound): "missing"
            case .failure(let error): "fails \(ErrorText.name(of: error))"
            }
        let finding =
            switch result {
            case .success: finding
            case .failure(let error) where ScenarioErrorName(error) == .storage(.notFound): "no value was found"
            case .failure: "reading failed"
            }
        var failure = StepFailure(finding, expected: "expect \(subject) \(condition.notation)", actual: "expect \(subject) \(actual)")
        guard case .failure(let error) = result, ScenarioErrorName(error) != .storage(.notFound), !condition.isOfError else {
            return .fails(failure)
        }
        // Of a key that the app does not have nobody asks. What cannot be read was at least tried.
        failure.isFinding = ScenarioErrorName(error) != .storage(.notRegistered)
        return .untold(failure)
    }

    private func check(widgetOf device: Device, is wanted: Expectation.WidgetCondition) -> ExpectationResult {
        let actual: Expectation.WidgetCondition =
            device.widget.map { $0.state == .suspended ? .suspended : .running } ?? .notRunning
        return .check(
            actual == wanted, "the widget is in another state",
            expected: "expect \(Expectation.Condition.widget(device.id, wanted).notation)",
            actual: "expect \(Expectation.Condition.widget(device.id, actual).notation)")
    }

    private func migration(of key: KeyReference, on device: Device, _ condition: Expectation.MigrationCondition) throws -> ExpectationResult
    {
        let binding = keys[key]
        let state =
            switch try ask(device, { try await binding.migrationState(with: .shared) }) {
            case .success(let state): state
            case .failure(let error): "blocked \(ErrorText.name(of: error))"
            }
        let subject = "expect \(device.id) migration of \(key.identifier)"
        return .check(
            state == condition.notation, "the plan says otherwise", expected: "\(subject) \(condition.notation)",
            actual: "\(subject) \(state)")
    }

    private func devicesAgree(on key: KeyReference?) throws -> ExpectationResult {
        let devices = [simulation.phone, simulation.activeWatch]
        // Of all keys, those that either app has by now.
        let present = Set(devices.flatMap { keys.references(in: version(of: $0)).map(\.index) })
        let compared = try key.map { [$0] } ?? (keys.synced + switchedOn(on: devices)).filter { present.contains($0.index) }
        guard !compared.isEmpty else {
            return .untold(StepFailure("no key of these apps syncs: there is nothing to agree on"))
        }
        for key in compared {
            var values: [ScenarioValue] = []
            let asked = devices.map { self.key(like: key, on: $0) }
            let found = try zip(devices, asked).map { device, key in
                let binding = binding(of: key, on: device)
                switch try ask(device, { try await binding.get(with: .shared) }) {
                case .success(let value):
                    values.append(value)
                    return value.notation
                case .failure(let error) where ScenarioErrorName(error) == .storage(.notFound): return "missing"
                case .failure(let error): return "fails \(ErrorText.name(of: error))"
                }
            }
            // A full value on the phone and its smaller form on the watch are one version.
            if values.count == 2, let form = keys.watchForm(of: asked[0]), form.applied(to: values[0]).isSame(as: values[1]) { continue }
            let isRead = !found.contains { $0.hasPrefix("fails ") }
            guard isRead, found[0] == found[1] else {
                let lacking = zip(devices, asked).filter { !exists($1.index, in: version(of: $0)) }.map(\.0)
                var failure = StepFailure(
                    lacking.first.map { remark(on: key, lackedBy: $0) } ?? "the devices do not agree on '\(key.identifier)'",
                    expected: "expect devices agree on \(key.identifier)",
                    actual: zip(zip(devices, asked), found).map { "expect \($0.0.id) \($0.1.identifier) \($1)" }.joined(separator: ", "))
                failure.isFinding = true
                return isRead ? .fails(failure) : .untold(failure)
            }
        }
        return .holds
    }

    /// The keys that declare no sync, and whose sync the apps on both devices have switched on.
    private func switchedOn(on devices: [Device]) throws -> [KeyReference] {
        let declared = Set(keys.synced.map(\.index))
        let others = scenario.keys.indices.filter { index in
            !declared.contains(index) && scenario.keys[index].availability.allowsSync
                && devices.allSatisfy { exists(index, in: version(of: $0)) }
        }
        return try others.map { KeyReference(index: $0, identifier: scenario.keys[$0].identifier) }.filter { key in
            let base = keys[key].key.base
            return try devices.allSatisfy { device in
                try ask(device) { StorageRouter.shared.syncPolicy(of: base) }.get() != .never
            }
        }
    }

    /// The key that the app on the device has in its place: another one, where its version does not have this one, and one alone of the same stored name.
    private func key(like key: KeyReference, on device: Device) -> KeyReference {
        let version = version(of: device)
        guard !exists(key.index, in: version) else { return key }
        let twins = scenario.keys.indices.filter { exists($0, in: version) && scenario.keys[$0].name == scenario[key].name }
        guard twins.count == 1 else { return key }
        return KeyReference(index: twins[0], identifier: scenario.keys[twins[0]].identifier)
    }

    func exists(_ key: Int, in version: AppVersion) -> Bool { scenario.keys[key].declaration?.exists(in: version) ?? true }

    private func remark(on key: KeyReference, lackedBy device: Device) -> String {
        let twins = scenario.keys.indices.filter { exists($0, in: version(of: device)) && scenario.keys[$0].name == scenario[key].name }
        let count = twins.isEmpty ? "none" : "\(twins.count) keys"
        return
            "the app on the \(device.id) has version \(version(of: device)), without '\(key.identifier)' and with \(count) of its stored name: "
            + "write what each device must have, such as `expect \(device.id) \(twins.first.map { scenario.keys[$0].identifier } ?? "theme") …`, "
            + "or compare once both have a version with the key"
    }

    private func pending(_ key: KeyReference?, on device: Device, _ isExpected: Bool) throws -> ExpectationResult {
        let status = try ask(device) { await StorageRouter.shared.syncStatus() }.get()
        let names = status.pending.map(\.key)
        let isPending = key.map { names.contains(scenario[$0].name) } ?? !names.isEmpty
        let recordsUnread = Set(status.problems.keys).subtracting(scenario.keys.map(\.name)).sorted()
        guard isPending || recordsUnread.isEmpty else {
            let unread = recordsUnread.map { "\($0), \(status.problems[$0]?.code.rawValue ?? "")" }.joined(separator: "; ")
            var failure = StepFailure("what waits cannot be told, since a record of the sync cannot be read: \(unread)")
            failure.isFinding = true
            return .untold(failure)
        }
        let list = names.sorted().joined(separator: " ")
        return .check(
            isPending == isExpected, isPending ? "still to be sent: \(list)" : "nothing of that is still to be sent",
            expected: isExpected ? "pending" : "not pending", actual: isPending ? "pending" : "not pending")
    }

    // MARK: What lies on the device

    private func stored(_ key: KeyReference, on device: Device, _ isExpected: Bool) throws -> ExpectationResult {
        let binding = keys[key]
        let operation = device.inspect("look at \(key.identifier)") { try await $0.storedByteCount(of: binding.key) }
        try simulation.finish(operation)
        let isStored = try operation.result?.get() != nil
        return .check(
            isStored == isExpected, isStored ? "something lies at the key's place" : "nothing lies at the key's place")
    }

    private func file(_ path: String, on device: Device, _ condition: Expectation.FileCondition) throws -> ExpectationResult {
        let attributes = try device.storage.storedFiles().first { $0.path == path }
        switch (condition, attributes) {
        case (.missing, nil):
            let isFolder = try device.storage.storedFiles().contains { $0.path.hasPrefix(path + "/") }
            return .check(!isFolder, "'\(path)' is a folder with files in it, and no file")
        case (.missing, _?): return .fails(StepFailure("'\(path)' exists"))
        case (_, nil): return .fails(StepFailure("there is no '\(path)'"))
        case (.exists, _?): return .holds
        case (.byteCount(let count), let found?):
            return .check(found.size == count, "it has \(found.size) bytes", expected: "\(count) bytes", actual: "\(found.size) bytes")
        case (.protection(let wanted), let found?):
            let name = found.protection.rawValue
            return .check(found.protection == wanted, "its protection is \(name)", expected: wanted.rawValue, actual: name)
        case (.excludedFromBackup(let wanted), let found?):
            return .check(found.isExcludedFromBackup == wanted, found.isExcludedFromBackup ? "it is excluded" : "it is backed up")
        }
    }

    // MARK: Session, app, device

    private func session(
        _ property: Expectation.SessionProperty, of device: Device, _ match: Expectation.MatchCondition
    ) throws -> ExpectationResult {
        let session = try device.requireProcess().endpoint
        let found: ScenarioValue =
            switch property {
            case .activationState: .string(session.activationState.notation)
            case .applicationContext: ScenarioValue(received: session.applicationContext)
            case .hasContentPending: .bool(session.hasContentPending)
            case .iOSDeviceNeedsUnlockAfterRebootForReachability: .bool(session.iOSDeviceNeedsUnlockAfterRebootForReachability)
            case .isCompanionAppInstalled: .bool(session.isCompanionAppInstalled)
            case .isComplicationEnabled: .bool(session.isComplicationEnabled)
            case .isPaired: .bool(session.isPaired)
            case .isReachable: .bool(session.isReachable)
            case .isWatchAppInstalled: .bool(session.isWatchAppInstalled)
            case .receivedApplicationContext: ScenarioValue(received: session.receivedApplicationContext)
            }
        let subject = "expect \(device.id) session \(property.rawValue)"
        switch match {
        case .equals(let wanted):
            // What LocalData keeps in the context is its own affair: a scenario compares the app's entries.
            let own = found.withoutEntry(SyncSnapshot.entryKey)
            return .check(
                wanted.isSame(as: own) || wanted.isSame(as: found), "the session says otherwise",
                expected: "\(subject) \(match.notation(of: property))",
                actual: "\(subject) \(Expectation.MatchCondition.equals(own).notation(of: property))")
        case .contains(let wanted):
            return .check(
                found.contains(wanted), "entries are missing or differ", expected: "\(subject) contains \(wanted.notation)",
                actual: "\(subject) \(found.withoutEntry(SyncSnapshot.entryKey).notation)")
        case .lacks(let name):
            return .check(found.entry(name) == nil, "it has an entry '\(name)'")
        }
    }

    private func message(_ label: String, _ condition: Expectation.MessageCondition) throws -> ExpectationResult {
        guard let log = messages[label] else { throw StepFailure("no message was sent as '\(label)'") }
        let actual =
            switch log.outcome {
            case .waiting: "waiting"
            case .replied(let value): "replied \(value.notation)"
            case .failed(let error): "failed \(ErrorText.name(of: error))"
            }
        guard log.repetitions == 0 else { return .fails(StepFailure("the handlers of '\(label)' were called more than once")) }
        switch (condition, log.outcome) {
        case (.replied(let wanted), .replied(let found)) where wanted.isSame(as: found): return .holds
        case (.answered, .replied), (.waiting, .waiting): return .holds
        case (.failed(let name), .failed(let error)) where ScenarioErrorName(error) == name: return .holds
        default: break
        }
        return .fails(
            StepFailure(
                "something else came of the message", expected: "expect message \(label) \(condition.notation)",
                actual: "expect message \(label) \(actual)"))
    }

    private func shown(_ name: String, on device: Device, is wanted: ScenarioValue) throws -> ExpectationResult {
        let process = try device.requireProcess()
        guard let app = process.app else { return .untold(StepFailure("the app is being made")) }
        let subject = "expect \(device.id) app"
        switch try ask(device, { try await app.shown(name) }) {
        case .success(let found):
            let holds = wanted.isSame(as: found)
            let look = "\(device.id) \(process.life.number) \(name) \(wanted.notation)"
            if looks.updateValue(holds, forKey: look) != holds {
                simulation.recorder.record(
                    .appShows, on: device.id, process: process.life.number, .init("name", .text(name)), .init("asExpected", .flag(holds)))
            }
            return .check(
                holds, "the app shows something else",
                expected: "\(subject) \(Expectation.AppCondition.shows(name, wanted).notation)",
                actual: "\(subject) \(Expectation.AppCondition.shows(name, found).notation)")
        case .failure(let error):
            var failure = StepFailure(ErrorText.of(error))
            failure.isFinding = !(error is AppActionError)
            return .untold(failure)
        }
    }

    private func app(on device: Device, is condition: Expectation.AppCondition) throws -> ExpectationResult {
        let state = device.process?.state
        let actual = device.isAppInstalled ? state?.rawValue ?? "not running" : "not installed"
        switch condition {
        case .running: return .check(state != nil, "the app is \(actual)")
        case .notRunning: return .check(state == nil, "the app is \(actual)")
        case .state(let wanted): return .check(state == wanted, "the app is \(actual)", expected: wanted.rawValue, actual: actual)
        case .installed(let wanted): return .check(device.isAppInstalled == wanted, "the app is \(actual)")
        case .shows(let name, let wanted): return try shown(name, on: device, is: wanted)
        case .version(let wanted):
            return .check(
                version(of: device) == wanted, "its version is \(device.appVersion)", expected: wanted.description,
                actual: device.appVersion)
        }
    }

    private func check(_ device: Device, is condition: Expectation.DeviceCondition) -> ExpectationResult {
        let actual: Expectation.DeviceCondition =
            if !device.state.isPoweredOn {
                .off
            } else {
                switch device.state.lockState {
                case .beforeFirstUnlock: .beforeFirstUnlock
                case .locked: .locked
                case .unlocked: .unlocked
                }
            }
        let holds = actual == condition || (condition == .on && actual != .off) || (condition == .locked && actual == .beforeFirstUnlock)
        let (expected, found) = (condition.words, actual.words)
        return .check(holds, "the device is \(found)", expected: expected, actual: found)
    }
}
