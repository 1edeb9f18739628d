/// A fault that a step set and that no operation came to: the run passed without it, and shows nothing of what the fault was written for.
///
/// A count that no step reaches any more, after the code under test has changed, is the usual cause.
public struct UntriggeredFault: Sendable, Hashable {
    /// The file of the step, which may be an included one.
    public let path: String
    /// From 1.
    public let line: Int
    /// The step as written.
    public let source: String

    /// One that a report told of.
    package init(path: String, line: Int, source: String) {
        self.path = path
        self.line = line
        self.source = source
    }
}

extension UntriggeredFault: CustomStringConvertible {
    /// In one line, for a person.
    public var description: String { "\(path):\(line): \(source)" }
}
