import Combine
import Foundation
import Testing

/// The rules of subjects, of what is published once, of sharing, and of cancelling.
@Suite struct SubjectTests {
    @Test func aValueIsLostToWhoHasNotAskedForIt() {
        let subject = PassthroughSubject<Int, Trouble>()
        let taker = Taker<Int, Trouble>(.max(1))
        subject.subscribe(taker)
        subject.send(1)
        subject.send(2)
        taker.ask(.max(1))
        subject.send(3)
        #expect(taker.values == [1, 3])
        subject.send(completion: .failure(Trouble()))
        subject.send(4)
        #expect(taker.failure == Trouble() && taker.breaches == [])
        let late = Taker<Int, Trouble>()
        subject.subscribe(late)
        #expect(late.values == [] && late.failure == Trouble())
    }

    @Test func thePresentValueComesFirstAndOnceItIsAskedFor() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let taker = Taker<Int, Never>(.none)
        subject.subscribe(taker)
        subject.send(2)
        subject.value = 3
        taker.ask(.max(1))
        #expect(taker.values == [3])
        subject.send(4)
        subject.send(5)
        taker.ask(.max(1))
        #expect(taker.values == [3, 5] && taker.breaches == [])
        subject.send(completion: .finished)
        subject.value = 6
        #expect(subject.value == 5)
    }

    @Test func subscribersAreToldInTheirOrder() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [String] = []
        var cancellables: Set<AnyCancellable> = []
        for name in ["a", "b", "c"] { subject.sink { seen.append("\(name)\($0)") }.store(in: &cancellables) }
        subject.send(1)
        #expect(seen == ["a1", "b1", "c1"])
        cancellables.removeAll()
        subject.send(2)
        #expect(seen.count == 3, "a cancellable that is let go is cancelled")
    }

    @Test func aSubscriberMaySubscribeCancelAndSendMeanwhile() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [String] = []
        var kept: [AnyCancellable] = []
        subject.sink { value in
            seen.append("a\(value)")
            if value == 1 {
                subject.sink { seen.append("b\($0)") }.store(in: &kept)
                subject.send(2)
            } else {
                kept.removeAll()
            }
        }.store(in: &kept)
        subject.send(1)
        #expect(seen == ["a1", "a2"])
        subject.send(3)
        #expect(seen == ["a1", "a2"])
    }

    @Test func aSubjectPassesOnWhatItSubscribesTo() {
        let source = PassthroughSubject<Int, Never>()
        let subject = CurrentValueSubject<Int, Never>(0)
        let cancellable = source.subscribe(subject)
        var seen: [Int] = []
        let sink = subject.sink { seen.append($0) }
        source.send(1)
        cancellable.cancel()
        source.send(2)
        #expect(seen == [0, 1] && subject.value == 1)
        sink.cancel()
    }

    @Test func aFutureBeginsAtOnceAndKeepsItsResult() async throws {
        var begun = 0
        let box = Box<Future<Int, Trouble>.Promise>()
        let future = Future<Int, Trouble> { promise in
            begun += 1
            box.value = promise
        }
        #expect(begun == 1)
        let (early, idle) = (Taker<Int, Trouble>(), Taker<Int, Trouble>(.none))
        future.subscribe(early)
        future.subscribe(idle)
        box.value?(.success(5))
        box.value?(.success(6))
        #expect(early.values == [5] && early.ends == 1)
        #expect(idle.values == [] && idle.ends == 0)
        idle.ask(.max(1))
        #expect(idle.values == [5] && idle.ends == 1 && begun == 1)
        #expect(future.marbles == "5|")
        #expect(try await future.value == 5)
        #expect(Future<Int, Trouble> { $0(.failure(Trouble())) }.marbles == "#")
        await #expect(throws: Trouble.self) { try await Future<Int, Trouble> { $0(.failure(Trouble())) }.value }
        #expect(await Future<Int, Never> { $0(.success(1)) }.value == 1)
    }

    @Test func whatIsPublishedOnce() {
        #expect(Just(1).marbles == "1|")
        #expect(Empty<Int, Never>().marbles == "|")
        #expect(Empty<Int, Never>(completeImmediately: false).marbles == "")
        #expect(Fail<Int, Trouble>(error: Trouble()).marbles == "#")
        #expect(Optional(1).publisher.marbles == "1|")
        #expect(Int?.none.publisher.marbles == "|")
        #expect(Result<Int, Trouble>.success(1).publisher.marbles == "1|")
        #expect(Result<Int, Trouble>.failure(Trouble()).publisher.marbles == "#")
        #expect([Int]().publisher.marbles == "|")
        var made = 0
        let deferred = Deferred { () -> Just<Int> in
            made += 1
            return Just(made)
        }
        #expect(deferred.marbles + deferred.marbles == "1|2|")
    }

    @Test func sharingSubscribesOnce() {
        var subscriptions = 0
        let source = PassthroughSubject<Int, Never>()
        let shared = source.handleEvents(receiveSubscription: { _ in subscriptions += 1 }, receiveCancel: { subscriptions -= 1 }).share()
        var seen: [String] = []
        var cancellables = [shared.sink { seen.append("a\($0)") }, shared.sink { seen.append("b\($0)") }]
        source.send(1)
        #expect(subscriptions == 1 && seen == ["a1", "b1"])
        cancellables.removeFirst()
        #expect(subscriptions == 1)
        cancellables.removeAll()
        #expect(subscriptions == 0)
    }

    @Test func aConnectablePublisherWaits() {
        let connectable = [1, 2].publisher.makeConnectable()
        let taker = Taker<Int, Never>()
        connectable.subscribe(taker)
        #expect(taker.values == [])
        let connection = connectable.connect()
        #expect(taker.values == [1, 2] && taker.ends == 1)
        connection.cancel()
        let multicast = [1, 2].publisher.multicast(subject: CurrentValueSubject<Int, Never>(0)).autoconnect()
        #expect(multicast.marbles == "0 1 2|")
    }

    @Test func aCancellableCallsOnce() {
        var calls = 0
        do {
            let cancellable = AnyCancellable { calls += 1 }
            cancellable.cancel()
            cancellable.cancel()
        }
        #expect(calls == 1)
        do { _ = AnyCancellable { calls += 1 } }
        #expect(calls == 2)
    }

    @Test func switchingLeavesTheOldOne() {
        let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let taker = Taker<Int, Never>(.max(2))
        outer.switchToLatest().subscribe(taker)
        outer.send(first)
        first.send(1)
        outer.send(second)
        first.send(2)
        second.send(3)
        second.send(4)
        outer.send(completion: .finished)
        #expect(taker.values == [1, 3] && taker.ends == 0)
        second.send(completion: .finished)
        #expect(taker.ends == 1 && taker.breaches == [])
    }

    @Test func flatMapKeepsToItsLimit() {
        let outer = PassthroughSubject<Int, Never>()
        var inner: [PassthroughSubject<Int, Never>] = []
        let taker = Taker<Int, Never>()
        outer.flatMap(maxPublishers: .max(1)) { _ in
            inner.append(PassthroughSubject<Int, Never>())
            return inner[inner.count - 1]
        }.subscribe(taker)
        outer.send(1)
        outer.send(2)
        #expect(inner.count == 1)
        inner[0].send(10)
        inner[0].send(completion: .finished)
        outer.send(3)
        #expect(inner.count == 2 && taker.values == [10])
    }

    @Test func valuesAreAwaited() async throws {
        var seen: [Int] = []
        for await value in [1, 2, 3].publisher.values { seen.append(value) }
        #expect(seen == [1, 2, 3])
        var thrown: (any Error)?
        do {
            for try await value in Record<Int, Trouble>(output: [4], completion: .failure(Trouble())).values { seen.append(value) }
        } catch {
            thrown = error
        }
        #expect(seen == [1, 2, 3, 4] && thrown is Trouble)
        let subject = PassthroughSubject<Int, Never>()
        let task = Task {
            var count = 0
            for await _ in subject.values { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    private final class Box<Value> {
        var value: Value?
    }
}

/// `Demand` counts, and never below nothing.
@Suite struct DemandTests {
    @Test func arithmetic() {
        #expect(Subscribers.Demand.max(2) + .max(3) == .max(5))
        #expect(Subscribers.Demand.max(2) + .unlimited == .unlimited)
        #expect(Subscribers.Demand.max(2) - .max(3) == .none)
        #expect(Subscribers.Demand.unlimited - .max(3) == .unlimited)
        #expect(Subscribers.Demand.max(2) * 3 == .max(6))
        #expect(Subscribers.Demand.max(2) - .unlimited == .none)
        #expect(Subscribers.Demand.max(2) < .unlimited)
        #expect(Subscribers.Demand.max(2) > 1)
        #expect(!(Subscribers.Demand.unlimited < 5))
        #expect(Subscribers.Demand.unlimited.max == nil)
        #expect("\(Subscribers.Demand.max(2)) \(Subscribers.Demand.unlimited)" == "max(2) unlimited")
    }
}
