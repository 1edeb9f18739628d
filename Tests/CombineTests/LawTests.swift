import Combine
import Testing

/// What holds for every operator: no more than is asked for, nothing after the end, the same values however they are asked for, and an end for the upstream
/// with the subscriber's.
@Suite struct LawTests {
    struct Pipeline: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (AnyPublisher<Int, Trouble>) -> AnyPublisher<String, Trouble>

        init<P: Publisher & SendableMetatype>(_ name: String, _ make: @escaping @Sendable (AnyPublisher<Int, Trouble>) -> P)
        where P.Failure == Trouble {
            testDescription = name
            self.make = { make($0).map { "\($0)" }.eraseToAnyPublisher() }
        }
    }

    static let pipelines = [
        Pipeline("map") { $0.map { $0 + 1 } },
        Pipeline("compactMap") { $0.compactMap { $0 % 2 == 0 ? $0 : nil } },
        Pipeline("filter") { $0.filter { $0 % 3 == 0 } },
        Pipeline("removeDuplicates") { $0.removeDuplicates { $0 / 2 == $1 / 2 } },
        Pipeline("scan") { $0.scan(0, +) },
        Pipeline("dropFirst") { $0.dropFirst(3) },
        Pipeline("drop(while:)") { $0.drop { $0 < 4 } },
        Pipeline("prefix") { $0.prefix(4) },
        Pipeline("prefix(while:)") { $0.prefix { $0 < 5 } },
        Pipeline("output(in:)") { $0.output(in: 2...4) },
        Pipeline("ignoreOutput") { $0.ignoreOutput() },
        Pipeline("reduce") { $0.reduce(0, +) },
        Pipeline("count") { $0.count() },
        Pipeline("last") { $0.last() },
        Pipeline("max") { $0.max() },
        Pipeline("first") { $0.first() },
        Pipeline("contains") { $0.contains(3) },
        Pipeline("allSatisfy") { $0.allSatisfy { $0 < 100 } },
        Pipeline("collect") { $0.collect() },
        Pipeline("collect(3)") { $0.collect(3) },
        Pipeline("replaceEmpty") { $0.filter { _ in false }.replaceEmpty(with: 9) },
        Pipeline("replaceError") { $0.append(Fail(error: Trouble())).replaceError(with: 9).setFailureType(to: Trouble.self) },
        Pipeline("catch") { numbers in numbers.append(Fail(error: Trouble())).catch { _ in numbers } },
        Pipeline("retry") { $0.append(Fail(error: Trouble())).retry(1) },
        Pipeline("prepend, append") { $0.prepend(8, 9).append(10) },
        Pipeline("merge") { $0.merge(with: $0, Just(99).setFailureType(to: Trouble.self)) },
        Pipeline("flatMap") { $0.flatMap { Array(repeating: $0, count: $0).publisher } },
        Pipeline("flatMap(maxPublishers:)") { $0.flatMap(maxPublishers: .max(1)) { [$0, $0 * 10].publisher } },
        Pipeline("zip") { $0.zip($0.dropFirst()) { $0 * 100 + $1 } },
        Pipeline("handleEvents") { $0.handleEvents() },
        Pipeline("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
        Pipeline("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
        Pipeline("delay") { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) },
        Pipeline("buffer") { $0.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest) },
        Pipeline("buffer, kept full") { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .customError { Trouble(number: 7) }) },
    ]

    private static let numbers = (1...7).publisher.setFailureType(to: Trouble.self).eraseToAnyPublisher()

    /// Values that are asked for one by one are those that are asked for at once, as far as the order of several upstreams does not depend on it.
    @Test(arguments: pipelines) func demandDoesNotChangeWhatIsSent(_ pipeline: Pipeline) {
        let all = Taker<String, Trouble>()
        pipeline.make(Self.numbers).subscribe(all)
        #expect(all.ends == 1)
        for (initial, each) in [(Subscribers.Demand.max(1), Subscribers.Demand.max(1)), (.max(2), .max(1)), (.max(1), .none)] {
            let few = Taker<String, Trouble>(initial, each: each)
            pipeline.make(Self.numbers).subscribe(few)
            var asked = 0
            while few.ends == 0, asked < 200 {
                few.ask(.max(1))
                asked += 1
            }
            #expect(few.breaches == [])
            #expect(few.ends == 1 && few.failure == all.failure)
            #expect(
                ["merge", "flatMap"].contains(pipeline.testDescription)
                    ? few.values.sorted() == all.values.sorted() : few.values == all.values)
        }
        #expect(all.breaches == [])
    }

    /// A subscriber that has not asked for anything gets no value, but an end.
    @Test(arguments: pipelines) func nothingComesUnasked(_ pipeline: Pipeline) {
        let none = Taker<String, Trouble>(.none)
        pipeline.make(Self.numbers).subscribe(none)
        #expect(none.values == [] && none.breaches == [])
    }

    /// One that cancels with its first value gets no other, and no end; the upstream is cancelled.
    @Test(arguments: pipelines) func nothingComesAfterCancelling(_ pipeline: Pipeline) {
        var open = 0
        let upstream = Self.numbers.append(Empty(completeImmediately: false))
            .handleEvents(
                receiveSubscription: { _ in open += 1 }, receiveCompletion: { _ in open -= 1 }, receiveCancel: { open -= 1 }
            )
            .eraseToAnyPublisher()
        let taker = Taker<String, Trouble>()
        taker.onValue = { [unowned taker] _ in taker.cancel() }
        pipeline.make(upstream).subscribe(taker)
        if taker.values.isEmpty { taker.cancel() }
        #expect(taker.values.count <= 1 && taker.ends == 0)
        #expect(open == 0)
    }

    /// With the subscription everything is let go, at the end and when it is cancelled.
    @Test(arguments: pipelines, [true, false]) func nothingIsKept(_ pipeline: Pipeline, isCancelled: Bool) {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let made = Token()
            token = made
            let subject = PassthroughSubject<Int, Trouble>()
            let cancellable = pipeline.make(subject.map { [made] in $0 + (made === made ? 0 : 1) }.eraseToAnyPublisher())
                .sink { [made] _ in
                    _ = made
                } receiveValue: { [made] _ in
                    _ = made
                }
            for number in 1...3 { subject.send(number) }
            if isCancelled { cancellable.cancel() } else { subject.send(completion: .finished) }
        }
        #expect(token == nil)
    }
}
