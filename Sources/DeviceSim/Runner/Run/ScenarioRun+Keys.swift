import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Steps and expectations about master keys and what they seal.
extension ScenarioRun {
    /// Starts work on the keys, and notes it in the trace when it ends.
    func keyWork(
        _ kind: TraceEvent.Kind, on device: Device, _ body: @escaping @Sendable (StorageRouter) async throws -> [TraceEvent.Fact]
    ) throws -> AppOperation<Void> {
        let life = try device.requireProcess().life
        return try device.start(kind.rawValue) { [weak device] in
            do {
                let facts = try await body(.shared)
                if life.isAlive { device?.record(kind, facts) }
            } catch {
                if life.isAlive {
                    device?.record(
                        .failed, .init("operation", .text(kind.rawValue)), .init("error", .text(ErrorText.name(of: error))))
                }
                throw error
            }
        }
    }

    /// What became of the values, if none is left that another call may seal anew.
    /// - Throws: The error of the first one that is.
    static func requireAll(_ outcomes: [ResealOutcome]) throws -> [TraceEvent.Fact] {
        var (resealed, failed) = (0, 0)
        for outcome in outcomes {
            switch outcome.result {
            case .resealed: resealed += 1
            case .current, .absent: break
            case .deferred(let error): throw error
            case .failed(let error):
                if outcome.mayBeResealedLater { throw error }
                failed += 1
            }
        }
        return [.init("resealed", .number(resealed)), .init("failed", .number(failed))]
    }

    /// How many old keys went.
    static func facts(of report: KeyRetirementReport) -> [TraceEvent.Fact] {
        let ofGroups = report.kept.count { use in
            use.needs.contains { if case .accessGroup = $0 { true } else { false } }
        }
        return [
            .init("retired", .number(report.retired.count)), .init("kept", .number(report.kept.count)),
            .init("keptOfGroups", .number(ofGroups)),
        ]
    }

    /// How much the plan says.
    static func facts(of plan: KeyRotationPlan) -> [TraceEvent.Fact] {
        func count(_ isCounted: (Expectation.ResealState) -> Bool) -> TraceEvent.Value {
            .number(plan.values.count { isCounted($0.state.condition.state) })
        }
        let old = plan.keys.filter { if case .master = $0.key { !$0.isCurrent } else { false } }
        return [
            .init("due", count { $0 == .due }), .init("stuck", count { $0 == .deferred || $0 == .failed }),
            .init("old", .number(old.count)),
            .init("needless", .number(old.count { $0.needs.isEmpty })), .init("underWay", .flag(plan.isUnderWay)),
        ]
    }

    // MARK: Expectations

    /// Compares what the plan of a rotation says of a value.
    func reseal(of key: KeyReference, on device: Device, _ condition: Expectation.ResealCondition) throws -> ExpectationResult {
        let declared = binding(of: key, on: device).key
        let plan = try ask(device) { try await StorageRouter.shared.keyRotationPlan() }.get()
        guard let planned = plan.values.first(where: { $0.key == declared.name && $0.domain == declared.domain.kind }) else {
            throw StepFailure("'\(key.identifier)' is no sealed value of a registered key, so no rotation is about it")
        }
        let actual = planned.state.condition
        let subject = "expect \(device.id) reseal of \(key.identifier)"
        return .check(
            actual == condition, "the plan says otherwise", expected: "\(subject) \(condition.notation)",
            actual: "\(subject) \(actual.notation)")
    }

    func sealed(_ key: KeyReference, on device: Device, by wanted: Expectation.SealCondition) throws -> ExpectationResult {
        let binding = keys[key]
        let operation = device.inspect("look at \(key.identifier)") { router in
            (seal: try await router.sealingKey(of: binding.key), primary: try router.primaryMasterKey(of: binding.key))
        }
        try simulation.finish(operation)
        guard let found = try operation.result?.get() else { throw StepFailure("the device does not answer") }
        let actual: Expectation.SealCondition
        switch found.seal {
        case nil: return .fails(StepFailure("nothing sealed lies at the key's place"))
        case .master(let id)?: actual = id == found.primary ? .primaryKey : .oldKey
        case .external(let id)?: actual = .source(id)
        }
        let subject = "expect \(device.id) \(key.identifier) sealed by"
        return .check(
            actual == wanted, "something else seals it", expected: "\(subject) \(wanted.notation)", actual: "\(subject) \(actual.notation)")
    }

    func masterKeys(on device: Device, _ wanted: Int) throws -> ExpectationResult {
        let operation = device.inspect("look at the master keys") { try $0.masterKeys().ids.count }
        try simulation.finish(operation)
        guard let count = try operation.result?.get() else { throw StepFailure("the device does not answer") }
        return .check(
            count == wanted, "the keychain has another number of them",
            expected: "expect \(Expectation.Condition.masterKeys(device.id, wanted).notation)",
            actual: "expect \(Expectation.Condition.masterKeys(device.id, count).notation)")
    }
}

extension PlannedReseal.State {
    /// As a scenario file says it.
    fileprivate var condition: Expectation.ResealCondition {
        switch self {
        case .absent: .init(.absent)
        case .current: .init(.current)
        case .due: .init(.due)
        case .deferred(let error): .init(.deferred, .storage(error.code))
        case .failed(let error): .init(.failed, .storage(error.code))
        }
    }
}
