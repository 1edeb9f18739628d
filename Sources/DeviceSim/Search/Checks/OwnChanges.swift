import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Tells what an app under test sets and removes by itself from what steps ask it for.
struct OwnChanges {
    /// The names of keys that apps changed more often than the steps did that were made meanwhile.
    struct News {
        /// Set in an action of the app's own, or removed where no step asks for them: nobody can tell any more what they hold. What the app removes while a
        /// step sets, reads or looks for the value is that step's doing, and held to what the step says.
        var untold: Set<String> = []
        /// Set otherwise, as by code that hears of another value. What nobody wrote is the app's then; what somebody wrote is held against it.
        var set: Set<String> = []
    }

    /// By device, as ``Device/requests``.
    private var seen: [DeviceID: (set: [String: Int], remove: [String: Int])] = [:]

    /// What is new since this was asked last.
    mutating func news(in run: ScenarioRun, beside observations: [StepObservation], _ keys: [CheckedKey]) -> News {
        var news = News()
        let isOwnAction = observations.contains(where: \.isOwnAction)
        // An action may leave something where the app's own migration of a key finds it.
        if isOwnAction { news.untold.formUnion(keys.filter(\.isUnpredictable).map(\.name)) }
        for device in run.simulation.devices {
            let (now, before) = (device.requests, seen[device.id] ?? ([:], [:]))
            guard now != before else { continue }
            seen[device.id] = now
            let asked = observations.compactMap { $0.asked(of: device.id, keys) }
            news.untold.formUnion(Self.names(in: now.remove, since: before.remove, beside: asked))
            let set = Self.names(in: now.set, since: before.set, beside: observations.compactMap { $0.set(on: device.id, keys) })
            if isOwnAction { news.untold.formUnion(set) } else { news.set.formUnion(set) }
        }
        return news
    }

    private static func names(in now: [String: Int], since before: [String: Int], beside steps: [String]) -> Set<String> {
        Set(now.filter { name, count in count - (before[name] ?? 0) > steps.count { $0 == name } }.keys)
    }
}

extension StepObservation {
    fileprivate var isOwnAction: Bool {
        if case .device(let step) = action, case .perform = step.action { true } else { false }
    }

    /// The name of the key that a step asks the device's app, or its widget, about.
    fileprivate func asked(of device: DeviceID, _ keys: [CheckedKey]) -> String? {
        guard case .data(let data) = action, data.device == device, let key = data.action.key else { return nil }
        return keys[key.index].name
    }

    /// The name of the key that a step asks the device's app, or its widget, to set.
    fileprivate func set(on device: DeviceID, _ keys: [CheckedKey]) -> String? {
        guard case .data(let data) = action, data.device == device, let (key, value) = data.action.written, value != nil else { return nil }
        return keys[key.index].name
    }
}

extension InvariantChecker {
    /// Takes what an app under test sets and removes by itself.
    mutating func noteOwnChanges(_ news: OwnChanges.News, among all: [ScenarioKey]) {
        func indices(_ names: Set<String>) -> Set<Int> {
            names.isEmpty ? [] : UntoldKeys.spreading(from: Set(keys.indices.filter { names.contains(keys[$0].name) }), among: all)
        }
        untold.formUnion(indices(news.untold))
        setByApp.formUnion(indices(news.set))
    }
}
