import Foundation

extension SystemShims {
    /// `Selector` as app code uses it. Without Objective-C's runtime it knows the one method that it was made of: the plugin OneSource makes
    /// `#selector(Clock.tick(_:))` so.
    ///
    /// Two selectors of one name are equal.
    public struct Selector: Hashable, CustomStringConvertible, @unchecked Sendable {
        /// As Objective-C writes it: `tick:`.
        public let description: String
        private let call: (_ target: Any, _ argument: Any?) -> Void

        /// - Parameter call: Calls the method on the target, with the argument where it takes one. Does nothing for a target that does not have it.
        public init(_ name: String, _ call: @escaping (_ target: Any, _ argument: Any?) -> Void) {
            description = name
            self.call = call
        }

        /// Calls the method.
        public func call(on target: Any, with argument: Any? = nil) { call(target, argument) }

        public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }

    /// A method that is called on an object for as long as there is one.
    struct SelectorCall: @unchecked Sendable {
        private let selector: Selector
        private weak var target: AnyObject?

        init(_ selector: Selector, on target: AnyObject) {
            self.selector = selector
            self.target = target
        }

        func make(with argument: Any?) {
            if let target { selector.call(on: target, with: argument) }
        }
    }
}

extension NSObjectProtocol {
    /// Calls the selector's method at once.
    public func perform(_ aSelector: SystemShims.Selector) { aSelector.call(on: self) }
    /// Calls the selector's method at once, with the object.
    public func perform(_ aSelector: SystemShims.Selector, with object: Any?) { aSelector.call(on: self, with: object) }
}
