/// What an object does when its operations come one after the other: the rule that concurrent operations are judged by.
///
/// A model is a value with one function, and knows nothing of time. See ``LinearizabilityChecker``.
public protocol SequentialModel: Sendable {
    /// What the object holds between two operations.
    associatedtype State: Hashable & Sendable
    /// What is asked of the object, with its arguments.
    associatedtype Call: Sendable
    /// What the object answers, results and errors alike.
    associatedtype Answer: Sendable

    /// What it holds before the first operation.
    var initialState: State { get }

    /// The states that the object may be in after it took `call` in `state` and gave `answer`. None, if it cannot give that answer there.
    ///
    /// A `nil` answer is that of a call which never returned, such as one that a crash cut off: whatever it may have done then counts.
    func states(after call: Call, answering answer: Answer?, in state: State) -> [State]
}
