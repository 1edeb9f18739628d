import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct TransferQueueTests {
    private func queue(_ count: Int, current: Set<Int> = []) -> TransferQueue<String> {
        var queue = TransferQueue<String>()
        for number in 1...count { queue.add("c\(number)", number: number, isCurrent: current.contains(number)) }
        return queue
    }

    /// Carries everything, one after the other.
    private func drained(_ queue: TransferQueue<String>) -> [Int] {
        var queue = queue
        var numbers: [Int] = []
        while let entry = queue.depart() {
            #expect(queue.depart() == nil, "one at a time")
            #expect(queue.arrive()?.number == entry.number)
            numbers.append(entry.number)
        }
        #expect(queue.isEmpty)
        return numbers
    }

    @Test("W80 in the order of the calls")
    func order() {
        #expect(drained(queue(5)) == [1, 2, 3, 4, 5])
    }

    @Test("W96 the newest complication info goes before all, the older keeps its place")
    func current() {
        #expect(drained(queue(5, current: [4])) == [4, 1, 2, 3, 5])
        #expect(drained(queue(5, current: [2, 4])) == [4, 1, 2, 3, 5])
        var queue = queue(3, current: [3])
        #expect(queue.current == 3)
        #expect(queue.depart()?.number == 3)
        queue.add("c4", number: 4, isCurrent: true)
        #expect(queue.arrive()?.number == 3)
        #expect(queue.current == 4, "the arrival of the older does not untag the newer")
        #expect(drained(queue) == [4, 1, 2])
    }

    @Test("W88 a broken transfer starts again, where it was")
    func interrupted() {
        var queue = queue(3)
        #expect(queue.depart()?.number == 1)
        #expect(queue.inFlight == 1)
        queue.interrupt()
        #expect(queue.inFlight == nil)
        #expect(queue.arrive() == nil)
        #expect(queue.outstanding.map(\.number) == [1, 2, 3])
        #expect(drained(queue) == [1, 2, 3])
    }

    @Test("W86 what is taken out is gone, wherever it was, and only once")
    func removed() {
        var queue = queue(5, current: [3])
        #expect(queue.depart()?.number == 3)
        #expect(queue.remove(3) == "c3")
        #expect(queue.inFlight == nil && queue.current == nil)
        #expect(queue.remove(3) == nil)
        #expect(queue.remove(1) == "c1")
        #expect(queue.remove(5) == "c5")
        #expect(queue.remove(9) == nil)
        #expect(queue[2] == "c2" && queue[3] == nil)
        #expect(queue.count == 2)
        #expect(drained(queue) == [2, 4])
    }

    @Test("Against a plain list, over random calls", arguments: 1...40 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TransferQueue<String>()
        var list: [Int] = []
        var current: Int?
        var inFlight: Int?
        for number in 1...600 {
            switch random.below(7) {
            case 0, 1, 2:
                let isCurrent = random.below(5) == 0
                queue.add("c\(number)", number: number, isCurrent: isCurrent)
                list.append(number)
                if isCurrent { current = number }
            case 3:
                let taken = list.isEmpty ? number : list[random.below(list.count)]
                #expect((queue.remove(taken) != nil) == list.contains(taken))
                list.removeAll { $0 == taken }
                if current == taken { current = nil }
                if inFlight == taken { inFlight = nil }
            case 4:
                queue.interrupt()
                inFlight = nil
            case 5:
                let next = inFlight == nil ? current ?? list.first : nil
                #expect(queue.depart()?.number == next)
                inFlight = next ?? inFlight
            default:
                #expect(queue.arrive()?.number == inFlight)
                list.removeAll { $0 == inFlight }
                if current == inFlight { current = nil }
                inFlight = nil
            }
            #expect(queue.count == list.count && queue.inFlight == inFlight && queue.current == current)
        }
        #expect(queue.outstanding.map(\.number) == list)
    }
}

@Suite struct FifoTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func againstAnArray(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var fifo = Fifo<Int>()
        var array: [Int] = []
        for number in 0..<500 {
            switch random.below(5) {
            case 0, 1:
                fifo.append(number)
                array.append(number)
            case 2 where random.below(4) == 0:
                fifo.prepend(number)
                array.insert(number, at: 0)
            default:
                #expect(fifo.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            }
            #expect(fifo.count == array.count && fifo.isEmpty == array.isEmpty && fifo.first == array.first)
        }
    }
}
