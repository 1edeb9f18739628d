import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Holds operations of one instant to ``Invariant/linearizability``: those of one device on one key must have the answers and the effects of some order.
///
/// A history begins with the first operation of an instant and ends when time passes or anything but an operation happens: from then on the counterpart's
/// versions may have come in. What lay at the key's place before it is not known for certain, so each value that may is tried.
struct OverlapCheck {
    private typealias Register = KeyRegister<ScenarioValue>

    private struct Open {
        var operations: [History<Register.Call, Register.Answer>.Operation] = []
        /// What the key may have held before, and what may lie at its migration's source.
        let values: [ScenarioValue?]
        let legacy: [ScenarioValue?]
        /// Whether another key may need what lies there.
        let mayLeaveSource: Bool
        var hasOverlap = false
    }

    private var histories: [Int: Open] = [:]
    private var time = VirtualTime.start

    /// Takes what came of a step before the keeper takes it.
    mutating func note(_ observations: [StepObservation], step: Int, at time: VirtualTime, in keeper: InvariantChecker) -> Violation? {
        if time != self.time { histories = [:] }
        self.time = time
        var touched: [Int] = []
        let mixed = endOtherNames(of: observations, in: keeper)
        for observation in observations {
            if case .impossible = observation.result { continue }
            guard case .data(let data) = observation.action, let call = data.action.call, let key = data.action.key else {
                // A sync may apply what came in; a device's step may end a process.
                histories = [:]
                return nil
            }
            guard keeper.isOfDevice(data) else { continue }
            let place = key.index * keeper.devices.count + data.device.place
            guard let began = observation.found.began, !keeper.damaged.contains(key.index), !keeper.setByApp.contains(key.index),
                !keeper.keys[key.index].isUnpredictable, !mixed.contains(place)
            else {
                histories[place] = nil
                continue
            }
            // A keychain that says it is locked, which a fault can make it say, has not denied that there is an item.
            let isKnown = !(observation.conditions.hasFaults && observation.found.exists == true)
            let answer = isKnown ? observation.answer : nil
            var history = histories[place] ?? begin(keeper.keys[key.index], on: data.device, in: keeper)
            history.operations.append(
                .init(
                    client: touched.count, call: call, began: began,
                    outcome: answer.flatMap { answer in
                        observation.found.ended.map { (answer, $0) }
                    }))
            if touched.contains(place) { history.hasOverlap = true }
            histories[place] = history
            touched.append(place)
        }
        for place in touched {
            guard let history = histories[place], history.hasOverlap else { continue }
            keeper.recorder?.looked(.linearizability)
            guard !Self.isExplained(history) else { continue }
            return violation(
                history, keeper.keys[place / keeper.devices.count], on: keeper.devices[place % keeper.devices.count], observations,
                step: step)
        }
        return nil
    }

    /// What is done under one name of a value has effects under the others, of which their histories do not know.
    /// - Returns: The places of keys whose values had operations under several names at once.
    private mutating func endOtherNames(of observations: [StepObservation], in keeper: InvariantChecker) -> Set<Int> {
        var mixed: Set<Int> = []
        var used: Set<Int> = []
        for observation in observations {
            guard case .data(let data) = observation.action, data.action.call != nil, let key = data.action.key else { continue }
            used.insert(key.index * keeper.devices.count + data.device.place)
        }
        for place in used {
            let key = keeper.keys[place / keeper.devices.count]
            for other in keeper.keys where other.reference != key.reference && other.mayHaveValue(of: key) {
                let its = other.reference.index * keeper.devices.count + place % keeper.devices.count
                histories[its] = nil
                if used.contains(its) { mixed.insert(its) }
            }
        }
        return mixed
    }

    private func begin(_ key: CheckedKey, on device: DeviceID, in keeper: InvariantChecker) -> Open {
        let made = keeper.plantings.values(for: key, on: device)
        var values = keeper.histories[keeper.place(of: key, on: device)].allowedValues(on: device)
        if let form = keeper.form(of: key, on: device) { values += values.map { $0.map(form.applied) } }
        // What an earlier version of the app set may wait there still.
        let waiting = keeper.mayWaitAtSource(key, on: device) ? values.filter { $0 != nil } : []
        let isAbsent = values.contains(nil) || made.isEmpty && waiting.isEmpty
        return Open(
            values: isAbsent ? values : values + [nil], legacy: [nil] + made.map { $0 } + waiting,
            mayLeaveSource: keeper.mayLeaveSources(of: key))
    }

    private static func isExplained(_ history: Open) -> Bool {
        for value in history.values {
            for legacy in history.legacy {
                for leavesSource in history.mayLeaveSource ? [false, true] : [false] {
                    let model = Register(device: "device", value: value, legacy: legacy, leavesSource: leavesSource)
                    switch LinearizabilityChecker(model, limit: 20_000).check(History(history.operations)) {
                    case .linearizable, .undecided: return true
                    case .notLinearizable: continue
                    }
                }
            }
        }
        return false
    }

    private func violation(_ history: Open, _ key: CheckedKey, on device: DeviceID, _ observations: [StepObservation], step: Int)
        -> Violation
    {
        let lines = history.operations.map { operation in
            let (answer, ended) = operation.outcome.map { ($0.answer.words, "\($0.ended)") } ?? ("ended without an answer", "…")
            return "from \(operation.began) to \(ended): \(operation.call.words), which \(answer)"
        }
        return Violation(
            .linearizability, key: key.reference.identifier, device: device, step: step,
            explanation: ["no order of these operations of \(device) on '\(key.reference.identifier)' gives their answers"] + lines,
            expectation: observations.count == 1 ? expectation(history, key, on: device) : nil
        ).inWidget(observations.count == 1 && Self.isOfWidget(observations[0]))
    }

    private static func isOfWidget(_ observation: StepObservation) -> Bool {
        if case .data(let data) = observation.action { data.part == .widget } else { false }
    }

    /// What the last read could have given.
    private func expectation(_ history: Open, _ key: CheckedKey, on device: DeviceID) -> Expectation? {
        guard let last = history.operations.last, last.call == .get, let ended = last.outcome?.ended else { return nil }
        var candidates = history.values + history.legacy
        for case .set(let value) in history.operations.map(\.call) { candidates.append(value) }
        var possible: [ScenarioValue?] = []
        for value in candidates where !possible.contains(value) {
            var other = history
            other.operations[other.operations.count - 1].outcome = (value.map { .value($0) } ?? .missing, ended)
            if Self.isExplained(other) { possible.append(value) }
        }
        return InvariantChecker.anyOf(possible).map { Expectation(.value(device, key.reference, $0)) }
    }
}

extension StepObservation {
    /// `nil` for a call that has no answer.
    fileprivate var answer: KeyRegister<ScenarioValue>.Answer? {
        switch result {
        case .impossible, .ended: nil
        case .failed(let error): action.isGet && ScenarioErrorName(error) == .storage(.notFound) ? .missing : .failed
        case .done: found.value.map { .value($0) } ?? found.exists.map { .exists($0) } ?? .done
        }
    }
}

extension ScenarioStep.Action {
    fileprivate var isGet: Bool {
        if case .data(let step) = self, case .get = step.action { true } else { false }
    }
}

extension DataStep.Action {
    fileprivate var call: KeyRegister<ScenarioValue>.Call? {
        switch self {
        case .set(_, let value): .set(value)
        case .get: .get
        case .remove: .remove
        case .exists: .exists
        case .migrate(_?): .migrate
        case .observe, .migrate(nil), .reseal, .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet, .planRotation, .audit,
            .register, .overrideSync, .clearOverrides,
            .sync, .syncNow, .requestSnapshot, .takeSnapshot, .applySnapshot, .applyPayload, .plant:
            nil
        }
    }
}

extension KeyRegister<ScenarioValue>.Call {
    fileprivate var words: String {
        switch self {
        case .set(let value): "set \(value.notation)"
        case .get: "get"
        case .remove: "remove"
        case .exists: "exists"
        case .migrate: "migrate"
        case .apply: "apply"
        }
    }
}

extension KeyRegister<ScenarioValue>.Answer {
    fileprivate var words: String {
        switch self {
        case .done: "succeeded"
        case .value(let value): "gave \(value.notation)"
        case .missing: "found nothing"
        case .exists(let isThere): isThere ? "said yes" : "said no"
        case .applied: "was applied"
        case .failed: "failed"
        }
    }
}
