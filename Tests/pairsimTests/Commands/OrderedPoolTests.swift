import Testing

@testable import PairsimTool

struct OrderedPoolTests {
    @Test(arguments: [1, 2, 7, 64])
    func resultsComeInOrder(jobs: Int) {
        var received: [Int] = []
        let count = OrderedPool<Int>(count: 3_000).run(jobs: jobs, interruption: Interruption()) { index, _ in
            var sum = 0
            for number in 0..<(index % 11 * 50) { sum &+= number }
            return index &+ (sum &- sum)
        } consume: { index, output in
            #expect(index == output)
            received.append(output)
            return true
        } waiting: {
        }
        #expect(count == 3_000)
        #expect(received == Array(0..<3_000))
    }

    @Test func nothingToDo() {
        #expect(
            OrderedPool<Int>(count: 0).run(jobs: 4, interruption: Interruption()) { index, _ in
                index
            } consume: { _, _ in
                true
            } waiting: {
            } == 0)
    }

    @Test func theRestIsDroppedWhenTheConsumerHasEnough() {
        let begun = Bench.Counter()
        let count = OrderedPool<Int>(count: 100_000).run(jobs: 3, interruption: Interruption()) { index, _ in
            _ = begun.next()
            return index
        } consume: { index, _ in
            index < 9
        } waiting: {
        }
        #expect(count == 10)
        // No thread runs far ahead of the consumer.
        #expect(begun.value < 1_100)
    }
}
