import Combine

/// Takes what it asks for, and writes down all that it gets.
final class Taker<Input, Failure: Error>: Subscriber {
    private(set) var values: [Input] = []
    private(set) var ends = 0
    private(set) var failure: Failure?
    private(set) var subscription: (any Subscription)?
    /// What came after the end, or beyond what was asked for.
    private(set) var breaches: [String] = []
    private let initial: Subscribers.Demand
    private let each: Subscribers.Demand
    private var wanted = Subscribers.Demand.none
    /// Is called with each value.
    var onValue: ((Input) -> Void)?

    /// - Parameters:
    ///   - initial: What it asks for with the subscription.
    ///   - each: What it asks for with each value.
    init(_ initial: Subscribers.Demand = .unlimited, each: Subscribers.Demand = .none) {
        self.initial = initial
        self.each = each
    }

    func receive(subscription: any Subscription) {
        if self.subscription != nil { breaches.append("a second subscription") }
        self.subscription = subscription
        if initial > 0 { ask(initial) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        if subscription == nil { breaches.append("a value before the subscription") }
        if ends > 0 { breaches.append("a value after the end") }
        if wanted == .none { breaches.append("more values than were asked for") }
        wanted -= 1
        wanted += each
        values.append(input)
        onValue?(input)
        return each
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if subscription == nil { breaches.append("an end before the subscription") }
        if ends > 0 { breaches.append("a second end") }
        ends += 1
        if case .failure(let failure) = completion { self.failure = failure }
    }

    func ask(_ demand: Subscribers.Demand) {
        wanted += demand
        subscription?.request(demand)
    }

    func cancel() { subscription?.cancel() }
}

struct Trouble: Error, Hashable {
    var number = 1
}

extension Publisher {
    /// What it sends at once to a subscriber that takes everything, with `|` at a good end and `#` at a failure.
    var marbles: String {
        let taker = Taker<Output, Failure>()
        subscribe(taker)
        let end = taker.ends == 0 ? "" : taker.failure == nil ? "|" : "#"
        return taker.values.map { "\($0)" }.joined(separator: " ") + end + taker.breaches.joined(separator: ", ")
    }
}
