/// A namespace for types that subscribe.
public enum Subscribers {
    /// How many values a subscriber takes.
    public struct Demand: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        /// `UInt(Int.max) + 1` stands for any number.
        private let rawValue: UInt
        private static let limit = UInt(Int.max) + 1

        private init(rawValue: UInt) {
            self.rawValue = Swift.min(rawValue, Self.limit)
        }

        /// As many as there are.
        public static let unlimited = Demand(rawValue: limit)
        /// None.
        public static let none = Demand(rawValue: 0)

        /// At most so many. Traps on a negative number.
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "a demand is not negative")
            return Demand(rawValue: UInt(value))
        }

        /// The number; `nil` for any.
        public var max: Int? { self == .unlimited ? nil : Int(rawValue) }
        public var description: String { self == .unlimited ? "unlimited" : "max(\(rawValue))" }

        public static func + (lhs: Demand, rhs: Demand) -> Demand {
            if lhs == .unlimited || rhs == .unlimited { return .unlimited }
            return Demand(rawValue: lhs.rawValue + rhs.rawValue)
        }

        public static func + (lhs: Demand, rhs: Int) -> Demand {
            rhs >= 0 ? lhs + .max(rhs) : lhs - .max(-rhs)
        }

        /// Never less than none. What is unlimited stays so.
        public static func - (lhs: Demand, rhs: Demand) -> Demand {
            if lhs == .unlimited { return .unlimited }
            return rhs >= lhs ? .none : Demand(rawValue: lhs.rawValue - rhs.rawValue)
        }

        public static func - (lhs: Demand, rhs: Int) -> Demand {
            rhs >= 0 ? lhs - .max(rhs) : lhs + .max(-rhs)
        }

        /// Traps on a negative factor.
        public static func * (lhs: Demand, rhs: Int) -> Demand {
            precondition(rhs >= 0, "a demand is not negative")
            if lhs == .unlimited { return .unlimited }
            let (product, overflow) = lhs.rawValue.multipliedReportingOverflow(by: UInt(rhs))
            return overflow ? .unlimited : Demand(rawValue: product)
        }

        public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
        public static func += (lhs: inout Demand, rhs: Int) { lhs = lhs + rhs }
        public static func -= (lhs: inout Demand, rhs: Demand) { lhs = lhs - rhs }
        public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }
        public static func *= (lhs: inout Demand, rhs: Int) { lhs = lhs * rhs }

        public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue < rhs.rawValue }
        public static func < (lhs: Demand, rhs: Int) -> Bool { rhs >= 0 && lhs < .max(rhs) }
        public static func <= (lhs: Demand, rhs: Int) -> Bool { rhs >= 0 && lhs <= .max(rhs) }
        public static func > (lhs: Demand, rhs: Int) -> Bool { rhs < 0 || lhs > .max(rhs) }
        public static func >= (lhs: Demand, rhs: Int) -> Bool { rhs < 0 || lhs >= .max(rhs) }
        public static func == (lhs: Demand, rhs: Int) -> Bool { rhs >= 0 && lhs == .max(rhs) }
        public static func != (lhs: Demand, rhs: Int) -> Bool { !(lhs == rhs) }
        public static func < (lhs: Int, rhs: Demand) -> Bool { rhs > lhs }
        public static func <= (lhs: Int, rhs: Demand) -> Bool { rhs >= lhs }
        public static func > (lhs: Int, rhs: Demand) -> Bool { rhs < lhs }
        public static func >= (lhs: Int, rhs: Demand) -> Bool { rhs <= lhs }
        public static func == (lhs: Int, rhs: Demand) -> Bool { rhs == lhs }
        public static func != (lhs: Int, rhs: Demand) -> Bool { rhs != lhs }
    }

    /// How a publisher ends.
    public enum Completion<Failure: Error> {
        /// As it should.
        case finished
        /// With a failure.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}

extension Subscribers.Completion {
    /// With another failure in place of this one.
    func mapError<New: Error>(_ transform: (Failure) -> New) -> Subscribers.Completion<New> {
        switch self {
        case .finished: .finished
        case .failure(let failure): .failure(transform(failure))
        }
    }

    /// For those whose failure may be any.
    var erased: Subscribers.Completion<any Error> { mapError { $0 } }
}
