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

extension AnyCodable: Codable {
    /// The words for what JSON and property lists cannot say plainly. Part of the stored format: never changed.
    private enum Word: String, CodingKey {
        /// Seconds since 2001-01-01 00:00 UTC.
        case date = "$date"
        /// Base64 in JSON, bytes in property lists.
        case data = "$data"
        /// A number that would read as an integer.
        case double = "$double"
        /// `nan`, `inf` or `-inf`.
        case special = "$special"
        /// A string that could be taken for a word, or for Foundation's `$null`.
        case string = "$string"
        /// An object with keys that could be taken for one of these, or for Foundation's `$null`.
        case object = "$object"
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes null, Booleans, 64-bit integers, numbers with a fraction, strings, arrays and objects as what they are. Everything else is an
    /// object with one key: `{"$date": 12.5}`, `{"$data": "AQI="}`, `{"$double": 1}` for a `Double` without a fraction (JSON does not tell 1.0 from 1),
    /// `{"$special": "nan"}`, `{"$string": "=$x"}` for strings that begin with `$`, `{"$object": {"=$x": 1}}` for objects with such keys.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool): try Self.encode(bool, to: encoder)
        case .integer(let integer): try Self.encode(integer, to: encoder)
        case .unsigned(let integer): try Self.encode(integer, to: encoder)
        case .double(let double):
            if !double.isFinite {
                try Self.encode(double.isNaN ? "nan" : double < 0 ? "-inf" : "inf", as: .special, to: encoder)
            } else if double.rounded() == double {
                try Self.encode(double, as: .double, to: encoder)
            } else {
                try Self.encode(double, to: encoder)
            }
        case .string(let string):
            if string.utf8.first == UInt8(ascii: "$") {
                // After a sign, so that Foundation cannot take "$null" for nil in here either.
                try Self.encode(Self.mark + string, as: .string, to: encoder)
            } else {
                try Self.encode(string, to: encoder)
            }
        case .date(let date): try Self.encode(date.timeIntervalSinceReferenceDate, as: .date, to: encoder)
        case .data(let data): try Self.encode(data, as: .data, to: encoder)
        case .array(let values):
            try checkDepth(encoder)
            try Self.encode(values, to: encoder)
        case .object(let members):
            try checkDepth(encoder)
            if members.keys.contains(where: { $0.utf8.first == UInt8(ascii: "$") }) {
                let marked = Dictionary(uniqueKeysWithValues: members.map { (Self.mark + $0.key, $0.value) })
                try Self.encode(marked, as: .object, to: encoder)
            } else {
                try Self.encode(members, to: encoder)
            }
        }
    }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            try Self.checkDepth(decoder)
            self = try Self.object(in: container, of: decoder)
            return
        }
        if (try? decoder.unkeyedContainer()) != nil {
            try Self.checkDepth(decoder)
            self = .array(try [AnyCodable](from: decoder))
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self = .unsigned(integer)
        } else if let double = try? container.decode(Double.self) {
            self = .double(double)
        } else if let date = try? container.decode(Date.self) {
            // Property lists that were not written by an AnyCodable have dates and data of their own.
            self = .date(date)
        } else {
            self = .data(try container.decode(Data.self))
        }
    }

    private static func object(in container: KeyedDecodingContainer<Name>, of decoder: any Decoder) throws -> AnyCodable {
        let keys = container.allKeys
        if keys.count == 1, let key = keys.first, let word = Word(stringValue: key.stringValue) {
            switch word {
            case .date: return .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: key)))
            case .data: return .data(try container.decode(Data.self, forKey: key))
            case .double: return .double(try container.decode(Double.self, forKey: key))
            case .string:
                if let string = unmarked(try container.decode(String.self, forKey: key)) { return .string(string) }
            case .object:
                // By the keys alone first: to decode the members twice at every level would take for ever in the end.
                let names = try container.nestedContainer(keyedBy: Name.self, forKey: key).allKeys
                if names.allSatisfy({ unmarked($0.stringValue) != nil }) {
                    let members = try container.decode([String: AnyCodable].self, forKey: key)
                    let unmarked = members.compactMap { member in Self.unmarked(member.key).map { ($0, member.value) } }
                    return .object(Dictionary(unmarked) { first, _ in first })
                }
            case .special:
                switch try container.decode(String.self, forKey: key) {
                case "nan": return .double(.nan)
                case "inf": return .double(.infinity)
                case "-inf": return .double(-.infinity)
                default:
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: container.codingPath, debugDescription: "not one of nan, inf and -inf"))
                }
            }
        }
        return .object(try [String: AnyCodable](from: decoder))
    }

    /// Nesting costs stack, of which a thread of the concurrency runtime has little.
    private static func checkDepth(_ decoder: any Decoder) throws {
        guard decoder.codingPath.count > maximumDepth else { return }
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "nested deeper than \(maximumDepth) levels"))
    }

    private func checkDepth(_ encoder: any Encoder) throws {
        guard encoder.codingPath.count > Self.maximumDepth else { return }
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "nested deeper than \(Self.maximumDepth) levels"))
    }

    /// Begins what was marked, so that it does not begin with `$`.
    private static let mark = "="

    private static func unmarked(_ string: String) -> String? {
        string.utf8.first == mark.utf8.first ? String(string.unicodeScalars.dropFirst()) : nil
    }

    private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private static func encode(_ value: some Encodable, as word: Word, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Word.self)
        try container.encode(value, forKey: word)
    }
}
