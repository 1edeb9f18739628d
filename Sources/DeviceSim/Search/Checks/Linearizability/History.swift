/// What several clients asked of one object, when, and what came of it.
///
/// Moments are numbers that only their order matters of, each used once: two operations overlap if neither ended before the other began.
public struct History<Call: Sendable, Answer: Sendable>: Sendable {
    /// One call, from the moment it was made to the moment it was answered.
    public struct Operation: Sendable {
        /// Who called, for people who read the history.
        public let client: Int
        /// What was asked.
        public let call: Call
        /// The moment at which it was asked.
        public let began: Int
        /// The answer and when it came; `nil` for a call that never returned.
        public internal(set) var outcome: (answer: Answer, ended: Int)?

        /// An operation of a history that is put together by hand.
        public init(client: Int, call: Call, began: Int, outcome: (answer: Answer, ended: Int)? = nil) {
            self.client = client
            self.call = call
            self.began = began
            self.outcome = outcome
        }
    }

    /// In the order in which they began.
    public private(set) var operations: [Operation]

    /// A history of operations in any order.
    /// - Precondition: No two moments are the same, and no operation ends before it begins.
    public init(_ operations: [Operation] = []) {
        self.operations = operations.sorted { $0.began < $1.began }
        let moments = operations.flatMap { [$0.began] + ($0.outcome.map { [$0.ended] } ?? []) }
        precondition(Set(moments).count == moments.count, "two moments of a history are the same")
        precondition(operations.allSatisfy { $0.began < $0.outcome?.ended ?? .max }, "an operation ends before it begins")
    }
}

extension History: CustomStringConvertible {
    /// A line for each operation: when it began and ended, who called, what was asked and answered.
    public var description: String {
        operations.map { operation in
            let (answer, ended) = operation.outcome.map { ("\($0.answer)", "\($0.ended)") } ?? ("no answer", "…")
            return "\(operation.began)–\(ended)  client \(operation.client): \(operation.call) → \(answer)"
        }.joined(separator: "\n")
    }
}
