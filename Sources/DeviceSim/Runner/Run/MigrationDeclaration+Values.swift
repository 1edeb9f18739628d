import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// An old value is none that the declared migration can make a new one of.
struct UnfitValue: Error {}

extension MigrationDeclaration.Transformation {
    package func apply(_ value: ScenarioValue) throws -> ScenarioValue {
        switch (self, value) {
        case (.uppercasing, .string(let text)): return .string(text.uppercased())
        case (.number, .string(let text)):
            guard let number = Int64(text) else { throw UnfitValue() }
            return .integer(number)
        case (.text, .integer(let number)): return .string(String(number))
        default: throw UnfitValue()
        }
    }
}

extension MigrationDeclaration.Combination {
    /// - Returns: `nil` where the values contradict each other.
    package func apply(_ values: [ScenarioValue]) throws -> ScenarioValue? {
        switch self {
        case .joining:
            return .string(
                try values.map { value in
                    guard case .string(let text) = value else { throw UnfitValue() }
                    return text
                }.joined(separator: " "))
        case .adding:
            return .integer(
                try values.reduce(0) { sum, value in
                    guard case .integer(let number) = value else { throw UnfitValue() }
                    let (total, isTooLarge) = sum.addingReportingOverflow(number)
                    guard !isTooLarge else { throw UnfitValue() }
                    return total
                })
        case .agreeing: return Set(values).count == 1 ? values.first : nil
        }
    }
}

extension MigrationDeclaration.Condition {
    var condition: MigrationCondition {
        switch self {
        case .fromVersion(let version): .appVersion(atLeast: version.description)
        case .belowVersion(let version): .appVersion(below: version.description)
        case .device(let device): .deviceFamily(device.isPhone ? "iPhone" : "Apple Watch")
        }
    }
}

extension MigrationSources {
    /// The value of a source as scenarios write it; `nil` where it holds none.
    func scenarioValue(of key: some StorageKey) throws -> ScenarioValue? {
        guard let value = try value(of: key) else { return nil }
        guard let value = value as? any ScenarioRepresentable else { throw UnfitValue() }
        return value.scenarioValue
    }
}
