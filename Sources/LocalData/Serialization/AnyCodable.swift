import Foundation

/// A value of mixed type, for payloads whose shape is not known when the app is built.
///
/// What is encoded comes back as the same type, in JSON and in property lists. Where a format has no word of its own for a type, the value is
/// written as an object with one `$` key, see ``encode(to:)``; ordinary payloads look as usual.
public enum AnyCodable: Sendable, Hashable {
    /// Nothing: JSON's `null`.
    case null
    /// A flag.
    case bool(Bool)
    /// A whole number that fits 64 bits with a sign. `Int` has 32 bits on some watches; this does not.
    case integer(Int64)
    /// An unsigned integer beyond `Int64.max`. Smaller ones come back as ``integer(_:)``.
    case unsigned(UInt64)
    /// A floating-point number.
    case double(Double)
    /// A text.
    case string(String)
    /// An instant, to the precision of a `Double` of seconds.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Values in order.
    case array([AnyCodable])
    /// Values by name, without an order.
    case object([String: AnyCodable])

    /// The deepest nesting that is encoded and decoded, as coding paths count it: what a property list's may be.
    static let maximumDepth = PropertyListValue.maximumDepth
}

extension AnyCodable {
    /// The value as Swift's own type: `Bool`, `Int` (`Int64` where that is wider, `UInt64` beyond it), `Double`, `String`, `Date`, `Data`,
    /// `[Any?]`, `[String: Any?]`; `nil` for null.
    public var value: Any? {
        switch self {
        case .null: nil
        case .bool(let bool): bool
        case .integer(let integer): Int(exactly: integer) ?? integer
        case .unsigned(let integer): integer
        case .double(let double): double
        case .string(let string): string
        case .date(let date): date
        case .data(let data): data
        case .array(let values): values.map(\.value)
        case .object(let members): members.mapValues(\.value)
        }
    }
}

extension AnyCodable {
    /// A flag as ``bool(_:)``.
    public init(_ value: Bool) { self = .bool(value) }
    /// A whole number as ``integer(_:)``.
    public init(_ value: Int) { self = .integer(Int64(value)) }
    /// A whole number as ``integer(_:)``.
    public init(_ value: Int64) { self = .integer(value) }
    /// A whole number as ``integer(_:)``, or ``unsigned(_:)`` beyond `Int64.max`.
    public init(_ value: UInt) { self.init(UInt64(value)) }
    /// A whole number as ``integer(_:)``, or ``unsigned(_:)`` beyond `Int64.max`.
    public init(_ value: UInt64) { self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value) }
    /// A number as ``double(_:)``, a whole one too.
    public init(_ value: Double) { self = .double(value) }
    /// A number as ``double(_:)``, which has every `Float` exactly.
    public init(_ value: Float) { self = .double(Double(value)) }
    /// A text as ``string(_:)``.
    public init(_ value: String) { self = .string(value) }
    /// An instant as ``date(_:)``.
    public init(_ value: Date) { self = .date(value) }
    /// Bytes as ``data(_:)``.
    public init(_ value: Data) { self = .data(value) }
    /// Values in order as ``array(_:)``.
    public init(_ value: [AnyCodable]) { self = .array(value) }
    /// Values by name as ``object(_:)``.
    public init(_ value: [String: AnyCodable]) { self = .object(value) }

    /// The value of something whose type is only known at run time, such as a decoded JSON object or a property list.
    /// - Throws: ``StorageError/Code/encodingFailed`` for a type that ``AnyCodable`` does not have; the facts name it and its place.
    public init(converting value: Any?) throws {
        self = try Self.converted(value, at: "")
    }

    private static func converted(_ value: Any?, at path: String) throws -> AnyCodable {
        switch value {
        case nil, is NSNull: return .null
        case let value as AnyCodable: return value
        case let values as [Any?]:
            return .array(try values.enumerated().map { try converted($1, at: "\(path)[\($0)]") })
        case let members as [String: Any?]:
            var object: [String: AnyCodable] = [:]
            for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                object[key] = try converted(member, at: path.isEmpty ? key : "\(path).\(key)")
            }
            return .object(object)
        case let value?:
            switch PropertyListValue(propertyList: value) {
            case .bool(let bool): return .bool(bool)
            case .integer(let integer): return .integer(integer)
            case .unsigned(let integer): return .unsigned(integer)
            case .real(let double): return .double(double)
            case .string(let string): return .string(string)
            case .date(let date): return .date(date)
            case .data(let data): return .data(data)
            default:
                let place = path.isEmpty ? "" : " at '\(path)'"
                throw StorageError(.encodingFailed, facts: ["\(type(of: value))\(place) is not a value of AnyCodable"])
            }
        }
    }
}

extension AnyCodable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: AnyCodable...) { self = .array(elements) }
    /// Of a key that is repeated the last value counts.
    public init(dictionaryLiteral elements: (String, AnyCodable)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
