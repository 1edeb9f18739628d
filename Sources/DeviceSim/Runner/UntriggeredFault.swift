import DeviceSimLanguage

/// A fault that a step set and that no operation came to: the run ended without it, and shows nothing of what the fault was written for.
///
/// A count that no step reaches any more, after the code under test has changed, is the usual cause. So is a fault that was set before and hits the same
/// operation: an operation fails once.
public struct UntriggeredFault: Sendable, Hashable {
    /// The file of the step, which may be an included one.
    public let path: String
    /// From 1.
    public let line: Int
    /// The step as written.
    public let source: String
    /// The step with the values of its variables.
    public let step: String
    /// Of an included file the places that include it, innermost first, each as `path:line`.
    public let includedFrom: [String]

    /// One that a report told of.
    package init(path: String, line: Int, source: String, step: String? = nil, includedFrom: [String] = []) {
        self.path = path
        self.line = line
        self.source = source
        self.step = step ?? source
        self.includedFrom = includedFrom
    }

    init(_ step: ScenarioStep) {
        self.init(
            path: step.range.path, line: step.range.line, source: step.source, step: step.action.notation,
            includedFrom: step.includedFrom.map { "\($0.path):\($0.line)" })
    }
}

extension UntriggeredFault: CustomStringConvertible {
    /// In one line, for a person.
    public var description: String {
        let values = source.contains("$") ? " (\(step))" : ""
        return "\(path):\(line): \(source)\(values)" + includedFrom.map { ", included in \($0)" }.joined()
    }
}
