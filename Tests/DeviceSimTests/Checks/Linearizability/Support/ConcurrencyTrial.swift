import DeviceSim
import Foundation
import LocalData
import Testing

/// Several tasks of one app use one key at once, in an order that a seed decides; the history of it is checked.
struct ConcurrencyTrial {
    var seed: UInt64
    var key: MeetingKey
    var clients = 4
    var callsOfEach = 4
    /// Whether a value lies where the key's migration looks for it.
    var startsWithLegacy = true

    struct Outcome {
        let history: History<KeyRegister<Int>.Call, KeyRegister<Int>.Answer>
        let verdict: Linearizability

        /// How many pairs of operations overlapped: a history without any proves nothing.
        var overlaps: Int {
            let spans = history.operations.map { ($0.began, $0.outcome?.ended ?? .max) }
            return spans.indices.reduce(0) { sum, index in sum + spans[(index + 1)...].count { $0.0 < spans[index].1 } }
        }
    }

    func run(_ makeRegister: (MeetingKey) -> any RegisterUnderTest) throws -> Outcome {
        var options = SimulationOptions()
        options.seed = seed
        options.order = .seeded(seed)
        options.makeApp = { _ in ReferenceApp(activatesSession: false) }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try prepare(simulation)

        let register = makeRegister(key)
        let recorder = HistoryRecorder<KeyRegister<Int>.Call, KeyRegister<Int>.Answer>()
        var random = SeededGenerator(seed: seed).fork("calls")
        let operations = try (0..<clients).map { client in
            let calls = self.calls(of: client, &random)
            return try simulation.phone.start("client \(client)") {
                for call in calls { await recorder.note(call, by: client) { await register.answer(to: call) } }
            }
        }
        for operation in operations { try simulation.finish(operation) }
        // What all of it came to.
        try simulation.run(on: simulation.phone) { await recorder.note(.get, by: -1) { await register.answer(to: .get) } }

        let model = KeyRegister<Int>(device: "phone", legacy: startsWithLegacy ? 0 : nil)
        return Outcome(history: recorder.history, verdict: LinearizabilityChecker(model).check(recorder.history))
    }

    private func prepare(_ simulation: Simulation) throws {
        let (key, startsWithLegacy) = (key, startsWithLegacy)
        try simulation.run(on: simulation.phone) {
            await EncryptionHelper.shared.registerKeyMaterialProvider(TrialKeyMaterial(), for: KeyMaterialSource(id: "trial"))
            // So that LocalData knows the key when a snapshot names it.
            _ = try await StorageRouter.shared.exists(key)
            if startsWithLegacy, let source = key.source { try await StorageRouter.shared.set(0, for: source) }
        }
    }

    /// Every value is set once, so that a read says whose it was.
    private func calls(of client: Int, _ random: inout SeededGenerator) -> [KeyRegister<Int>.Call] {
        (0..<callsOfEach).map { number in
            let value = 1 + client * 100 + number
            switch random.below(12) {
            case 0, 1, 2: return .set(value)
            case 3, 4, 5: return .get
            case 6: return .remove
            case 7: return .exists
            case 8, 9: return .migrate
            default:
                let stamp = SyncStamp(counter: UInt64(1 + random.below(4)), device: "watch \(value)")
                return .apply(random.below(4) == 0 ? nil : value, stamp)
            }
        }
    }
}

/// Material that is there only after another task had its turn.
struct TrialKeyMaterial: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data {
        await Task { Data(repeating: 7, count: 32) }.value
    }
}
