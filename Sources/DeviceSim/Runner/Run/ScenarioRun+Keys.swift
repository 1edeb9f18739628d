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
        var resealed = 0
        for outcome in outcomes {
            switch outcome.result {
            case .resealed: resealed += 1
            case .current, .absent: break
            case .deferred(let error): throw error
            case .failed(let error): if outcome.mayBeResealedLater { throw error }
            }
        }
        return [.init("resealed", .number(resealed))]
    }

    // MARK: Expectations

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
