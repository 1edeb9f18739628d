/// Every order of a small run, one after the other: first the plain one, then those with one piece of work taken out of its turn, then with two.
///
/// Bounded: ``limit`` orders of one run, so that a run with many moments of choice is searched near the plain order.
struct OrderEnumeration {
    static let limit = 200
    /// How many pieces of work are taken out of their turn at most. Few mistakes need more (Musuvathi and Qadeer, "Iterative Context Bounding", 2007).
    static let maximumDeviations = 2

    private struct Candidate {
        let choices: [Int]
        let deviations: Int
    }

    private var candidates = [Candidate(choices: [], deviations: 0)]
    private var next = 0

    /// The choices of the next order; `nil` when all were taken, or enough.
    var current: [Int]? { next < min(candidates.count, Self.limit) ? candidates[next].choices : nil }

    /// Goes on to the next order.
    /// - Parameter branching: How many pieces of work there were to choose from at each moment of the run that ``current`` made.
    mutating func advance(branching: [Int]) {
        let candidate = candidates[next]
        next += 1
        guard candidate.deviations < Self.maximumDeviations, candidates.count < Self.limit else { return }
        for place in candidate.choices.count..<max(candidate.choices.count, branching.count) {
            for choice in 1..<max(1, branching[place]) {
                let zeros = [Int](repeating: 0, count: place - candidate.choices.count)
                candidates.append(Candidate(choices: candidate.choices + zeros + [choice], deviations: candidate.deviations + 1))
            }
        }
    }
}
