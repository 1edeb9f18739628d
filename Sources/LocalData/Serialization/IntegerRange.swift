import Foundation

/// Whole numbers that another device could store and this one's `Int` cannot hold: it has 32 bits on some watches.
///
/// What LocalData itself stores and sends is `Int64` or `UInt64`. This is about the values of apps.
enum IntegerRange {
    /// How deep values are looked into.
    private static let maximumDepth = 64

    /// Whether serialized bytes hold a whole number that an `Int` of `width` bits cannot. False for bytes that nobody here can read.
    static func isExceeded(in plain: Data, format: SerializedFormat, width: Int) -> Bool {
        switch format {
        case .json: PropertyListValue(json: plain).map { isExceeded(in: $0, width: width) } ?? false
        case .propertyList: (try? PropertyListValue(encoded: plain)).map { isExceeded(in: $0, width: width) } ?? false
        case .opaque: false
        }
    }

    private static func isExceeded(in stored: PropertyListValue, width: Int) -> Bool {
        switch stored {
        case .integer(let integer): !fits(integer, width)
        case .unsigned: true
        case .array(let values): values.contains { isExceeded(in: $0, width: width) }
        case .dictionary(let members): members.values.contains { isExceeded(in: $0, width: width) }
        case .string, .bool, .real, .date, .data: false
        }
    }

    /// Whether a value holds an `Int` or a `UInt` that a device with `width` bits could not have made. Only a simulated device is narrower than the
    /// machine that it runs on, so this looks at nothing elsewhere.
    static func isExceeded(by value: Any, width: Int) -> Bool {
        width < Int.bitWidth && isExceeded(by: value, width: width, depth: 0)
    }

    private static func isExceeded(by value: Any, width: Int, depth: Int) -> Bool {
        switch value {
        case let integer as Int where type(of: value) == Int.self: return !fits(Int64(integer), width)
        case let integer as UInt where type(of: value) == UInt.self: return integer >> width != 0
        case is String, is Data, is Date, is Bool, is Double: return false
        default:
            guard depth < maximumDepth else { return false }
            return Mirror(reflecting: value).children.contains { isExceeded(by: $0.value, width: width, depth: depth + 1) }
        }
    }

    private static func fits(_ integer: Int64, _ width: Int) -> Bool {
        width >= Int64.bitWidth || integer >> (width - 1) == integer >> (Int64.bitWidth - 1)
    }
}
