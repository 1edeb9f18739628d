import Foundation
import LocalData

/// Takes a dictionary of an app for what it is as a property list, by looking at the Swift values themselves (W102).
///
/// Foundation's own check differs between systems, so it is not asked. Accepted are strings, Booleans, numbers, dates, data, arrays and
/// string-keyed dictionaries, as Swift or as Foundation types, and what bridges to these on Apple's systems without loss of a value:
/// `Substring`, `Float`, `CGFloat`, `Decimal` (it arrives as a floating-point number) and optionals that hold something.
struct PayloadReading {
    /// The deepest nesting that is taken, so that no payload can exhaust the stack.
    static let maximumDepth = 128

    /// Whether dictionaries are walked in the order of their keys, so that of several wrong values always the same is named.
    private let isOrdered: Bool
    private let integerBitWidth: Int
    private var path: [Step] = []

    private enum Step {
        case key(String)
        case index(Int)
    }

    /// - Throws: ``PayloadProblem/unsupported(keyPath:found:)``, naming the first such value in the order of keys and indices.
    static func read(_ dictionary: [String: Any], integerBitWidth: Int) throws(PayloadProblem) -> [String: PropertyListValue] {
        if integerBitWidth == Int.bitWidth, let values = plainValues(of: dictionary, depth: 1) { return values }
        do {
            var reading = PayloadReading(isOrdered: false, integerBitWidth: integerBitWidth)
            return try reading.values(of: dictionary)
        } catch {
            var reading = PayloadReading(isOrdered: true, integerBitWidth: integerBitWidth)
            return try reading.values(of: dictionary)
        }
    }

    /// The values of a dictionary in which everything is of the types that apps use most; `nil` otherwise, and the careful reading decides.
    private static func plainValues(of dictionary: [String: Any], depth: Int) -> [String: PropertyListValue]? {
        guard depth < maximumDepth else { return nil }
        // The keys stay where they are, and none is hashed again.
        return try? dictionary.mapValues { element in
            guard let value = plainValue(of: element, depth: depth) else { throw IsNotPlain() }
            return value
        }
    }

    private struct IsNotPlain: Error {}

    private static func plainValue(of any: Any, depth: Int) -> PropertyListValue? {
        if let string: String = exactly(any) { return .string(string) }
        if let integer: Int = exactly(any) { return .integer(Int64(integer)) }
        if let integer: Int64 = exactly(any) { return .integer(integer) }
        if let bool: Bool = exactly(any) { return .bool(bool) }
        if let data: Data = exactly(any) { return .data(data.withUnsafeBytes { Data($0) }) }
        if let dictionary: [String: Any] = exactly(any) { return plainValues(of: dictionary, depth: depth + 1).map { .dictionary($0) } }
        return nil
    }

    private init(isOrdered: Bool, integerBitWidth: Int) {
        self.isOrdered = isOrdered
        self.integerBitWidth = integerBitWidth
    }

    private mutating func values(of dictionary: [String: Any]) throws(PayloadProblem) -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        values.reserveCapacity(dictionary.count)
        if isOrdered {
            for (key, element) in dictionary.sorted(by: { $0.key < $1.key }) {
                values[key] = try value(of: element, at: .key(key))
            }
        } else {
            for (key, element) in dictionary {
                values[key] = try value(of: element, at: .key(key))
            }
        }
        return values
    }

    private mutating func value(of any: Any, at step: Step) throws(PayloadProblem) -> PropertyListValue {
        path.append(step)
        guard path.count <= Self.maximumDepth else { throw problem("nested deeper than \(Self.maximumDepth) levels") }
        let value = try value(of: any)
        path.removeLast()
        return value
    }

    private mutating func value(of any: Any) throws(PayloadProblem) -> PropertyListValue {
        if let scalar = Self.scalar(any) { return narrowed(scalar, from: type(of: any)) }
        if let dictionary = any as? [String: Any] { return .dictionary(try values(of: dictionary)) }
        if let array = any as? any PayloadArray { return .array(try elements(of: array.payloadElements)) }
        if let dictionary = any as? any PayloadDictionary { return .dictionary(try values(ofKeysAndValues: dictionary.payloadElements)) }
        if let optional = any as? any PayloadOptional {
            guard let wrapped = optional.payloadValue else { throw problem("nil") }
            return try value(of: wrapped)
        }
        if type(of: any) is AnyClass { return try value(ofObject: any) }
        throw problem(String(describing: type(of: any)))
    }

    /// An `Int` of the sending device. Code that puts a wider number into one has to cut it (`Int(clamping:)`), or ends its process.
    private func narrowed(_ scalar: PropertyListValue, from type: Any.Type) -> PropertyListValue {
        guard integerBitWidth < Int.bitWidth, type == Int.self, case .integer(let integer) = scalar else { return scalar }
        let greatest = Int64(1) << (integerBitWidth - 1) - 1
        return .integer(min(max(integer, -greatest - 1), greatest))
    }

    private mutating func elements(of array: [Any]) throws(PayloadProblem) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        values.reserveCapacity(array.count)
        for (index, element) in array.enumerated() {
            values.append(try value(of: element, at: .index(index)))
        }
        return values
    }

    private mutating func values(ofKeysAndValues elements: [(key: Any, value: Any)]) throws(PayloadProblem) -> [String: PropertyListValue] {
        var dictionary: [String: Any] = [:]
        dictionary.reserveCapacity(elements.count)
        for (key, value) in elements {
            let base = (key as? AnyHashable)?.base ?? key
            guard case .string(let string) = Self.scalar(base) ?? Self.foundationScalar(base) else {
                throw problem("a dictionary with a key of type \(String(describing: type(of: base)))")
            }
            dictionary[string] = value
        }
        return try values(of: dictionary)
    }

    private mutating func value(ofObject any: Any) throws(PayloadProblem) -> PropertyListValue {
        if let scalar = Self.foundationScalar(any) { return scalar }
        switch any {
        case let array as NSArray:
            return .array(try elements(of: (0..<array.count).map { array.object(at: $0) }))
        case let dictionary as NSDictionary:
            return .dictionary(try values(ofKeysAndValues: dictionary.map { (key: $0.key, value: $0.value) }))
        default:
            throw problem(any is NSNull ? "NSNull" : String(describing: type(of: any)))
        }
    }

    private func problem(_ found: String) -> PayloadProblem {
        var text = ""
        for step in path.prefix(16) {
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return .unsupported(keyPath: path.count > 16 ? text + "…" : text, found: found)
    }
}

// MARK: Scalars

extension PayloadReading {
    /// By the exact type, because a cast such as `as? Bool` or `as? Int` also takes other numbers, differently on each system.
    private static func scalar(_ any: Any) -> PropertyListValue? {
        let type = type(of: any)
        if type == String.self { return (any as? String).map { .string($0) } }
        if type == Bool.self { return (any as? Bool).map { .bool($0) } }
        if type == Int.self { return (any as? Int).map { .integer(Int64($0)) } }
        if type == Double.self { return (any as? Double).map { .real($0) } }
        if type == Data.self { return (any as? Data).map { data in .data(data.withUnsafeBytes { Data($0) }) } }
        if type == Date.self { return (any as? Date).map { .date($0) } }
        if type == Float.self { return (any as? Float).map { .real(Double($0)) } }
        if type == CGFloat.self { return (any as? CGFloat).map { .real(Double($0)) } }
        if type == Substring.self { return (any as? Substring).map { .string(String($0)) } }
        if type == Decimal.self { return (any as? Decimal).map { .real(NSDecimalNumber(decimal: $0).doubleValue) } }
        guard integerTypes.contains(ObjectIdentifier(type)) else { return nil }
        return (any as? any FixedWidthInteger).flatMap { integer($0) }
    }

    private static let integerTypes: Set<ObjectIdentifier> = [
        ObjectIdentifier(Int8.self), ObjectIdentifier(Int16.self), ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self),
        ObjectIdentifier(UInt.self), ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt32.self),
        ObjectIdentifier(UInt64.self),
    ]

    private static func integer(_ integer: some FixedWidthInteger) -> PropertyListValue? {
        if let signed = Int64(exactly: integer) { return .integer(signed) }
        return UInt64(exactly: integer).map { .unsigned($0) }
    }

    /// Foundation's objects. Mutable ones are copied.
    private static func foundationScalar(_ any: Any) -> PropertyListValue? {
        switch any {
        case let string as NSString: .string(String(describing: string))
        case let number as NSNumber: self.number(number)
        case let data as NSData: .data(Data(bytes: data.bytes, count: data.length))
        case let date as NSDate: .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        default: nil
        }
    }

    private static let booleanClass: AnyClass = type(of: NSNumber(value: true))

    private static func number(_ number: NSNumber) -> PropertyListValue {
        // Foundation's Boolean is a number that only its class tells from others.
        if type(of: number) == booleanClass { return .bool(number.boolValue) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max): return .unsigned(number.uint64Value)
        default: return .integer(number.int64Value)
        }
    }
}

// MARK: Swift's own containers, whatever they hold

private protocol PayloadArray {
    var payloadElements: [Any] { get }
}

extension Array: PayloadArray {
    fileprivate var payloadElements: [Any] { map { $0 as Any } }
}

private protocol PayloadDictionary {
    var payloadElements: [(key: Any, value: Any)] { get }
}

extension Dictionary: PayloadDictionary {
    fileprivate var payloadElements: [(key: Any, value: Any)] { map { (key: $0.key as Any, value: $0.value as Any) } }
}

private protocol PayloadOptional {
    var payloadValue: Any? { get }
}

extension Optional: PayloadOptional {
    fileprivate var payloadValue: Any? { map { $0 as Any } }
}
