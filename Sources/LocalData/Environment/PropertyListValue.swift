import Foundation

/// A property list as a value: Sendable, comparable, and ordered where it shows.
///
/// Integers that fit `Int64` are ``integer(_:)``, whatever their type was; only larger ones are ``unsigned(_:)``.
public enum PropertyListValue: Sendable, Hashable {
    /// A text. Not normalized: two texts that look alike may have other bytes.
    case string(String)
    /// A flag. Foundation's numbers 0 and 1 stay numbers.
    case bool(Bool)
    /// A whole number that fits 64 bits with a sign.
    case integer(Int64)
    /// An unsigned integer beyond `Int64.max`.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// An instant. Its precision is that of the format it is written in: whole seconds in XML, a `Double` in binary.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Values in order.
    case array([PropertyListValue])
    /// Values by name. Without an order; what shows them sorts by the bytes of the names.
    case dictionary([String: PropertyListValue])

    /// By bytes, as `NSString` and what is stored have it: Swift takes texts of other bytes for equal where they are written otherwise in Unicode, such as
    /// an é of one scalar or of two.
    public static func == (one: PropertyListValue, other: PropertyListValue) -> Bool {
        switch (one, other) {
        case (.string(let one), .string(let other)): one.hasBytes(of: other)
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.date(let one), .date(let other)): one == other
        case (.data(let one), .data(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.dictionary(let one), .dictionary(let other)):
            one.count == other.count
                && one.allSatisfy { name, value in
                    other.index(forKey: name).map { other[$0].key.hasBytes(of: name) && other[$0].value == value } ?? false
                }
        default: false
        }
    }
}

extension PropertyListValue {
    /// About what it takes in a binary property list.
    public var approximateByteCount: Int {
        switch self {
        case .bool: 2
        case .integer, .unsigned, .real, .date: 10
        case .string(let text): Self.approximateByteCount(of: text)
        case .data(let data): 4 + data.count
        case .array(let values): values.reduce(4) { $0 + 4 + $1.approximateByteCount }
        case .dictionary(let values): values.reduce(4) { $0 + 4 + Self.approximateByteCount(of: $1.key) + $1.value.approximateByteCount }
        }
    }

    /// About what a text takes in a binary property list, be it a value or the name of one: all of it is UTF-16 where it has a character that is not ASCII.
    static func approximateByteCount(of text: String) -> Int {
        let utf8 = text.utf8.count
        let utf16 = text.utf16.count
        return 4 + (utf8 == utf16 ? utf8 : 2 * utf16)
    }
}

extension String {
    /// Whether both are the same bytes, and not only equal in Unicode.
    func hasBytes(of other: String) -> Bool { utf8.count == other.utf8.count && begins(withBytesOf: other) }
}

/// Why something is not a property list: where it is wrong and what is there. Never the value itself.
public struct PropertyListValueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place, such as `profile.tags[2]`. Empty for the outermost value.
    public let keyPath: String
    /// What is there, such as `NSNull`, or what is wrong, such as `nested deeper than 256 levels`.
    public let problem: String

    /// An error about a place in a property list.
    public init(keyPath: String, problem: String) {
        self.keyPath = keyPath
        self.problem = problem
    }

    public var description: String {
        "not a property list at \(keyPath.isEmpty ? "the outermost value" : "'\(keyPath)'"): \(problem)"
    }
}

extension PropertyListValue {
    /// The deepest nesting that is accepted from outside, so that no input can exhaust the stack.
    public static let maximumDepth = 256
}

/// From and to the objects that Foundation makes of property lists.
extension PropertyListValue {
    /// The value of a property list object, or `nil` if it is not one. ``init(validating:)`` says what is wrong.
    public init?(propertyList: Any) {
        guard let value = try? PropertyListValue(validating: propertyList) else { return nil }
        self = value
    }

    /// The value of a property list object: strings, Booleans, integers, floating-point numbers, dates, data, and arrays and
    /// string-keyed dictionaries of these, as Swift or as Foundation types.
    ///
    /// `Float` and `Substring` are accepted, since nothing is lost. `Decimal` is refused, since it would come back as a `Double`; so are
    /// `NSNull`, empty optionals, `URL`, `UUID` and everything else that property lists cannot hold.
    /// - Throws: ``PropertyListValueError``, naming the place.
    public init(validating propertyList: Any) throws {
        var reading = PropertyListReading()
        self = try reading.value(of: propertyList, at: [])
    }

    /// As ``init(validating:)``, for at most `maximumCount` values.
    init(validating propertyList: Any, maximumCount: Int) throws {
        var reading = PropertyListReading(remaining: maximumCount)
        self = try reading.value(of: propertyList, at: [])
    }

    /// The value as Foundation's property list objects. Booleans stay Booleans; integers are `Int64` or `UInt64`, numbers `Double`.
    public var propertyList: Any {
        switch self {
        case .string(let string): string
        case .bool(let bool): bool
        case .integer(let integer): integer
        case .unsigned(let integer): integer
        case .real(let double): double
        case .date(let date): date
        case .data(let data): data
        case .array(let values): values.map(\.propertyList)
        case .dictionary(let values): values.mapValues(\.propertyList)
        }
    }
}

private struct PropertyListReading {
    enum Step {
        case key(String)
        case index(Int)
    }

    var remaining = Int.max

    mutating func value(of any: Any, at path: [Step]) throws -> PropertyListValue {
        guard path.count <= PropertyListValue.maximumDepth else {
            throw PropertyListValueError(keyPath: Self.text(path), problem: "nested deeper than \(PropertyListValue.maximumDepth) levels")
        }
        guard remaining > 0 else { throw PropertyListValueError(keyPath: Self.text(path), problem: "more values than its bytes can hold") }
        remaining -= 1
        // By the type that is really there, before any cast: `as? Bool` and `as? Int` also succeed for other numbers, differently on each
        // system, and casting a nested array to a class converts all of it, level upon level.
        let type = type(of: any)
        if let scalar = Self.scalar(any, of: type) { return scalar }
        if type is Decimal.Type || type is NSDecimalNumber.Type {
            throw PropertyListValueError(
                keyPath: Self.text(path), problem: "Decimal would lose precision; store its text or a Double")
        }
        if Self.isOptional(any) {
            guard let wrapped = Mirror(reflecting: any).children.first?.value else {
                throw PropertyListValueError(keyPath: Self.text(path), problem: "an empty optional")
            }
            return try value(of: wrapped, at: path)
        }
        if type is NSNull.Type { throw PropertyListValueError(keyPath: Self.text(path), problem: "NSNull") }
        if let array = any as? [Any] {
            var values: [PropertyListValue] = []
            values.reserveCapacity(array.count)
            for (index, element) in array.enumerated() { values.append(try value(of: element, at: path + [.index(index)])) }
            return .array(values)
        }
        if let dictionary = any as? [String: Any] {
            var values: [String: PropertyListValue] = [:]
            values.reserveCapacity(dictionary.count)
            // Sorted, so that of several wrong places the same one is always named.
            for (key, element) in dictionary.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                values[key] = try value(of: element, at: path + [.key(key)])
            }
            return .dictionary(values)
        }
        throw PropertyListValueError(keyPath: Self.text(path), problem: "\(type)")
    }

    private static func scalar(_ any: Any, of type: Any.Type) -> PropertyListValue? {
        switch type {
        case is Bool.Type: (any as? Bool).map { .bool($0) }
        case is String.Type, is NSString.Type: (any as? String).map { .string($0) }
        case is Substring.Type: (any as? Substring).map { .string(String($0)) }
        case is Double.Type: (any as? Double).map { .real($0) }
        case is Float.Type: (any as? Float).map { .real(Double($0)) }
        case is CGFloat.Type: (any as? CGFloat).map { .real(Double($0)) }
        case is Data.Type, is NSData.Type: (any as? Data).map { .data($0) }
        case is Date.Type, is NSDate.Type: (any as? Date).map { .date($0) }
        case is NSDecimalNumber.Type: nil
        case is NSNumber.Type: (any as? NSNumber).map { PropertyListValue($0) }
        case is any FixedWidthInteger.Type: (any as? any FixedWidthInteger).flatMap { integer($0) }
        default: nil
        }
    }

    private static func integer(_ integer: any FixedWidthInteger) -> PropertyListValue? {
        if let signed = Int64(exactly: integer) { return .integer(signed) }
        return UInt64(exactly: integer).map { .unsigned($0) }
    }

    private static func isOptional(_ any: Any) -> Bool {
        Mirror(reflecting: any).displayStyle == .optional
    }

    private static func text(_ path: [Step]) -> String {
        var text = ""
        // A path at the limit is long and all alike: its beginning tells enough.
        for step in path.prefix(16) {
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return path.count > 16 ? text + "…" : text
    }
}

extension PropertyListValue {
    /// Foundation's numbers do not say directly whether they are Booleans: on every system their class does.
    init(_ number: NSNumber) {
        if type(of: number) == Self.booleanClass {
            self = .bool(number.boolValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
        default:
            // Only what its signed reading takes for negative can be beyond it, and the comparison is slow.
            let signed = number.int64Value
            let isBeyond = signed < 0 && number.compare(NSNumber(value: Int64.max)) == .orderedDescending
            self = isBeyond ? .unsigned(number.uint64Value) : .integer(signed)
        }
    }

    private static let booleanClass: NSNumber.Type = type(of: NSNumber(value: true))
}

/// As the bytes of a property list file, and as canonical bytes for comparing and digesting.
extension PropertyListValue {
    /// The bytes of a property list file. They differ between equal dictionaries: compare ``canonicalBytes`` instead.
    ///
    /// Binary by default: the XML form keeps only the whole seconds of dates.
    /// - Throws: ``PropertyListValueError`` if it is nested too deeply, Foundation's error if it cannot be written.
    public func encoded(as format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: propertyList, format: format, options: 0)
    }

    /// The value in a property list file, binary or XML.
    ///
    /// The old text format is refused: nearly any text is one, and would be read as a string.
    /// - Throws: Foundation's error for damaged bytes, ``PropertyListValueError`` for something nested too deeply, or forged to be more than it is.
    public init(encoded data: Data) throws {
        try PropertyListInspection.check(data)
        var format = PropertyListSerialization.PropertyListFormat.binary
        let object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        guard format != .openStep else { throw PropertyListInspection.problem("neither binary nor XML") }
        // Every value takes a byte or more, unless a forged file refers to one container many times over, level upon level.
        try self.init(validating: object, maximumCount: data.count)
    }

    /// Bytes that are equal for equal values, on every system and in every process.
    ///
    /// Each value is a letter for its kind, then its content: numbers as 8 bytes, big-endian; text and data after their length as 8 bytes;
    /// arrays and dictionaries after their count, dictionaries sorted by the UTF-8 bytes of their keys. Every NaN is one NaN, and −0 is 0.
    public var canonicalBytes: Data {
        var bytes = Data()
        appendCanonicalBytes(to: &bytes)
        return bytes
    }

    private func appendCanonicalBytes(to bytes: inout Data) {
        switch self {
        case .string(let string):
            bytes.append(UInt8(ascii: "s"))
            bytes.appendCounted(string.utf8)
        case .bool(let bool):
            bytes.append(UInt8(ascii: bool ? "t" : "f"))
        case .integer(let integer):
            bytes.append(UInt8(ascii: "i"))
            bytes.appendBigEndian(UInt64(bitPattern: integer))
        case .unsigned(let integer):
            bytes.append(UInt8(ascii: integer > UInt64(Int64.max) ? "u" : "i"))
            bytes.appendBigEndian(integer)
        case .real(let double):
            bytes.append(UInt8(ascii: "r"))
            bytes.appendBigEndian(canonicalBits(of: double))
        case .date(let date):
            bytes.append(UInt8(ascii: "d"))
            bytes.appendBigEndian(canonicalBits(of: date.timeIntervalSinceReferenceDate))
        case .data(let data):
            bytes.append(UInt8(ascii: "b"))
            bytes.appendCounted(data)
        case .array(let values):
            bytes.append(UInt8(ascii: "a"))
            bytes.appendBigEndian(UInt64(values.count))
            for value in values { value.appendCanonicalBytes(to: &bytes) }
        case .dictionary(let values):
            bytes.append(UInt8(ascii: "m"))
            bytes.appendBigEndian(UInt64(values.count))
            for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                bytes.appendCounted(key.utf8)
                value.appendCanonicalBytes(to: &bytes)
            }
        }
    }

    private func canonicalBits(of double: Double) -> UInt64 {
        if double.isNaN { return Double.nan.bitPattern }
        return double == 0 ? 0 : double.bitPattern
    }
}

extension Data {
    fileprivate mutating func appendBigEndian(_ integer: UInt64) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func appendCounted(_ content: some Collection<UInt8>) {
        appendBigEndian(UInt64(content.count))
        append(contentsOf: content)
    }
}

/// `any` as a `Value`, if that is exactly its type: no bridging, no conversion, no subclass.
///
/// A conditional cast looks for every conversion that Swift and Foundation know between two types, which costs thousands of instructions where the types
/// are not equal and hundreds where they are. The dictionaries that sessions hand out are made of exact values, so their readings ask for these first.
@inlinable
package func exactly<Value>(_ any: Any, as type: Value.Type = Value.self) -> Value? {
    func open<Actual>(_ actual: Actual) -> Value? {
        // The types are the same, so the bits are.
        Actual.self == Value.self ? unsafeBitCast(actual, to: Value.self) : nil
    }
    return _openExistential(any, do: open)
}
