import Foundation
import LocalData

/// A type whose values scenario files can write.
package protocol ScenarioRepresentable: Codable, Sendable {
    /// `nil` if `value` is not of this type. The compiler of scenarios has refused such files.
    init?(_ value: ScenarioValue)
    var scenarioValue: ScenarioValue { get }
}

extension String: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        guard case .string(let string) = value else { return nil }
        self = string
    }

    package var scenarioValue: ScenarioValue { .string(self) }
}

extension Int: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        guard case .integer(let integer) = value else { return nil }
        self.init(exactly: integer)
    }

    package var scenarioValue: ScenarioValue { .integer(Int64(self)) }
}

extension Double: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        switch value {
        case .double(let double): self = double
        case .integer(let integer): self = Double(integer)
        default: return nil
        }
    }

    package var scenarioValue: ScenarioValue { .double(self) }
}

extension Bool: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        guard case .bool(let bool) = value else { return nil }
        self = bool
    }

    package var scenarioValue: ScenarioValue { .bool(self) }
}

extension Data: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }

    package var scenarioValue: ScenarioValue { .data(self) }
}

extension Date: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        guard case .date(let date) = value else { return nil }
        self = date
    }

    package var scenarioValue: ScenarioValue { .date(self) }
}

extension Array: ScenarioRepresentable where Element: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        guard case .array(let values) = value else { return nil }
        let elements = values.compactMap(Element.init)
        guard elements.count == values.count else { return nil }
        self = elements
    }

    package var scenarioValue: ScenarioValue { .array(map(\.scenarioValue)) }
}

extension ScenarioValue {
    /// What a session or a store handed out, as a scenario writes it.
    package init(_ value: PropertyListValue) {
        switch value {
        case .string(let string): self = .string(string)
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .unsigned(let integer): self = .unsigned(integer)
        case .real(let double): self = .double(double)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(data)
        case .array(let values): self = .array(values.map(ScenarioValue.init))
        case .dictionary(let entries): self = .object(entries.mapValues(ScenarioValue.init))
        }
    }
}

extension AnyCodable: ScenarioRepresentable {
    package init?(_ value: ScenarioValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .unsigned(let integer): self = .unsigned(integer)
        case .double(let double): self = .double(double)
        case .string(let string): self = .string(string)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(data)
        case .url, .uuid: return nil
        case .array(let values):
            let elements = values.compactMap(AnyCodable.init)
            guard elements.count == values.count else { return nil }
            self = .array(elements)
        case .object(let entries):
            let values = entries.compactMapValues(AnyCodable.init)
            guard values.count == entries.count else { return nil }
            self = .object(values)
        }
    }

    package var scenarioValue: ScenarioValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): .unsigned(integer)
        case .double(let double): .double(double)
        case .string(let string): .string(string)
        case .date(let date): .date(date)
        case .data(let data): .data(data)
        case .array(let values): .array(values.map(\.scenarioValue))
        case .object(let entries): .object(entries.mapValues(\.scenarioValue))
        }
    }
}
