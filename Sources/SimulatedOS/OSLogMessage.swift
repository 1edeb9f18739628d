/// Who may read a value in a log.
public struct OSLogPrivacy: Sendable {
    /// How a private value is shown all the same.
    public enum Mask: Sendable {
        /// So that two that are the same look the same. Here: not at all.
        case hash
        /// Not at all.
        case none
    }

    let isPublic: Bool?
    /// Anybody.
    public static let `public` = OSLogPrivacy(isPublic: true)
    /// Nobody.
    public static let `private` = OSLogPrivacy(isPublic: false)
    /// Nobody.
    public static let sensitive = OSLogPrivacy(isPublic: false)
    /// Numbers anybody, all else nobody.
    public static let auto = OSLogPrivacy(isPublic: nil)

    /// Nobody.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    /// Nobody.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
    /// Numbers anybody, all else nobody.
    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
}

/// A line for a log.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The parts of a line, with who may read them.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    private(set) var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }

    private mutating func append(_ value: @autoclosure () -> String, _ privacy: OSLogPrivacy, isPublic: Bool) {
        text += privacy.isPublic ?? isPublic ? value() : "<private>"
    }

    /// A number, public unless it is said otherwise.
    public mutating func appendInterpolation<T: BinaryInteger>(
        _ number: @autoclosure @escaping () -> T, privacy: OSLogPrivacy = .auto
    ) { append("\(number())", privacy, isPublic: true) }
    /// A number, public unless it is said otherwise.
    public mutating func appendInterpolation(_ number: @autoclosure @escaping () -> Double, privacy: OSLogPrivacy = .auto) {
        append("\(number())", privacy, isPublic: true)
    }
    /// A number, public unless it is said otherwise.
    public mutating func appendInterpolation(_ number: @autoclosure @escaping () -> Float, privacy: OSLogPrivacy = .auto) {
        append("\(number())", privacy, isPublic: true)
    }
    /// A truth value, public unless it is said otherwise.
    public mutating func appendInterpolation(_ value: @autoclosure @escaping () -> Bool, privacy: OSLogPrivacy = .auto) {
        append("\(value())", privacy, isPublic: true)
    }
    /// A text, private unless it is said otherwise.
    public mutating func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto) {
        append(text(), privacy, isPublic: false)
    }
    /// The name of a type, public unless it is said otherwise.
    public mutating func appendInterpolation(_ type: @autoclosure @escaping () -> any Any.Type, privacy: OSLogPrivacy = .auto) {
        append("\(type())", privacy, isPublic: true)
    }
    /// Something that describes itself, private unless it is said otherwise.
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> T, privacy: OSLogPrivacy = .auto
    ) { append(value().description, privacy, isPublic: false) }
    /// An error, private unless it is said otherwise.
    public mutating func appendInterpolation(_ error: @autoclosure @escaping () -> any Error, privacy: OSLogPrivacy = .auto) {
        append("\(error())", privacy, isPublic: false)
    }
    /// An object, private unless it is said otherwise.
    public mutating func appendInterpolation(_ object: @autoclosure @escaping () -> AnyObject, privacy: OSLogPrivacy = .auto) {
        append("\(object())", privacy, isPublic: false)
    }
}
