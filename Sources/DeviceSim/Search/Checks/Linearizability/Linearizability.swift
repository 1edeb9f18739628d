/// Whether a history could have come about one operation after the other.
public enum Linearizability: Sendable, Hashable {
    /// It could, in this order of the history's operations (by their indices). Unanswered calls that had no effect are not in it.
    case linearizable(order: [Int])
    /// It could not.
    /// - Parameters:
    ///   - longest: The longest order that explains a part of it.
    ///   - stuck: The operation that ended next and that no order explains together with those: where to look.
    case notLinearizable(longest: [Int], stuck: Int)
    /// The search was given up after so many steps. A shorter history, or fewer clients, can be decided.
    case undecided(steps: Int)

    /// Whether an order was found. False also where the search was given up.
    public var isLinearizable: Bool {
        if case .linearizable = self { true } else { false }
    }
}
