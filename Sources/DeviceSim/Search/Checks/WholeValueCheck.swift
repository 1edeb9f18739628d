import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Holds a phone to keeping the whole of a value that has a smaller form for the watch (``WatchForm``): where a whole one lies, no smaller form takes its
/// place, be it of a later value, which the phone has lost. What was lost may be anything, so no history of what was told says this.
struct WholeValueCheck {
    /// What lay on the phone after the step before, by the key's place: a whole value, whose smaller form is another one.
    private var whole: [Int: ScenarioValue] = [:]

    /// Looks at the phone after a step.
    mutating func check(_ observations: [StepObservation], in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) throws -> Violation?
    {
        let keys = keeper.keys.filter { $0.watchForm != nil && $0.isCurrent && $0.syncs }
        guard !keys.isEmpty else { return nil }
        let phone = run.simulation.phone
        // Something may be gone, and the watch's form of it be here, within one step.
        let mayLose = observations.contains { $0.action.traits.loss != .nothing }
        guard phone.isAppInstalled, phone.storage.faults.isEmpty, phone.storage.freeSpace == nil, !mayLose else {
            whole = [:]
            return nil
        }
        for key in keys {
            let index = key.reference.index
            let before = whole.removeValue(forKey: index)
            guard let form = key.watchForm, !keeper.damaged.contains(index), !keeper.setByApp.contains(index),
                key.exists(in: keeper.versions[DeviceID.phone.place])
            else {
                continue
            }
            let binding = run.keys[key.reference]
            let operation = phone.inspect("look at \(key.reference.identifier)") { try await binding.opened(with: $0) }
            try run.simulation.finish(operation)
            guard case .success(let value)? = operation.result else { continue }
            if before != nil { keeper.recorder?.looked(.durability) }
            let history = keeper.histories[keeper.place(of: key, on: .phone)].versions
            let written = history.compactMap(\.value)
            if written.contains(where: { $0.isSame(as: value) }) {
                if !form.applied(to: value).isSame(as: value) { whole[index] = value }
                continue
            }
            guard let before, written.contains(where: { form.applied(to: $0).isSame(as: value) }) else { continue }
            // A removal that is on its way may have come in, and after it the watch's form of what was set after that.
            let later = history.drop { $0.value.map { !$0.isSame(as: before) } ?? true }
            guard !later.contains(where: { $0.value == nil }) else { continue }
            return Violation(
                .durability, key: key.reference.identifier, device: .phone, step: step,
                explanation: [
                    "the phone had \(before.notation) for '\(key.reference.identifier)', which is whole",
                    "\(value.notation) lies in its place, the smaller form that a watch had of another value",
                ], expectation: Expectation(.value(.phone, key.reference, .equals(before))))
        }
        return nil
    }
}
