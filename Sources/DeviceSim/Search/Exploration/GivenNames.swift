import DeviceSimLanguage

/// Names that drawn steps give to backups, snapshots, messages, transfers and moments. A scenario file gives each once, and speaks of none before: of what is drawn
/// twice, or beside a file's own of the same name, the later one is left out, and so is what would come back to something that is not there.
struct GivenNames {
    private var given: Set<Name> = []

    private struct Name: Hashable {
        let kind: String
        let text: String
    }

    static func settled(in steps: [ScenarioStep]) -> [ScenarioStep] {
        var names = GivenNames()
        return names.settled(in: steps)
    }

    private mutating func settled(in steps: [ScenarioStep]) -> [ScenarioStep] {
        steps.compactMap { step in
            if case .together(let steps) = step.action {
                let kept = settled(in: steps)
                guard kept.count < steps.count else { return step }
                return kept.isEmpty ? nil : .drawn(.together(kept), phase: step.phase)
            }
            if let name = Self.name(givenBy: step.action) { return given.insert(name).inserted ? step : nil }
            guard let name = Self.name(usedBy: step.action) else { return step }
            return given.contains(name) ? step : nil
        }
    }

    private static func name(givenBy action: ScenarioStep.Action) -> Name? {
        switch action {
        case .device(let step):
            if case .backup(let name, _) = step.action { return Name(kind: "backup", text: name) }
        case .data(let step):
            if case .takeSnapshot(let name) = step.action { return Name(kind: "snapshot", text: name) }
        case .session(let step):
            switch step.action {
            case .sendMessage(_, _, let label?), .sendMessageData(_, _, let label?): return Name(kind: "message", text: label)
            default: break
            }
        case .transfer(let step):
            switch step.action {
            case .userInfo(_, let label?), .complication(_, let label?), .file(_, _, let label?): return Name(kind: "transfer", text: label)
            default: break
            }
        case .time(.mark(let name)): return Name(kind: "mark", text: name)
        default: break
        }
        return nil
    }

    private static func name(usedBy action: ScenarioStep.Action) -> Name? {
        switch action {
        case .device(let step):
            if case .restore(let name, _) = step.action { return Name(kind: "backup", text: name) }
        case .data(let step):
            if case .applySnapshot(let name) = step.action { return Name(kind: "snapshot", text: name) }
        case .transfer(let step):
            if case .cancel(let label) = step.action { return Name(kind: "transfer", text: label) }
        default: break
        }
        return nil
    }
}
