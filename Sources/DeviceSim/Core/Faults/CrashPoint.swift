/// Where a crash comes: just before one of the storage operations of whatever runs.
public struct CrashPoint: Sendable, Hashable {
    /// What ends: the app, or the device's power.
    public let kind: CrashKind
    /// Counted from 1, from when the point is armed. One more than there are stands for a crash right after the last.
    public let operation: Int

    /// A point just before the operation of that number, counted from 1.
    public init(_ kind: CrashKind, beforeOperation operation: Int) {
        self.kind = kind
        self.operation = operation
    }
}

extension CrashPoint: CustomStringConvertible {
    public var description: String { "\(kind) before operation \(operation)" }
}
