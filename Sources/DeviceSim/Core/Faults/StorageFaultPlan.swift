/// The faults that await an app's storage operations, and the points at which it is to crash.
///
/// Confined to the simulation's thread.
public struct StorageFaultPlan {
    private var pending: [(fault: StorageFault, seen: Int)] = []
    private var interruptions: [(operation: Int, action: () -> Void)] = []

    /// A plan without faults.
    public init() {}

    /// Whether nothing is to go wrong.
    public var isEmpty: Bool { pending.isEmpty && interruptions.isEmpty }

    /// The faults that can still hit, in the order in which they were added.
    public var faults: [StorageFault] { pending.map(\.fault) }

    /// Adds a fault, which counts operations from now on.
    public mutating func add(_ fault: StorageFault) {
        pending.append((fault, 0))
    }

    /// Calls `action` before the operation of that number (``DeviceStorage/operationCount`` counts them, from 1), once.
    ///
    /// An action that ends the process makes that operation, and all later ones, throw ``ProcessEnded`` without an effect. Let it hold the
    /// device weakly: it stays until it is called or removed.
    public mutating func interrupt(beforeOperation number: Int, _ action: @escaping () -> Void) {
        interruptions.append((number, action))
    }

    /// Takes back the faults of these operations.
    public mutating func remove(of operations: Set<StorageOperation>) {
        pending.removeAll { !$0.fault.operations.isDisjoint(with: operations) }
    }

    /// Takes back the points at which something was to happen.
    public mutating func removeInterruptions() {
        interruptions.removeAll()
    }

    /// Takes back everything.
    public mutating func removeAll() {
        self = StorageFaultPlan()
    }

    /// Takes out what is to happen before the operation of that number.
    mutating func takeInterruptions(before number: Int) -> [() -> Void] {
        let due = interruptions.filter { $0.operation == number }.map(\.action)
        if !due.isEmpty { interruptions.removeAll { $0.operation == number } }
        return due
    }

    /// The first fault that hits the operation. Every fault counts it, whether hit or not.
    mutating func failure(of operation: StorageOperation, at place: String) -> StorageFault.Failure? {
        var failure: StorageFault.Failure?
        var isOver: [Int] = []
        for index in pending.indices {
            let fault = pending[index].fault
            guard fault.operations.contains(operation), fault.place.map({ place.contains($0) }) ?? true else { continue }
            pending[index].seen += 1
            let seen = pending[index].seen
            guard seen == fault.occurrence || (fault.isPermanent && seen > fault.occurrence) else { continue }
            if failure == nil { failure = fault.failure }
            if !fault.isPermanent { isOver.append(index) }
        }
        for index in isOver.reversed() { pending.remove(at: index) }
        return failure
    }
}
