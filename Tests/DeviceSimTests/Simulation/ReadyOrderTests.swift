import DeviceSim
import Testing

@Suite struct ReadyOrderTests {
    static let orders: [ReadyOrder] = [.firstInFirstOut, .seeded(7), .priorities(seed: 9, depth: 3), .choices([0, 2, 1]), .choices([5])]

    @Test(arguments: orders)
    func readsWhatItWrites(_ order: ReadyOrder) {
        #expect(ReadyOrder("\(order)") == order)
    }

    @Test(arguments: ["", "random", "random:x", "pct:1", "pct:1:0", "pct:1:65", "choices:", "choices:1,,2", "choices:-1", "-1"])
    func refusesOtherTexts(_ text: String) {
        #expect(ReadyOrder(text) == nil)
    }

    /// The names of actions in the order in which they ran; each of `a`, `b` and `c` makes two more ready.
    private func run(_ order: ReadyOrder) -> [String] {
        let scheduler = Scheduler(order: order)
        var ran: [String] = []
        for name in ["a", "b", "c"] {
            scheduler.enqueue {
                ran.append(name)
                scheduler.enqueue { ran.append(name + "1") }
                scheduler.enqueue { ran.append(name + "2") }
            }
        }
        scheduler.runReady()
        return ran
    }

    @Test(arguments: orders)
    func everythingRunsOnceAndTheSameEachTime(_ order: ReadyOrder) {
        let ran = run(order)
        #expect(ran.sorted() == ["a", "a1", "a2", "b", "b1", "b2", "c", "c1", "c2"])
        #expect(run(order) == ran)
    }

    @Test func choicesTakeTheNamedPlaces() {
        #expect(run(.choices([])) == run(.firstInFirstOut))
        #expect(run(.choices([2])).first == "c")
        #expect(run(.choices([1, 1])).prefix(2) == ["b", "c"])
        let scheduler = Scheduler(order: .choices([1]))
        for _ in 0..<3 { scheduler.enqueue {} }
        scheduler.runReady()
        #expect(scheduler.branching == [3, 2])
    }

    /// Without a change of priorities a chain runs to its end before one of lower priority begins.
    @Test func theHighestPriorityRunsFirst() {
        for seed in 0..<20 {
            let ran = run(.priorities(seed: UInt64(seed), depth: 1))
            let first = ran[0]
            #expect(ran.firstIndex(of: first + "1") == 1 || ran[1].count == 1 || ran[1].hasSuffix("2"))
        }
        #expect(Set((0..<20).map { run(.priorities(seed: $0, depth: 2)).joined() }).count > 5)
    }
}
