/// The type of a key's values.
public indirect enum ScenarioType: Sendable, Hashable {
    /// The types that one word names, such as `String`.
    case string, int, double, bool, data, date
    /// A list of values of one type.
    case array(ScenarioType)
    /// Anything JSON can say: `AnyCodable`.
    case any
    /// The type of a registered key that is none of these. Values are JSON that the type decodes from.
    case codable(String)
}

extension ScenarioType: CustomStringConvertible {
    /// As the file writes it.
    public var description: String {
        switch self {
        case .string: "String"
        case .int: "Int"
        case .double: "Double"
        case .bool: "Bool"
        case .data: "Data"
        case .date: "Date"
        case .array(let element): "[\(element)]"
        case .any: "Any"
        case .codable(let name): name
        }
    }
}
