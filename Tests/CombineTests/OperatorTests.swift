import Combine
import Foundation
import Testing

/// What each operator sends of what it gets: values, then `|` for a good end or `#` for a failure.
@Suite struct OperatorTests {
    private let numbers = [1, 2, 3, 4].publisher
    private let failing = Record<Int, Trouble>(output: [1, 2], completion: .failure(Trouble()))

    @Test func mapping() {
        #expect(numbers.map { $0 * 2 }.marbles == "2 4 6 8|")
        #expect(failing.map { $0 * 2 }.marbles == "2 4#")
        #expect(numbers.tryMap { if $0 == 3 { throw Trouble() } else { $0 } }.marbles == "1 2#")
        #expect(["a", "bb"].publisher.map(\.count).marbles == "1 2|")
        #expect(["a", "bb"].publisher.map(\.count, \.isEmpty).map { "\($0)\($1)" }.marbles == "1false 2false|")
        #expect(["ab"].publisher.map(\.count, \.isEmpty, \.first).map { "\($0)\($1)\($2 ?? "-")" }.marbles == "2falsea|")
        #expect(["1", "x", "3"].publisher.compactMap { Int($0) }.marbles == "1 3|")
        #expect(["1", "x"].publisher.tryCompactMap { if $0 == "x" { throw Trouble() } else { Int($0) } }.marbles == "1#")
        #expect([1, nil, 3].publisher.replaceNil(with: 0).marbles == "1 0 3|")
        #expect(numbers.scan(10, +).marbles == "11 13 16 20|")
        #expect(numbers.tryScan(0) { if $1 == 2 { throw Trouble() } else { $0 + $1 } }.marbles == "1#")
    }

    @Test func filtering() {
        #expect(numbers.filter { $0 % 2 == 0 }.marbles == "2 4|")
        #expect(numbers.tryFilter { if $0 == 3 { throw Trouble() } else { $0 > 1 } }.marbles == "2#")
        #expect([1, 1, 2, 2, 1].publisher.removeDuplicates().marbles == "1 2 1|")
        #expect([1, 3, 4, 6].publisher.removeDuplicates { $0 % 2 == $1 % 2 }.marbles == "1 4|")
        #expect(numbers.tryRemoveDuplicates { _, new in if new == 3 { throw Trouble() } else { false } }.marbles == "1 2#")
        #expect(numbers.dropFirst().marbles == "2 3 4|")
        #expect(numbers.dropFirst(3).marbles == "4|")
        #expect(numbers.drop { $0 < 3 }.marbles == "3 4|")
        #expect([1, 3, 1].publisher.drop { $0 < 3 }.marbles == "3 1|")
        #expect(numbers.tryDrop { _ in throw Trouble() }.marbles == "#")
        #expect(numbers.prefix(2).marbles == "1 2|")
        #expect(numbers.prefix(0).marbles == "|")
        #expect(failing.prefix(2).marbles == "1 2|")
        #expect(numbers.prefix { $0 < 3 }.marbles == "1 2|")
        #expect(numbers.tryPrefix { if $0 == 2 { throw Trouble() } else { true } }.marbles == "1#")
        #expect(numbers.output(at: 2).marbles == "3|")
        #expect(numbers.output(in: 1...2).marbles == "2 3|")
        #expect(numbers.output(in: 2...).marbles == "3 4|")
        #expect(numbers.ignoreOutput().marbles == "|")
        #expect(failing.ignoreOutput().marbles == "#")
    }

    @Test func reducing() {
        #expect(numbers.reduce(0, +).marbles == "10|")
        #expect(failing.reduce(0, +).marbles == "#")
        #expect(numbers.tryReduce(0) { if $1 == 4 { throw Trouble() } else { $0 + $1 } }.marbles == "#")
        #expect(numbers.count().marbles == "4|")
        #expect(numbers.last().marbles == "4|")
        #expect(numbers.last { $0 < 3 }.marbles == "2|")
        #expect(numbers.tryLast { _ in throw Trouble() }.marbles == "#")
        #expect([3, 1, 2].publisher.max().marbles == "3|")
        #expect([3, 1, 2].publisher.min().marbles == "1|")
        #expect(["b", "aa"].publisher.max { $0.count < $1.count }.marbles == "aa|")
        #expect([Int]().publisher.max().marbles == "|")
        #expect(numbers.tryMax { _, _ in throw Trouble() }.marbles == "#")
        #expect(numbers.tryMin(by: <).marbles == "1|")
        #expect(numbers.collect().marbles == "[1, 2, 3, 4]|")
        #expect(numbers.collect(3).marbles == "[1, 2, 3] [4]|")
        #expect(failing.collect(3).marbles == "#")
    }

    @Test func finding() {
        #expect(numbers.first().marbles == "1|")
        #expect(failing.first().marbles == "1|")
        #expect(Empty<Int, Never>().first().marbles == "|")
        #expect(numbers.first { $0 > 2 }.marbles == "3|")
        #expect(numbers.tryFirst { if $0 == 2 { throw Trouble() } else { false } }.marbles == "#")
        #expect(numbers.contains(3).marbles == "true|")
        #expect(numbers.contains(9).marbles == "false|")
        #expect(failing.contains(1).marbles == "true|")
        #expect(numbers.contains { $0 > 3 }.marbles == "true|")
        #expect(numbers.tryContains { _ in throw Trouble() }.marbles == "#")
        #expect(numbers.allSatisfy { $0 < 5 }.marbles == "true|")
        #expect(failing.allSatisfy { $0 > 1 }.marbles == "false|")
        #expect(failing.allSatisfy { $0 > 0 }.marbles == "#")
        #expect(numbers.tryAllSatisfy { _ in throw Trouble() }.marbles == "#")
    }

    @Test func failures() {
        #expect(failing.mapError { _ in URLError(.timedOut) }.marbles == "1 2#")
        #expect(failing.replaceError(with: 9).marbles == "1 2 9|")
        #expect(Empty<Int, Never>().replaceEmpty(with: 9).marbles == "9|")
        #expect(numbers.replaceEmpty(with: 9).marbles == "1 2 3 4|")
        #expect(Fail<Int, Trouble>(error: Trouble()).replaceEmpty(with: 9).marbles == "#")
        #expect(numbers.setFailureType(to: Trouble.self).append(failing).marbles == "1 2 3 4 1 2#")
        #expect(numbers.assertNoFailure().marbles == "1 2 3 4|")
        #expect(failing.catch { Just($0.number * 7) }.marbles == "1 2 7|")
        #expect(failing.catch { _ in Fail<Int, URLError>(error: URLError(.badURL)) }.marbles == "1 2#")
        #expect(failing.tryCatch { _ -> Just<Int> in throw Trouble() }.marbles == "1 2#")
        #expect(failing.retry(2).marbles == "1 2 1 2 1 2#")
        #expect(failing.retry(0).marbles == "1 2#")
    }

    @Test func following() {
        #expect(numbers.prepend(7, 8).marbles == "7 8 1 2 3 4|")
        #expect(numbers.prepend([7]).marbles == "7 1 2 3 4|")
        #expect(numbers.append(7, 8).marbles == "1 2 3 4 7 8|")
        #expect(numbers.append(Just(9)).prepend(Just(0)).marbles == "0 1 2 3 4 9|")
        #expect(failing.append(5).marbles == "1 2#")
    }

    @Test func merging() {
        #expect(Just(1).merge(with: Just(2)).marbles == "1 2|")
        let one = Just(1)
        #expect(one.merge(with: one, one).marbles == "1 1 1|")
        #expect(one.merge(with: one, one, one, one, one, one, one).marbles == "1 1 1 1 1 1 1 1|")
        #expect(Publishers.MergeMany([numbers, numbers]).marbles == "1 2 3 4 1 2 3 4|")
        #expect(failing.merge(with: Empty(completeImmediately: false)).marbles == "1 2#")
        #expect(Empty<Int, Never>().merge(with: Empty(completeImmediately: false)).marbles == "")
        #expect(numbers.flatMap { Array(repeating: $0, count: $0).publisher }.prefix(6).marbles == "1 2 2 3 3 3|")
        #expect(
            numbers.setFailureType(to: Trouble.self).flatMap {
                $0 == 3 ? Fail(error: Trouble()).eraseToAnyPublisher() : Just($0).setFailureType(to: Trouble.self).eraseToAnyPublisher()
            }.marbles == "1 2#")
        #expect(numbers.map { Just($0 * 10) }.switchToLatest().marbles == "10 20 30 40|")
    }

    @Test func zipping() {
        #expect(numbers.zip(["a", "b"].publisher) { "\($0)\($1)" }.marbles == "1a 2b|")
        #expect(numbers.zip(numbers, numbers) { $0 + $1 + $2 }.marbles == "3 6 9 12|")
        #expect(numbers.zip(numbers, numbers, numbers) { $0 + $1 + $2 + $3 }.marbles == "4 8 12 16|")
        #expect(numbers.zip(Empty<Int, Never>()).marbles == "|")
        #expect(numbers.zip(Empty<Int, Never>(completeImmediately: false)).marbles == "")
        #expect(failing.zip(Empty<Int, Trouble>(completeImmediately: false)).marbles == "#")
    }

    @Test func combiningLatest() {
        #expect(numbers.combineLatest(["a", "b"].publisher) { "\($0)\($1)" }.marbles == "4a 4b|")
        #expect(Just(1).combineLatest(Just(2), Just(3)) { $0 + $1 + $2 }.marbles == "6|")
        #expect(Just(1).combineLatest(Just(2), Just(3), Just(4)) { $0 + $1 + $2 + $3 }.marbles == "10|")
        #expect(failing.combineLatest(Empty<Int, Trouble>(completeImmediately: false)).marbles == "#")
        let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
        var seen: [String] = []
        let cancellable = left.combineLatest(right).sink { seen.append("\($0)\($1)") }
        left.send(1)
        left.send(2)
        right.send("a")
        left.send(3)
        right.send(completion: .finished)
        left.send(4)
        #expect(seen == ["2a", "3a", "4a"])
        cancellable.cancel()
    }

    @Test func coding() {
        let encoded = Just(["a": 1]).encode(encoder: JSONEncoder())
        #expect(encoded.map { String(decoding: $0, as: UTF8.self) }.marbles == #"{"a":1}|"#)
        #expect(encoded.decode(type: [String: Int].self, decoder: JSONDecoder()).map { $0["a"] ?? 0 }.marbles == "1|")
        #expect(Just(Data()).decode(type: Int.self, decoder: JSONDecoder()).marbles == "#")
    }

    @Test func buffering() {
        let subject = PassthroughSubject<Int, Trouble>()
        func taken(_ strategy: Publishers.BufferingStrategy<Trouble>) -> (Taker<Int, Trouble>) {
            let taker = Taker<Int, Trouble>(.none)
            subject.buffer(size: 2, prefetch: .byRequest, whenFull: strategy).subscribe(taker)
            return taker
        }
        let (newest, oldest, failing) = (taken(.dropNewest), taken(.dropOldest), taken(.customError { Trouble(number: 5) }))
        for number in 1...3 { subject.send(number) }
        for taker in [newest, oldest, failing] { taker.ask(.unlimited) }
        #expect(newest.values == [1, 2])
        #expect(oldest.values == [2, 3])
        #expect(failing.values == [1, 2] && failing.failure == Trouble(number: 5))
        subject.send(4)
        #expect(newest.values == [1, 2, 4])
    }

    @Test func printing() {
        final class Lines: TextOutputStream, @unchecked Sendable {
            var text = ""
            func write(_ string: String) { text += string }
        }
        let lines = Lines()
        _ = numbers.prefix(1).print("p", to: lines).sink { _ in }
        #expect(lines.text.contains("p: request unlimited\np: receive value: (1)\np: receive finished\n"))
        let subject = PassthroughSubject<Int, Trouble>()
        let cancellable = subject.print(to: lines).sink { _ in
        } receiveValue: { _ in
        }
        cancellable.cancel()
        #expect(lines.text.hasSuffix("receive subscription: (PassthroughSubject)\nrequest unlimited\nreceive cancel\n"))
    }
}
