import DeviceSimCore

/// Every order of ready work of one scenario, but of orders that differ only in pieces of work that commute one: run after run, depth first.
///
/// Between two instants, and between two steps, nothing is ready; what is ready at one instant are pieces of work that can run in any order, each from its
/// beginning to its end. Two pieces that touch nothing in common (``Footprint``) commute: whichever is first, both do what they do, make the same work ready
/// and leave the same state. Orders that come of each other by such changes of place (Mazurkiewicz traces) lead to the same end, so one of each is enough.
///
/// Why none is missed:
///
/// - *Dynamic partial-order reduction* (Flanagan and Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software", POPL 2005). Of each two pieces
///   in a run that are dependent and could have run the other way round (nothing else that ran between them orders them, and neither made the other ready),
///   the later one is tried in front of the earlier; where it was not ready there, a piece that leads to it; where there is none, all that was ready. A piece
///   of work is what a process with one transition is there, and what made it ready comes before it.
/// - *Sleep sets* (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996, chapter 5). What was tried first at a
///   moment need not be tried again behind its siblings, until something has run that depends on it. A run in which all that is ready sleeps comes to what
///   another run came to, and is given up.
/// - Footprints err on the side of too much: all work of one process is dependent, whatever it does; so is all that uses the session, and everything with
///   what belongs to no process. What was ready and never ran, since its process was suspended or the run was given up, counts as depending on everything. Of
///   pieces that run in the midst of one that blocks, every order is tried, and none is left out.
///
/// A test compares the ends of all orders with those of the reduced ones, in worlds so small that both can be made.
final class OrderSearch: OrderGuide {
    /// Which orders are left out. Tests compare them.
    enum Reduction: CaseIterable {
        case none
        case sleepSets
        case dynamic
    }

    /// A moment at which something was chosen.
    private struct Moment {
        let ready: [WorkIdentity]
        /// What need not be tried here, with what it touches: it was tried before, here or at an earlier moment.
        var asleep: [WorkIdentity: Footprint]
        /// What is to be tried here.
        var wanted: Set<WorkIdentity>
        var tried: Set<WorkIdentity> = []
        var chosen: WorkIdentity
        /// Counts instants.
        let instant: Int
        /// Whether it lies in the midst of a piece of work that blocks.
        let isNested: Bool
        // What came of the present choice.
        var parent: WorkIdentity = 0
        var footprint = Footprint.everything
    }

    private let reduction: Reduction
    /// Takes something from what footprints say. For the test of the test: with too little the ends of some orders must be missed.
    private let blindTo: Footprint

    // The tree, and the way that is gone in it.
    private var moments: [Moment] = []
    /// The first moment at which the present run differs from the one before.
    private var firstNew = 0

    // The present run.
    private var depth = 0
    private var instant = 0
    private var open: [Int] = []
    private var sleeping: [WorkIdentity: Footprint] = [:]
    /// Whether orders are varied now. Before the first step, and while everything is put right at the end, they are not.
    var isActive = false
    /// At each moment with a choice, from the beginning of the run: the place of what was chosen, for ``ReadyOrder/choices(_:)``.
    private(set) var choices: [Int] = []
    /// Whether the run was given up, since it is like one before.
    private(set) var isRedundant = false
    /// Whether the run did not repeat what an earlier one did under the same choices: then it is not deterministic, and nothing can be said.
    private(set) var hasDiverged = false

    // The count.
    /// How many first steps of further orders were left out as equivalent to orders that were made: each stands for one order or more.
    private(set) var leftOut = 0
    /// How many runs were given up, since all that was ready slept.
    private(set) var redundant = 0
    /// The greatest number of moments with a choice in a run.
    private(set) var mostChoices = 0

    init(_ reduction: Reduction = .dynamic, blindTo: Footprint = []) {
        self.reduction = reduction
        self.blindTo = blindTo
    }

    /// To be called before each run.
    func begin() {
        (depth, instant, open, sleeping, isActive, choices) = (0, 0, [], [:], false, [])
        isRedundant = false
    }

    // MARK: A run

    func choose(among ready: [WorkIdentity]) -> Int? {
        guard isActive else {
            if ready.count > 1 { choices.append(0) }
            return 0
        }
        if depth < moments.count {
            guard moments[depth].ready == ready, let place = ready.firstIndex(of: moments[depth].chosen) else {
                hasDiverged = true
                isActive = false
                return nil
            }
            return take(place, of: ready)
        }
        let isNested = !open.isEmpty
        if isNested { sleeping = [:] }
        guard let place = ready.firstIndex(where: { sleeping[$0] == nil }) else {
            isRedundant = true
            isActive = false
            return nil
        }
        let wanted: Set<WorkIdentity> = reduction == .dynamic && !isNested ? [ready[place]] : Set(ready)
        moments.append(
            Moment(ready: ready, asleep: sleeping, wanted: wanted, chosen: ready[place], instant: instant, isNested: isNested))
        return take(place, of: ready)
    }

    private func take(_ place: Int, of ready: [WorkIdentity]) -> Int {
        moments[depth].tried.insert(ready[place])
        open.append(depth)
        depth += 1
        if ready.count > 1 { choices.append(place) }
        return place
    }

    func didRun(_ identity: WorkIdentity, madeReadyBy parent: WorkIdentity, touching footprint: Footprint) {
        guard isActive, let place = open.popLast() else { return }
        let footprint = moments[place].isNested ? .everything : footprint.subtracting(blindTo)
        moments[place].parent = parent
        moments[place].footprint = footprint
        guard reduction != .none else { return }
        sleeping = moments[place].asleep.filter { $0.key != identity && !$0.value.isDependent(on: footprint) }
    }

    func didBlock() { sleeping = [:] }

    func instantIsOver() {
        instant += 1
        sleeping = [:]
    }

    // MARK: From run to run

    /// Goes on to the next order, after a run.
    /// - Returns: Whether there is one.
    func advance() -> Bool {
        mostChoices = max(mostChoices, choices.count)
        if isRedundant { redundant += 1 }
        guard !hasDiverged else { return false }
        // A run that broke an invariant ends before its time.
        leaveUnmade()
        if reduction == .dynamic { findRaces() }
        while var moment = moments.popLast() {
            moment.asleep[moment.chosen] = moment.footprint
            let next = moment.ready.first { moment.wanted.contains($0) && !moment.tried.contains($0) && isAwake($0, moment) }
            guard let next else {
                leftOut += moment.ready.count - moment.tried.count
                continue
            }
            moment.chosen = next
            moments.append(moment)
            firstNew = moments.count - 1
            return true
        }
        return false
    }

    private func isAwake(_ identity: WorkIdentity, _ moment: Moment) -> Bool { reduction == .none || moment.asleep[identity] == nil }

    /// What an earlier run had behind the end of this one.
    private func leaveUnmade() {
        if depth < moments.count { moments.removeLast(moments.count - depth) }
    }

    /// Wants at earlier moments what may come out otherwise there.
    private func findRaces() {
        var start = 0
        while start < moments.count {
            let end = moments[start...].firstIndex { $0.instant != moments[start].instant } ?? moments.count
            // What has not changed was looked at.
            if end > firstNew { findRaces(in: start..<end) }
            start = end
        }
    }

    /// A piece of work of an instant: one that ran, or one that was ready and did not.
    private struct Piece {
        let identity: WorkIdentity
        let parent: WorkIdentity
        let footprint: Footprint
    }

    private func findRaces(in range: Range<Int>) {
        var pieces = range.map { Piece(identity: moments[$0].chosen, parent: moments[$0].parent, footprint: moments[$0].footprint) }
        let ran = pieces.count
        var known = Set(pieces.map(\.identity))
        for identity in range.flatMap({ moments[$0].ready }) where known.insert(identity).inserted {
            // What made it ready is not told before it runs: nobody counts as its maker, so that more is tried than need be.
            pieces.append(Piece(identity: identity, parent: 0, footprint: .everything))
        }
        let places = Dictionary(pieces.prefix(ran).enumerated().map { ($1.identity, $0) }, uniquingKeysWith: { first, _ in first })
        /// Of each piece, those that come before it in every equivalent order.
        var before: [PlaceSet] = []
        for (place, piece) in pieces.enumerated() {
            var own = PlaceSet(count: pieces.count)
            var racing: [Int] = []
            if let parent = places[piece.parent], parent < place {
                own.formUnion(before[parent])
                own.insert(parent)
            }
            // From the last one on: what is before one that is known to come before this is no race of its own.
            for earlier in stride(from: min(place, ran) - 1, through: 0, by: -1)
            where !own.contains(earlier) && pieces[earlier].footprint.isDependent(on: piece.footprint) {
                racing.append(earlier)
                own.formUnion(before[earlier])
                own.insert(earlier)
            }
            before.append(own)
            for earlier in racing { reverse(earlier, place, pieces, before, range) }
        }
    }

    private func reverse(_ earlier: Int, _ later: Int, _ pieces: [Piece], _ before: [PlaceSet], _ range: Range<Int>) {
        let moment = range.lowerBound + earlier
        let ready = moments[moment].ready
        if ready.contains(pieces[later].identity) {
            moments[moment].wanted.insert(pieces[later].identity)
        } else if let first = (earlier + 1..<max(earlier + 1, later)).first(where: {
            before[later].contains($0) && ready.contains(pieces[$0].identity)
        }) {
            moments[moment].wanted.insert(pieces[first].identity)
        } else {
            moments[moment].wanted.formUnion(ready)
        }
    }
}

/// A set of places below a count.
private struct PlaceSet {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

    func contains(_ place: Int) -> Bool { words[place / 64] & (1 << UInt64(place % 64)) != 0 }

    mutating func formUnion(_ other: PlaceSet) {
        for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    }
}
