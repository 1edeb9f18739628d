import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation

/// What a run under all checks did, to be held against what another build of the tool makes of the same scenario.
///
/// It has no values: of what lies on a device, where it lies, how long it is, and a number that tells its bytes from others.
public struct RunAccount: Sendable, Hashable, Codable {
    /// Sixteen hexadecimal digits. Differs where anything does that a run shows: an event, what a step or a check was told, what lies on a device in the end.
    public let fingerprint: String
    /// What the run broke, and ended at; `nil`: it kept every ``Invariant``.
    public let broken: String?
    /// A line for each event; empty where only the fingerprint was asked for, as are the other parts.
    public let events: [String]
    /// The kind of each event.
    public let kinds: [String]
    /// What each step, and each check at the end, was told.
    public let answers: [Answer]
    /// What lies on the devices in the end.
    public let things: [Thing]

    /// What app code was told.
    public struct Answer: Sendable, Hashable, Codable {
        /// Such as `step 3, phone get theme: a value`.
        public let text: String
        /// Tells values from others.
        let content: UInt64
    }

    /// Something that lies on a device.
    public struct Thing: Sendable, Hashable, Codable {
        /// The device and the place, such as `phone: file Documents/theme`.
        public let place: String
        /// How many bytes it has.
        public let size: Int
        /// How it is protected, whether a power loss would leave it, and whether backups pass over it.
        public let standing: String
        /// Tells its bytes, and what lies beside them, such as attributes, from others.
        let content: UInt64
    }

    init(fingerprint: String, broken: String?, events: [String], kinds: [String], answers: [Answer], things: [Thing]) {
        (self.fingerprint, self.broken, self.events, self.kinds) = (fingerprint, broken, events, kinds)
        (self.answers, self.things) = (answers, things)
    }

    /// A hash with the length of each part.
    struct Digest {
        var value: UInt64 { hash.value }
        private var hash = FNV1a()

        mutating func add(_ bytes: some Sequence<UInt8>) {
            var count: UInt64 = 0
            for byte in bytes {
                hash.add(UInt64(byte))
                count += 1
            }
            add(count)
        }

        mutating func add(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { hash.add(number >> shift & 0xFF) }
        }

        var text: String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}

extension RunAccount {
    /// What a scenario's text comes to in this build. On the calling thread; same text and options, same account.
    /// - Parameter isWhole: False where only the fingerprint is asked for.
    /// - Returns: `nil` where the text is not one scenario without errors, or the run was given up.
    public init?(ofText text: String, options: RunOptions, isWhole: Bool) {
        let compilation = ScenarioCompiler.compile(
            path: "asked.scenario", files: .memory(["asked.scenario": text]), catalogs: options.catalogs)
        guard let scenario = compilation.scenarios.first, compilation.scenarios.count == 1 else { return nil }
        let witness = RunWitness()
        let result = CheckedRun.run(scenario, options: options, extent: nil, probe: witness)
        guard result.violation?.isStall != true else { return nil }
        self.init(result, witness, isWhole: isWhole)
    }

    init(_ result: CheckedResult, _ witness: RunWitness, isWhole: Bool) {
        var digest = Digest()
        digest.add(result.trace.json())
        for answer in witness.answers {
            digest.add(answer.text.utf8)
            digest.add(answer.content)
        }
        for thing in witness.things {
            digest.add("\(thing.place) \(thing.size) \(thing.standing)".utf8)
            digest.add(thing.content)
        }
        self.init(
            fingerprint: digest.text, broken: result.violation.map { "\($0.invariant.rawValue): \($0.explanation.first ?? "")" },
            events: isWhole ? result.trace.events.map(\.logLine) : [], kinds: isWhole ? result.trace.events.map(\.kind.rawValue) : [],
            answers: isWhole ? witness.answers : [], things: isWhole ? witness.things : [])
    }
}

/// Takes down what a run shows besides its events.
final class RunWitness: CheckedRunProbe, @unchecked Sendable {
    private(set) var answers: [RunAccount.Answer] = []
    private(set) var things: [RunAccount.Thing] = []
    let asksApps = true

    /// What the session of each device was like when it was last looked at, by place.
    private var sessions: [Int: String] = [:]

    func isMade(_ run: ScenarioRun) {}

    /// What a picture of the session would show, where that is another than before the step before.
    func begins(step: Int, of run: ScenarioRun) {
        for device in run.simulation.devices {
            let session = Self.session(of: device)
            guard sessions.updateValue(session, forKey: device.id.place) != session else { continue }
            answers.append(.init(text: "before step \(step + 1), the session of \(device.id):\n\(session)", content: 0))
        }
    }

    func told(_ observations: [StepObservation], at step: Int) {
        for observation in observations {
            let (text, content) = Self.answer(observation)
            answers.append(.init(text: "step \(step + 1), \(Self.name(of: observation.action)): \(text)", content: content))
        }
    }

    func told(_ answer: String, by device: DeviceID) { answers.append(.init(text: "\(device): \(answer)", content: 0)) }

    func takesStock(of run: ScenarioRun) { takeStock(of: run, when: "") }

    func isOver(_ run: ScenarioRun) { takeStock(of: run, when: things.isEmpty ? "" : ", after the closing work") }

    private func takeStock(of run: ScenarioRun, when: String) {
        for device in run.simulation.devices {
            guard let stored = try? device.storage.storedThings() else {
                told("what lies there\(when) cannot be read", by: device.id)
                continue
            }
            things += stored.map { RunAccount.Thing($0, on: device.id, when: when) }
        }
    }

    /// What the session shows and holds, a line for each thing. Without values.
    private static func session(of device: Device) -> String {
        let endpoint = device.process?.endpoint
        let shown = endpoint?.shown.map { "\($0.name) \($0.value)" } ?? []
        let held = (device.daemon.held + (endpoint?.heldMessages ?? [])).map { held in
            "\(held.channel.rawValue) \(held.number) for \(held.counterpart), \(held.place.rawValue), \(held.byteCount) B"
        }
        let files = device.daemon.heldFiles.map { path, content in
            switch content {
            case .list(let fields): "\(path): \(fields.keys.sorted().joined(separator: " "))"
            case .file(let bytes): "\(path), \(bytes.count) B"
            }
        }
        return (shown + held + files).joined(separator: "\n")
    }

    /// Without the value that a step gives.
    private static func name(of action: ScenarioStep.Action) -> String {
        guard case .data(let data) = action else { return String(action.notation.prefix { $0 != "\n" && $0 != "{" }) }
        return ["\(data.device)\(data.part.notation)", data.verb, data.action.key?.identifier].compactMap(\.self).joined(separator: " ")
    }

    private static func answer(_ observation: StepObservation) -> (text: String, content: UInt64) {
        switch observation.result {
        case .done:
            if let exists = observation.found.exists { return (exists ? "there is a value" : "there is none", 0) }
            guard let value = observation.found.value else { return ("done", 0) }
            var content = RunAccount.Digest()
            content.add(value.notation.utf8)
            return ("a value", content.value)
        case .failed(let error): return ("fails: \(ErrorText.of(error))", 0)
        case .ended: return ("ends with its process", 0)
        case .impossible(let reason): return ("cannot be done: \(reason)", 0)
        }
    }
}

extension RunAccount.Thing {
    fileprivate init(_ thing: DeviceStorage.StoredThing, on device: DeviceID, when: String) {
        var content = RunAccount.Digest()
        content.add(thing.bytes)
        for (name, bytes) in thing.beside {
            content.add(name.utf8)
            content.add(bytes)
        }
        let standing = [
            thing.protection, thing.isSynchronized ? "" : "not synchronized", thing.isExcludedFromBackup ? "in no backup" : "",
        ]
        self.init(
            place: "\(device): \(thing.kind.rawValue) \(thing.name)\(when)", size: thing.bytes.count,
            standing: standing.filter { !$0.isEmpty }.joined(separator: ", "), content: content.value)
    }
}
