import DeviceSimCore
import DeviceSimLanguage

extension Expectation.ValueCondition {
    /// Whether what `get` gave is as it must be.
    func holds(for result: Result<ScenarioValue, any Error>) -> Bool {
        switch (self, result) {
        case (.equals(let wanted), .success(let found)): wanted.isSame(as: found)
        case (.exists, .success): true
        case (.missing, .failure(let error)): ScenarioErrorName(error) == .storage(.notFound)
        case (.fails(let name), .failure(let error)): ScenarioErrorName(error) == name
        case (.either(let first, let second), _): first.holds(for: result) || second.holds(for: result)
        case (.equals, .failure), (.exists, .failure), (.missing, .success), (.fails, .success): false
        }
    }

    /// Whether it is about how reading fails.
    var isOfError: Bool {
        switch self {
        case .fails: true
        case .equals, .missing, .exists: false
        case .either(let first, let second): first.isOfError || second.isOfError
        }
    }
}
