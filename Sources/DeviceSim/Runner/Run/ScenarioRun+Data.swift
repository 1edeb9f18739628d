import DeviceSimCore
import DeviceSimLanguage
import LocalData

extension ScenarioRun {
    /// Starts what the app is to do with LocalData.
    func begin(_ step: DataStep) throws -> BegunStep {
        let device = try device(step.device)
        if case .plant(let key, let value) = step.action { return try plant(value, for: key, on: device) }
        let found = ReadObservation()
        let operation = try start(step.action, on: device, in: step.part, found: found)
        return BegunStep(device: device, part: step.part, outcome: step.outcome, operation: operation, found: found)
    }

    private func start(_ action: DataStep.Action, on device: Device, in part: AppPart, found: ReadObservation) throws -> AppOperation<Void>
    {
        switch action {
        case .set(let key, let value):
            note(value, givenTo: key)
            return try access(.set, key, on: device, part, found) { try await $0.set(value, with: .shared) }
        case .get(let key): return try access(.get, key, on: device, part, found) { found.value = try await $0.get(with: .shared) }
        case .remove(let key): return try access(.remove, key, on: device, part, found) { try await $0.remove(with: .shared) }
        case .exists(let key):
            return try access(.exists, key, on: device, part, found) { found.exists = try await $0.exists(with: .shared) }
        case .observe(let key): return try observe(key, on: device)
        case .migrate(let key?): return try access(.migrate, key, on: device, part, found) { try await $0.migrate(with: .shared) }
        case .migrate(nil):
            let bindings = keys.references(in: version(of: device)).map { binding(of: $0, on: device) }
            return try device.start("migrate") {
                for binding in bindings where binding.key.migration != nil {
                    try await binding.migrate(with: .shared)
                }
            }
        case .rotateKeys:
            return try keyWork(.rotate, on: device) { try Self.requireAll(try await $0.rotateKeys().outcomes) }
        case .rotateAndRetireKeys:
            return try keyWork(.rotate, on: device) { router in
                let report = try await router.rotateKeys(retiringOldKeys: true)
                return try Self.requireAll(report.outcomes) + (report.retirement.map(Self.facts) ?? [])
            }
        case .reseal(let key?):
            let binding = binding(of: key, on: device)
            let name = storedName(of: key)
            return try keyWork(.reseal, on: device) {
                [name] + (try Self.requireAll([try await binding.reseal(with: $0)]))
            }
        case .reseal(nil): return try keyWork(.reseal, on: device) { try Self.requireAll(try await $0.resealValues()) }
        case .retireKeys, .retireKeysInQuiet:
            return try keyWork(.retire, on: device) {
                Self.facts(of: try await $0.retireUnneededKeys(whileOthersAreQuiet: action == .retireKeysInQuiet))
            }
        case .planRotation: return try keyWork(.plan, on: device) { Self.facts(of: try await $0.keyRotationPlan()) }
        case .audit:
            return try keyWork(.audit, on: device) { router in
                let report = await router.auditReport()
                return [
                    .init("keys", .number(report.items.count)), .init("findings", .number(report.findings?.count ?? 0)),
                    .init("orphaned", .number(report.orphans.count)),
                ]
            }
        case .register(let name): return try register(name, on: device)
        case .overrideSync(let key, let policy):
            let binding = binding(of: key, on: device)
            return try device.start("override sync of \(key.identifier)") { try await binding.overrideSync(policy, with: .shared) }
        case .clearOverrides:
            return try device.start("clear overrides") { try await StorageRouter.shared.removeSyncPolicyOverrides() }
        case .syncNow:
            if let app = keeper(on: device) { return try device.start("sync") { try await app.sync() } }
            return try device.start("sync") { try await StorageRouter.shared.syncNow() }
        case .sync:
            if let app = keeper(on: device) { return try device.start("sync") { try await app.sync() } }
            return try device.start("sync") { try await StorageRouter.shared.syncRegisteredKeysIfNeeded() }
        case .requestSnapshot:
            let app = try app(on: device)
            return try device.start("request snapshot") { try await app.reference.requestSnapshot() }
        case .takeSnapshot(let name):
            return try device.start("take snapshot") { [weak self] in
                let snapshot = try await StorageRouter.shared.syncSnapshot()
                self?.snapshots[name] = snapshot
            }
        case .applySnapshot(let name):
            guard let snapshot = snapshots[name] else { throw StepFailure("no snapshot was taken as '\(name)'") }
            return try device.start("apply snapshot") { _ = try await StorageRouter.shared.apply(snapshot) }
        case .applyPayload(let value):
            return try device.start("apply payload") {
                let snapshot = try SyncSnapshot(value.payload)
                _ = try await StorageRouter.shared.apply(snapshot)
            }
        case .plant(let key, _): throw StepFailure("'plant \(key.identifier)' runs no app code")
        }
    }

    /// Starts an operation on one key, and notes it in the trace when it ends.
    private func access(
        _ kind: TraceEvent.Kind, _ reference: KeyReference, on device: Device, _ part: AppPart, _ found: ReadObservation,
        _ body: @escaping @Sendable (any KeyBinding) async throws -> Void
    ) throws -> AppOperation<Void> {
        let binding = part == .app ? binding(of: reference, on: device) : keys[reference]
        let process = try device.requireProcess(of: part)
        let life = process.life
        let name = storedName(of: reference)
        // The step, which the acknowledgement comes of, whatever happened on the way to it.
        let cause = simulation.recorder.cause
        return process.start("\(kind.rawValue) \(reference.identifier)") { [weak device, weak self] in
            found.began = self?.nextMoment()
            defer { found.ended = self?.nextMoment() }
            do {
                try await body(binding)
                if life.isAlive {
                    self?.simulation.recorder.attribute(to: cause) {
                        device?.record(kind, by: life, [name])
                    }
                }
            } catch {
                if life.isAlive {
                    self?.simulation.recorder.attribute(to: cause) {
                        device?.record(
                            .failed, by: life,
                            [
                                .init("operation", .text(kind.rawValue)), name, .init("error", .text(ErrorText.name(of: error))),
                            ])
                    }
                }
                throw error
            }
        }
    }

    /// Stores a value behind the app's back, as an older version of it would have left it.
    private func plant(_ value: ScenarioValue, for key: KeyReference, on device: Device) throws -> BegunStep {
        guard device.state.isPoweredOn else {
            throw SimulationError.impossible(
                device: device.id, reason: "the device is off, and nobody writes anything there; power it on first")
        }
        note(value, givenTo: key)
        let binding = keys[key]
        let operation = device.inspect("plant \(key.identifier)") { try await binding.plant(value, with: $0) }
        try simulation.finish(operation)
        try operation.result?.get()
        return BegunStep(device: nil, outcome: .succeeds, operation: nil)
    }

    /// As events have it: those of sync, which LocalData reports, know no other name.
    func storedName(of key: KeyReference) -> TraceEvent.Fact { .init("key", .text(scenario[key].name)) }

    func version(of device: Device) -> AppVersion {
        AppVersion(device.appVersion) ?? scenario.start[device.id].appVersion
    }

    func app(on device: Device) throws -> ScenarioApp {
        guard let app = try device.requireProcess().app as? ScenarioApp else {
            throw StepFailure("this step is for the app that scenarios configure, and \(device.id) runs an app under test")
        }
        return app
    }
}
