/// Where a crash comes: just before one of the storage operations of whatever runs.
public struct CrashPoint: Sendable, Hashable {
    public let kind: CrashKind
    /// Counted from 1, from when the point is armed. One more than there are stands for a crash right after the last.
    public let operation: Int

    public init(_ kind: CrashKind, beforeOperation operation: Int) {
        self.kind = kind
        self.operation = operation
    }
}

extension CrashPoint: CustomStringConvertible {
    public var description: String { "\(kind) before operation \(operation)" }
}
