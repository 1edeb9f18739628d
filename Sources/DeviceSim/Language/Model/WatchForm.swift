import DeviceSimCore

/// The smaller form for the watch that scenarios can give a key: the beginning of a value.
public struct WatchForm: Sendable, Hashable {
    /// How many characters of a text, bytes of data or elements of a list are left.
    public let length: Int

    /// A form that keeps so many characters, bytes or elements.
    public init(first length: Int) { self.length = length }

    /// The smaller form of a value. One that has no beginning stays as it is.
    public func applied(to value: ScenarioValue) -> ScenarioValue {
        switch value {
        case .string(let text): .string(String(text.prefix(length)))
        case .data(let data): .data(.init(data.prefix(length)))
        case .array(let elements): .array(Array(elements.prefix(length)))
        default: value
        }
    }

    /// Whether values of the type have a beginning.
    public static func fits(_ type: ScenarioType) -> Bool {
        switch type {
        case .string, .data, .array, .any: true
        case .int, .double, .bool, .date, .codable: false
        }
    }
}
