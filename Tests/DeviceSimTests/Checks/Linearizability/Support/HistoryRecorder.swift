import Synchronization

@testable import DeviceSimSearch

/// Notes the history of an object while its clients use it. From any thread; the moments count up from 0, in the order of the notes.
final class HistoryRecorder<Call: Sendable, Answer: Sendable>: Sendable {
    private struct State {
        var moment = 0
        var operations: [History<Call, Answer>.Operation] = []

        mutating func now() -> Int {
            defer { moment += 1 }
            return moment
        }
    }

    private let state = Mutex(State())

    /// A recorder that has noted nothing.
    init() {}

    /// What was noted so far.
    var history: History<Call, Answer> { History(state.withLock(\.operations)) }

    /// Makes a call and notes it, its beginning before and its answer after it. A call whose task ends in between stays unanswered.
    func note(_ call: Call, by client: Int, _ body: () async -> Answer) async {
        let index = state.withLock { state in
            state.operations.append(.init(client: client, call: call, began: state.now()))
            return state.operations.count - 1
        }
        let answer = await body()
        state.withLock { state in state.operations[index].outcome = (answer, state.now()) }
    }
}
