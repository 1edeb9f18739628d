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
