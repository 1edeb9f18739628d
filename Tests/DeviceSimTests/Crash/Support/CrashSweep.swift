/// The points at which something can be cut short, from the storage operations that it makes when it is not.
///
/// ```swift
/// let sweep = CrashSweep(try fresh().operations { try await StorageRouter.shared.set("dark", for: ThemeKey()) })
/// for point in sweep.points(of: CrashKind.all) {
///     let simulation = try fresh()          // the same options and the same preparation: the same operations
///     let isDone = try simulation.phone.run(until: point, "set") { try await StorageRouter.shared.set("dark", for: ThemeKey()) }
///     try simulation.phone.recover()
///     …                                     // whether what was acknowledged (`isDone`) survived
/// }
/// ```
public struct CrashSweep: Sendable {
    /// In the order in which they were asked for; see ``DeviceStorage/operationLog``.
    public let operations: [StorageOperation]

    /// A sweep over these operations.
    public init(_ operations: [StorageOperation]) {
        self.operations = operations
    }

    /// The numbers of all operations, and one more for the crash after the last.
    public var numbers: [Int] { Array(1...operations.count + 1) }

    /// The numbers before which a crash leaves something of its own: those that follow on an operation that only reads leave what the one before left.
    public var distinctNumbers: [Int] {
        numbers.filter { $0 == 1 || $0 == operations.count + 1 || operations[$0 - 2].isChange }
    }

    /// Every kind at every point.
    public func points(of kinds: [CrashKind], onlyDistinct: Bool = false) -> [CrashPoint] {
        (onlyDistinct ? distinctNumbers : numbers).flatMap { number in kinds.map { CrashPoint($0, beforeOperation: number) } }
    }
}
