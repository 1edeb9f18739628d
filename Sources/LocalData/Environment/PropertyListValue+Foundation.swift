import Foundation

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
