import DeviceSimCore

extension ScenarioStep.Action {
    /// The values that a step gives keys, or expects of them.
    package var keyValues: [(key: KeyReference, value: ScenarioValue)] {
        switch self {
        case .data(let step):
            switch step.action {
            case .set(let key, let value), .plant(let key, let value): [(key, value)]
            default: []
            }
        case .expect(let expectation):
            switch expectation.condition {
            case .value(_, let key, let condition), .widgetValue(_, let key, let condition), .observed(_, let key, let condition):
                condition.values.map { (key, $0) }
            default: []
            }
        case .fault(let step):
            if case .damage(let key, .overwrite(let value)) = step.action { [(key, value)] } else { [] }
        case .together(let steps): steps.flatMap(\.action.keyValues)
        default: []
        }
    }
}

extension ScenarioStep.Action {
    /// The values that code of the app's own sends, answers, applies or stores beside its keys.
    package var valuesBesideKeys: [ScenarioValue] {
        switch self {
        case .session(let step):
            switch step.action {
            case .updateContext(let value), .sendMessage(let value, _, _), .sendMessageData(let value, _, _): [value]
            case .answersMessages(.reply(let value, _)): [value]
            case .answersMessages, .activate, .activateWithoutDelegate, .releaseDelegate, .observe, .implements, .provides: []
            }
        case .transfer(let step):
            switch step.action {
            case .userInfo(let value, _), .complication(let value, _), .writeFile(_, let value): [value]
            case .file(_, let metadata, _): [metadata].compactMap(\.self)
            case .cancel, .receivedFiles, .refreshTasks, .crashesWhileReceiving: []
            }
        case .data(let step): if case .applyPayload(let value) = step.action { [value] } else { [] }
        case .together(let steps): steps.flatMap(\.action.valuesBesideKeys)
        case .device, .link, .fault, .expect, .time: []
        }
    }
}

extension Expectation.ValueCondition {
    fileprivate var values: [ScenarioValue] {
        switch self {
        case .equals(let value): [value]
        case .either(let one, let other): one.values + other.values
        case .missing, .exists, .fails: []
        }
    }
}
