import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Looks at what lies on the devices when nothing is left to happen in the midst of a run: there is nothing yet that puts the apps right, as at the end, which
/// would hide what they left undone.
struct RestCheck {
    let run: ScenarioRun
    let step: Int

    /// All devices must have the same. What each of them was told counts from then on for all.
    func check(_ keeper: inout InvariantChecker) throws -> Violation? {
        // What the phone does not know of (W25) it does not send to.
        guard run.isInWorkingOrder, !run.hasOwnStorage, run.simulation.phone.process?.endpoint.isWatchAppInstalled == true else {
            return nil
        }
        let keys = keeper.keys.filter {
            (keeper.canBeHeldAtRest($0) || keeper.isPartAtRest($0)) && keeper.hasVersions($0) && isOpen($0, keeper)
        }
        guard !keys.isEmpty else { return nil }
        let found = try run.simulation.devices.map { try run.look(at: keys.map(\.reference), on: $0) }
        for (place, key) in keys.enumerated() {
            guard let values = Self.values(found.map { $0[place] }, of: key) else { continue }
            guard !keeper.made.isPart(key) else {
                keeper.noteRest(ofPart: key, values)
                continue
            }
            if let violation = converge(key, values, &keeper) { return violation }
            keeper.histories[keeper.place(of: key, on: .phone)].noteRest()
        }
        return nil
    }

    private func isOpen(_ key: CheckedKey, _ keeper: InvariantChecker) -> Bool {
        !run.simulation.devices.contains { keeper.mayDoubtPreferences(behind: key, on: $0) }
    }

    /// - Returns: What lies on each device; `nil` where that cannot be told of one.
    private static func values(_ found: [Result<ScenarioValue, any Error>], of key: CheckedKey) -> [ScenarioValue?]? {
        var values: [ScenarioValue?] = []
        for result in found {
            switch result {
            case .success(let value): values.append(value)
            // What waits at a place of an earlier version only a use of the key brings.
            case .failure(let error) where ScenarioErrorName(error) == .storage(.notFound) && key.sources.isEmpty: values.append(nil)
            case .failure: return nil
            }
        }
        return values
    }

    private func converge(_ key: CheckedKey, _ values: [ScenarioValue?], _ keeper: inout InvariantChecker) -> Violation? {
        for (device, value) in zip(run.simulation.devices, values) {
            let observation = StepObservation(action: .time(.settle(limit: nil)), result: .done)
            if let violation = keeper.read(value, of: key.reference, on: device.id, observation, step: step) { return violation }
        }
        for (device, value) in zip(keeper.devices, values).dropFirst() {
            if let violation = keeper.converge(key, phone: values[0], watch: value, on: device, step: step) { return violation }
        }
        return nil
    }
}

extension ScenarioRun {
    /// Looks at what lies on a device, without an app's doing: nothing is moved, sent or noted for that.
    func look(at references: [KeyReference], on device: Device) throws -> [Result<ScenarioValue, any Error>] {
        let bindings = references.map { keys[$0] }
        let operation = device.inspect("look at values") { router in
            var found: [Result<ScenarioValue, any Error>] = []
            for binding in bindings {
                do { found.append(.success(try await binding.opened(with: router))) } catch { found.append(.failure(error)) }
            }
            return found
        }
        try simulation.finish(operation)
        return try operation.result?.get() ?? references.map { _ in .failure(StorageError(.notFound)) }
    }

    /// Whether an app keeps its values by code of its own, elsewhere than LocalData does.
    var hasOwnStorage: Bool { simulation.devices.contains { $0.process?.app is any ValueKeeping } }
}

extension InvariantChecker {
    /// Whether all devices must have the same of the key, now that they are at rest: nothing is left behind that cannot travel, and no app has the value
    /// under another name, or knows its name only once it has used it.
    func canBeHeldAtRest(_ key: CheckedKey) -> Bool {
        key.syncs && key.isCurrent && !key.isUnlisted && !key.discards && !damaged.contains(key.reference.index)
            && !setByApp.contains(key.reference.index)
            && !oversized.contains(key.first) && !key.mayLookSealed && versions.allSatisfy(key.exists) && mayHaveConverged(key)
    }

    /// Whether all devices have the same of a part of a value that an update is to make, now that they are at rest.
    func isPartAtRest(_ key: CheckedKey) -> Bool {
        made.canBeTold && made.isPart(key) && key.syncs && versions.allSatisfy(key.exists) && mayHaveConverged(key)
    }

    /// Whether anybody wrote the key's value.
    func hasVersions(_ key: CheckedKey) -> Bool { histories[place(of: key, on: .phone)].versions.count > 1 }

    /// Whether the app's process was prewarmed, and so takes preferences for locked until it is launched anew: such a value, and a migration that begins
    /// with one, waits for that.
    func mayDoubtPreferences(behind key: CheckedKey, on device: Device) -> Bool {
        guard device.process?.life.wasPrewarmed == true else { return false }
        return ([key] + origins(of: key)).contains { $0.isInPreferences || $0.isUnpredictable }
    }
}
