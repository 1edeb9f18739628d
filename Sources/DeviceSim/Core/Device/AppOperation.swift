/// Something that app code was asked to do, and what came of it.
///
/// Confined to the simulation's thread.
public final class AppOperation<Value>: @unchecked Sendable {
    /// What the caller calls it, in reports.
    public let name: String
    /// What it returned or threw; `nil` while it runs, and for ever if its process ended before.
    public private(set) var result: Result<Value, any Error>?

    package init(name: String) {
        self.name = name
    }

    /// Whether there is a result.
    public var isFinished: Bool { result != nil }

    package func finish(_ result: Result<Value, any Error>) {
        if self.result == nil { self.result = result }
    }
}
