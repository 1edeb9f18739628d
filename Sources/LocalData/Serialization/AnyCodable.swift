import Foundation

/// A value of a mixed payload: null, Booleans, 64-bit integers, doubles, strings, dates, data, and arrays and objects of these.
///
/// No type turns into another on the way through a property list, or through JSON as LocalData writes it. JSON itself knows no dates, no
/// data, and one kind of number, so these are tagged there: `{"$date": 1.5}` (seconds since 2001), `{"$data": "AQI="}`,
/// `{"$double": 1}` for a double without a fraction. An object that looks like a tag is itself tagged: `{"$object": {"$date": 1}}`. A
/// property list has no null; it is `{"$null": true}` there.
public enum AnyCodable: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer beyond `Int64.max`.
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([AnyCodable])
    case object([String: AnyCodable])
}

extension AnyCodable {
    /// The value of a Swift or Foundation object, or `nil` for one of another type.
    public init?(_ value: Any?) {
        switch value {
        case nil: self = .null
        case let value as AnyCodable: self = value
        case is NSNull: self = .null
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as [Any?]:
            let elements = value.compactMap(AnyCodable.init)
            guard elements.count == value.count else { return nil }
            self = .array(elements)
        case let value as [String: Any?]:
            let entries = value.compactMapValues(AnyCodable.init)
            guard entries.count == value.count else { return nil }
            self = .object(entries)
        case let value?:
            guard let plain = PropertyListValue(propertyList: value) else { return nil }
            self.init(plain)
        }
    }

    init(_ plain: PropertyListValue) {
        switch plain {
        case .string(let value): self = .string(value)
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .real(let value): self = .double(value)
        case .date(let value): self = .date(value)
        case .data(let value): self = .data(value)
        case .array(let values): self = .array(values.map(AnyCodable.init))
        case .dictionary(let entries): self = .object(entries.mapValues(AnyCodable.init))
        }
    }

    /// The value as a Swift object: `Bool`, `Int`, `UInt64`, `Double`, `String`, `Date`, `Data`, `[Any?]`, `[String: Any?]`, or `nil` for null.
    public var value: Any? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .integer(let value): Int(exactly: value) ?? value
        case .unsigned(let value): value
        case .double(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let values): values.map(\.value)
        case .object(let entries): entries.mapValues(\.value)
        }
    }
}

extension AnyCodable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: AnyCodable...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, AnyCodable)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
