import Foundation

/// A property list as a value: Sendable, comparable, and ordered where it shows.
public enum PropertyListValue: Sendable, Hashable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    /// An unsigned integer beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}
