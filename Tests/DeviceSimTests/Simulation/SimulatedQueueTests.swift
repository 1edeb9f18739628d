import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct SimulatedQueueTests {
    static let orders: [ReadyOrder] = [.firstInFirstOut, .seeded(1), .seeded(2), .seeded(77)]

    final class Fixture {
        let scheduler: Scheduler
        let executor: ProcessExecutor
        let life = ProcessLife(device: .phone, number: 1, startedBeforeFirstUnlock: false)
        let queue: SimulatedQueue
        var log: [Int] = []

        init(order: ReadyOrder = .firstInFirstOut) {
            scheduler = Scheduler(order: order)
            executor = ProcessExecutor(scheduler: scheduler, name: "app")
            queue = SimulatedQueue(scheduler: scheduler, executor: executor, life: life) { $0() }
        }

        func add(_ numbers: Range<Int>) {
            for number in numbers { queue.async { [unowned self] in log.append(number) } }
        }
    }

    @Test("W11 items run in their order, whatever the order of ready work", arguments: orders)
    func inOrder(order: ReadyOrder) {
        let fixture = Fixture(order: order)
        fixture.add(0..<300)
        fixture.queue.async { fixture.add(301..<310) }
        fixture.add(300..<301)
        fixture.scheduler.runReady()
        #expect(fixture.log == Array(0..<310))
    }

    @Test("Items of a suspended process wait, in their order", arguments: orders)
    func suspended(order: ReadyOrder) {
        let fixture = Fixture(order: order)
        fixture.add(0..<5)
        fixture.executor.isSuspended = true
        fixture.add(5..<10)
        fixture.scheduler.runReady()
        #expect(fixture.log.isEmpty)
        fixture.scheduler.resume(fixture.executor)
        fixture.add(10..<15)
        fixture.scheduler.runReady()
        #expect(fixture.log == Array(0..<15))
    }

    @Test("Nothing runs after the process ended, except what unwinds", arguments: orders)
    func ended(order: ReadyOrder) {
        let fixture = Fixture(order: order)
        fixture.add(0..<5)
        fixture.life.end()
        fixture.add(5..<10)
        fixture.queue.unwind { fixture.log.append(100) }
        fixture.scheduler.runReady()
        #expect(fixture.log == [100])
    }

    @Test("What was taken off does not run")
    func removed() {
        let fixture = Fixture()
        fixture.add(0..<3)
        fixture.queue.async { fixture.queue.removeAll() }
        fixture.add(3..<6)
        fixture.scheduler.runReady()
        fixture.add(6..<7)
        fixture.scheduler.runReady()
        #expect(fixture.log == [0, 1, 2, 6])
    }
}
