/// Decides whether a history is linearizable: whether each operation can have taken effect at one instant between its call and its answer, so that
/// the answers are those of a ``SequentialModel``.
///
/// The search is that of Wing and Gong (*Testing and Verifying Concurrent Objects*, 1993) with Lowe's memory of what was tried (*Testing for
/// Linearizability*, 2017): among the operations that no other one precedes, each is tried as the next, and no set of operations is tried twice in
/// one state. Time and memory grow with the number of operations and, steeply, with how many overlap at once.
public struct LinearizabilityChecker<Model: SequentialModel>: Sendable {
    /// What histories are judged by.
    public let model: Model
    /// How many steps the search may take, forward or back, before it gives up.
    public var limit: Int

    /// A checker that gives up after `limit` steps of its search, which takes memory for each.
    public init(_ model: Model, limit: Int = 10_000_000) {
        self.model = model
        self.limit = limit
    }

    /// Searches for an order of the operations in which the model gives the same answers. Takes exponential time in the worst case.
    public func check(_ history: History<Model.Call, Model.Answer>) -> Linearizability {
        var search = LinearizationSearch(model, history.operations)
        return search.run(limit: limit)
    }
}

/// The search for an order. Calls and answers form one list by time; an operation that is put in order leaves it with both, and comes back with
/// both when the search takes it back.
private struct LinearizationSearch<Model: SequentialModel> {
    private struct Step {
        let operation: Int
        /// The state before it.
        let state: Model.State
        /// Which of the states after it was chosen.
        let choice: Int
    }

    /// What was tried: a set of operations put in order, and the state after them.
    private struct Configuration: Hashable {
        let done: [UInt64]
        let state: Model.State

        /// What is done tells most apart: the same operations lead to few states, and a state may hold a large value.
        func hash(into hasher: inout Hasher) { hasher.combine(done) }
    }

    private let model: Model
    private let operations: [History<Model.Call, Model.Answer>.Operation]

    // The list: node 0 begins and ends it, 2i+1 is the call of operation i, 2i+2 its answer.
    private static var boundary: Int { 0 }
    private var next: [Int]
    private var previous: [Int]

    private var state: Model.State
    private var steps: [Step] = []
    private var done: [UInt64]
    private var unanswered = 0
    private var tried: Set<Configuration> = []

    init(_ model: Model, _ operations: [History<Model.Call, Model.Answer>.Operation]) {
        self.model = model
        self.operations = operations
        state = model.initialState
        done = Array(repeating: 0, count: (operations.count + 63) / 64)
        next = Array(repeating: 0, count: 2 * operations.count + 1)
        previous = next
        var nodes = operations.indices.map { (time: operations[$0].began, node: 2 * $0 + 1) }
        for (index, operation) in operations.enumerated() {
            if let outcome = operation.outcome { nodes.append((outcome.ended, 2 * index + 2)) } else { unanswered += 1 }
        }
        var last = Self.boundary
        for (_, node) in nodes.sorted(by: { $0.time < $1.time }) {
            next[last] = node
            previous[node] = last
            last = node
        }
        next[last] = Self.boundary
        previous[Self.boundary] = last
    }

    mutating func run(limit: Int) -> Linearizability {
        var longest: [Int] = []
        var stuck = 0
        var node = next[Self.boundary]
        var missing = operations.count - unanswered
        for _ in 0..<limit {
            guard missing > 0 else { return .linearizable(order: steps.map(\.operation)) }
            let isCall = node % 2 == 1
            if isCall, advance((node - 1) / 2, from: 0) {
                if operations[(node - 1) / 2].outcome != nil { missing -= 1 }
                node = next[Self.boundary]
            } else if isCall {
                node = next[node]
            } else {
                // An answer: what comes after it cannot go before its operation.
                if node != Self.boundary, steps.count >= longest.count {
                    longest = steps.map(\.operation)
                    stuck = (node - 2) / 2
                }
                guard let step = takeBack() else { return .notLinearizable(longest: longest, stuck: stuck) }
                if operations[step.operation].outcome != nil { missing += 1 }
                if advance(step.operation, from: step.choice + 1) {
                    if operations[step.operation].outcome != nil { missing -= 1 }
                    node = next[Self.boundary]
                } else {
                    node = next[2 * step.operation + 1]
                }
            }
        }
        return .undecided(steps: limit)
    }

    /// Puts an operation next in order, in the first state from `choice` on that was not tried.
    private mutating func advance(_ operation: Int, from choice: Int) -> Bool {
        let (call, answer) = (operations[operation].call, operations[operation].outcome?.answer)
        for (index, after) in model.states(after: call, answering: answer, in: state).enumerated().dropFirst(choice) {
            var done = done
            done[operation / 64] |= 1 << UInt64(operation % 64)
            guard tried.insert(Configuration(done: done, state: after)).inserted else { continue }
            steps.append(Step(operation: operation, state: state, choice: index))
            state = after
            self.done = done
            remove(2 * operation + 1)
            if answer != nil { remove(2 * operation + 2) }
            return true
        }
        return false
    }

    private mutating func takeBack() -> Step? {
        guard let step = steps.popLast() else { return nil }
        state = step.state
        done[step.operation / 64] &= ~(1 << UInt64(step.operation % 64))
        // In the opposite order, so that each finds its neighbours as it left them.
        if operations[step.operation].outcome != nil { putBack(2 * step.operation + 2) }
        putBack(2 * step.operation + 1)
        return step
    }

    private mutating func remove(_ node: Int) {
        next[previous[node]] = next[node]
        previous[next[node]] = previous[node]
    }

    private mutating func putBack(_ node: Int) {
        next[previous[node]] = node
        previous[next[node]] = node
    }
}
