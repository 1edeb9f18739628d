/// Something that reads bytes from outside, and what must hold whatever they are.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    public let name: String
    /// Inputs that are in order. Others are made of them.
    public let seeds: [[UInt8]]
    /// Pieces that mean something to the reader, put in here and there.
    public let words: [[UInt8]]
    /// How many inputs it gets in proportion to other targets: fewer for one that is slow.
    public let share: Int
    /// Makes an input of a form that changed bytes hardly ever have; half of the inputs begin so.
    public let make: (@Sendable (inout FuzzGenerator) -> [UInt8])?
    /// Whether an error is one of those that the reader promises.
    public let promises: @Sendable (any Error) -> Bool
    /// Reads the input.
    /// - Throws: What the reader threw; a ``FuzzViolation`` for a law that does not hold.
    public let read: @Sendable ([UInt8]) async throws -> Void

    public init(
        _ name: String, seeds: [[UInt8]], words: [[UInt8]] = [], share: Int = 100,
        make: (@Sendable (inout FuzzGenerator) -> [UInt8])? = nil,
        promises: @escaping @Sendable (any Error) -> Bool, read: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.words = words
        self.share = share
        self.make = make
        self.promises = promises
        self.read = read
    }

    public var description: String { name }
}

/// A law that does not hold for an input.
public struct FuzzViolation: Error, CustomStringConvertible {
    public let law: String

    public init(_ law: String) { self.law = law }

    public var description: String { law }

    /// - Throws: a violation, unless `holds`.
    public static func unless(_ holds: Bool, _ law: @autoclosure () -> String) throws {
        if !holds { throw FuzzViolation(law()) }
    }
}
