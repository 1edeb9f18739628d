/// How expectations compare values.
extension ScenarioValue {
    /// Equal as values: a whole number equals the same floating-point number, since JSON does not tell them apart.
    package func isSame(as other: ScenarioValue) -> Bool {
        switch (self, other) {
        case (.integer(let integer), .double(let double)), (.double(let double), .integer(let integer)): Double(integer) == double
        case (.array(let lhs), .array(let rhs)): lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0.isSame(as: $1) }
        case (.object(let lhs), .object(let rhs)):
            lhs.count == rhs.count && lhs.allSatisfy { key, value in rhs[key].map(value.isSame) ?? false }
        default: self == other
        }
    }

    /// Whether this object has at least the entries of `other`.
    package func contains(_ other: ScenarioValue) -> Bool {
        guard case .object(let mine) = self, case .object(let wanted) = other else { return isSame(as: other) }
        return wanted.allSatisfy { key, value in mine[key].map { $0.isSame(as: value) } ?? false }
    }

    package func entry(_ name: String) -> ScenarioValue? {
        guard case .object(let entries) = self else { return nil }
        return entries[name]
    }

    package func withoutEntry(_ name: String) -> ScenarioValue {
        guard case .object(var entries) = self else { return self }
        entries[name] = nil
        return .object(entries)
    }
}
