import DeviceSim

/// The points at which something can be cut short, from the storage operations that it makes when it is not.
struct CrashSweep: Sendable {
    /// In the order in which they were asked for; see ``DeviceStorage/operationLog``.
    let operations: [StorageOperation]

    /// A sweep over these operations.
    init(_ operations: [StorageOperation]) {
        self.operations = operations
    }

    /// The numbers of all operations, and one more for the crash after the last.
    var numbers: [Int] { Array(1...operations.count + 1) }

    /// The numbers before which a crash leaves something of its own: those that follow on an operation that only reads leave what the one before left.
    var distinctNumbers: [Int] {
        numbers.filter { $0 == 1 || $0 == operations.count + 1 || operations[$0 - 2].isChange }
    }

    /// Every kind at every point.
    func points(of kinds: [CrashKind], onlyDistinct: Bool = false) -> [CrashPoint] {
        (onlyDistinct ? distinctNumbers : numbers).flatMap { number in kinds.map { CrashPoint($0, beforeOperation: number) } }
    }
}
