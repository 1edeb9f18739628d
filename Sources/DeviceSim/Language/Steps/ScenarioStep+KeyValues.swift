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

extension Expectation.ValueCondition {
    fileprivate var values: [ScenarioValue] {
        switch self {
        case .equals(let value): [value]
        case .either(let one, let other): one.values + other.values
        case .missing, .exists, .fails: []
        }
    }
}
