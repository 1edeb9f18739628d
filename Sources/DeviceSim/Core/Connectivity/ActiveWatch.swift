/// Which watch the phone speaks to, by its place among the pairs, and the change to another one that is under way (W12).
///
/// During a change the phone still speaks to the old watch: what that one has sent arrives.
struct ActiveWatch {
    private enum State {
        case speaking(to: Int)
        case handingOver(from: Int, to: Int, timer: TimerID)
    }

    private var state = State.speaking(to: 0)

    /// The watch that the phone speaks to now.
    var place: Int {
        switch state {
        case .speaking(let place), .handingOver(let place, _, _): place
        }
    }

    /// What ends the change that is under way.
    var timer: TimerID? {
        if case .handingOver(_, _, let timer) = state { timer } else { nil }
    }

    /// Begins a change, in place of one that is under way.
    mutating func hand(over target: Int, at timer: TimerID) {
        state = .handingOver(from: place, to: target, timer: timer)
    }

    /// Ends the change that is under way: the phone speaks to the other watch from now on.
    /// - Returns: False where there is none.
    mutating func complete() -> Bool {
        guard case .handingOver(_, let target, _) = state else { return false }
        state = .speaking(to: target)
        return true
    }
}
