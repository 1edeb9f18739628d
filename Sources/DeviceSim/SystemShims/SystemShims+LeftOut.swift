internal import DeviceSimCore
import Foundation

/// What the plugin `OneSource` puts in the place of code that a module's recipe leaves out.
extension SystemShims {
    /// A class of the system's, or of a module, that is there by name only, and that classes of the app inherit from.
    open class MissingBase: NSObject {
        /// An object that can do nothing.
        public override init() {}
    }

    /// Something of the system's, or of a module, that is there by name only.
    open class Missing: NSObject, Codable, @unchecked Sendable {
        /// An object that can do nothing.
        public override init() {}

        public required init(from decoder: any Decoder) throws { throw LeftOutError(name: "\(Self.self)") }

        public func encode(to encoder: any Encoder) throws { throw LeftOutError(name: "\(Self.self)") }
    }

    /// What code throws that was left out.
    public struct LeftOutError: Error, LocalizedError, CustomStringConvertible {
        /// Which code it is.
        public let name: String

        public var description: String { "\(name) was left out of this module" }
        public var errorDescription: String? { description }
    }

    /// Code that is left out is called. It is recorded, and nothing is done.
    public static func leftOut(_ name: String) {
        SystemShims.process(name)?.record(.log, .init("leftOut", .text(name)))
    }

    /// The same, of code that would give something: nothing, where that can be.
    public static func leftOut<Value: ExpressibleByNilLiteral>(_ name: String) -> Value {
        leftOut(name) as Void
        return nil
    }

    /// The same, where something must be given. Nothing can be made up for that: the run is reported, and the program ends.
    @_disfavoredOverload public static func leftOut<Value>(_ name: String) -> Value { leftOutForGood(name) }

    /// The same, of code that may throw.
    public static func leftOutThrowing(_ name: String) throws {
        leftOut(name) as Void
        throw LeftOutError(name: name)
    }

    /// The same, of code that may throw and would give something.
    public static func leftOutThrowing<Value>(_ name: String) throws -> Value {
        leftOut(name) as Void
        throw LeftOutError(name: name)
    }

    /// The same, of code without which nothing goes on.
    public static func leftOutForGood(_ name: String) -> Never {
        leftOut(name) as Void
        fatalError(
            "the code calls \(name), which was left out of its module: its recipe says so ('emptying'). Bring what it needs, or do not call it"
        )
    }
}
