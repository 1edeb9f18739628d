import DeviceSim
import Foundation
import Testing

@testable import DeviceSimCore

/// The laws that ``Scheduler`` names.
@Suite struct SchedulerLawTests {
    static let orders: [ReadyOrder] = [.firstInFirstOut, .seeded(1), .seeded(2), .seeded(77)]

    @Test func tiesRunInInsertionOrder() {
        let scheduler = Scheduler()
        var log: [Int] = []
        for number in 0..<2_000 { scheduler.enqueue { log.append(number) } }
        scheduler.runReady()
        #expect(log == Array(0..<2_000))

        log.removeAll()
        let later = scheduler.now + .seconds(1)
        for number in 0..<200 { scheduler.schedule(at: number.isMultiple(of: 3) ? later + .seconds(1) : later) { log.append(number) } }
        scheduler.advance(to: later + .seconds(2))
        let (second, first) = ((0..<200).filter { $0.isMultiple(of: 3) }, (0..<200).filter { !$0.isMultiple(of: 3) })
        #expect(log == first + second)
    }

    @Test func aSeededOrderIsAnyOrderAndAlwaysTheSame() {
        func order(_ seed: UInt64) -> [Int] {
            let scheduler = Scheduler(order: .seeded(seed))
            var log: [Int] = []
            for number in 0..<50 { scheduler.enqueue { log.append(number) } }
            scheduler.runReady()
            return log
        }
        #expect(order(1) == order(1))
        #expect(order(1) != order(2))
        #expect(order(1) != Array(0..<50))
        #expect(order(1).sorted() == Array(0..<50))
    }

    @Test(arguments: orders) func nothingRunsUntilTold(order: ReadyOrder) {
        let scheduler = Scheduler(order: order)
        var log: [String] = []
        scheduler.enqueue { log.append("action") }
        scheduler.schedule(at: .start) { log.append("timer") }
        #expect(log.isEmpty && scheduler.hasReadyWork)
        scheduler.runReady()
        #expect(log == ["action"], "a timer that is due waits for time to be let pass")
        scheduler.advance(to: scheduler.now)
        #expect(log == ["action", "timer"])
    }

    @Test(arguments: orders) func virtualTimeMovesOnlyWhenNothingIsReady(order: ReadyOrder) {
        let scheduler = Scheduler(order: order)
        var times: [VirtualTime] = []
        func again(_ count: Int) {
            times.append(scheduler.now)
            if count > 0 { scheduler.enqueue { again(count - 1) } }
        }
        var timerTime: VirtualTime?
        scheduler.schedule(at: .start + .milliseconds(1)) { timerTime = scheduler.now }
        scheduler.enqueue { again(100) }
        scheduler.advance(to: .start + .seconds(1))
        #expect(times.count == 101 && times.allSatisfy { $0 == .start })
        #expect(timerTime == .start + .milliseconds(1))
        #expect(scheduler.now == .start + .seconds(1))
    }

    @Test(arguments: orders) func aTimerNeverFiresEarlyAndThePastChangesNothing(order: ReadyOrder) {
        let scheduler = Scheduler(order: order)
        var random = SeededGenerator(seed: 5)
        var late: [VirtualDuration] = []
        for _ in 0..<500 {
            let time = VirtualTime.start + .milliseconds(Int64(random.below(1_000)))
            scheduler.schedule(at: time) { late.append(scheduler.now - time) }
        }
        scheduler.advance(to: .start + .milliseconds(499))
        let soFar = late.count
        #expect(soFar > 100 && soFar < 400)
        scheduler.advance(to: .start + .seconds(1))
        #expect(late.count == 500 && late.allSatisfy { $0 == .zero })

        let now = scheduler.now
        scheduler.advance(to: .start)
        #expect(scheduler.now == now)
        var firedAt: VirtualTime?
        scheduler.schedule(at: .start) { firedAt = scheduler.now }
        scheduler.advance(to: now)
        #expect(firedAt == now)
    }

    @Test func aCancelledTimerNeverFires() {
        let scheduler = Scheduler()
        var fired: [Int] = []
        let timers = (0..<300).map { number in scheduler.schedule(at: .start + .milliseconds(Int64(number % 7))) { fired.append(number) } }
        for number in stride(from: 0, to: 300, by: 2) { scheduler.cancel(timers[number]) }
        scheduler.advance(to: .start + .seconds(1))
        #expect(fired.sorted() == Array(stride(from: 1, to: 300, by: 2)))
        scheduler.cancel(timers[1])
        #expect(scheduler.nextTimer == nil)
    }

    @Test(arguments: orders) func aTimerThatIsCancelledAtItsOwnInstantDoesNotFire(order: ReadyOrder) {
        let scheduler = Scheduler(order: order)
        var fired: [String] = []
        var timers: [TimerID] = []
        for name in ["a", "b"] {
            timers.append(
                scheduler.schedule(at: .start + .seconds(1)) {
                    fired.append(name)
                    timers.forEach(scheduler.cancel)
                })
        }
        scheduler.advance(to: .start + .seconds(2))
        #expect(fired.count == 1, "whichever comes first cancels the other")
    }

    @Test func cancelledTimersAreLetGoLongBeforeTheirTime() {
        final class Held {}
        let scheduler = Scheduler()
        weak var weakest: Held?
        for _ in 0..<1_000 {
            let held = Held()
            weakest = held
            scheduler.cancel(scheduler.schedule(at: .start + .seconds(300)) { _ = held })
        }
        scheduler.schedule(at: .start + .seconds(1)) {}
        for _ in 0..<1_000 {
            let held = Held()
            weakest = held
            let timer = scheduler.schedule(at: .start + .seconds(300)) { _ = held }
            scheduler.schedule(at: .start + .seconds(1)) { scheduler.cancel(timer) }
        }
        scheduler.advance(to: .start + .seconds(2))
        #expect(weakest == nil)
        #expect(scheduler.nextTimer == nil)
    }

    @Test func workOfASuspendedProcessWaitsInTheOrderInWhichItCame() {
        let scheduler = Scheduler()
        let process = ProcessExecutor(scheduler: scheduler, name: "app")
        let other = ProcessExecutor(scheduler: scheduler, name: "other")
        var log: [String] = []
        scheduler.enqueue(for: process) { log.append("before 1") }
        scheduler.enqueue(for: other) { log.append("other") }
        scheduler.enqueue(for: process) { log.append("before 2") }
        process.isSuspended = true
        scheduler.enqueue(for: process) { log.append("while suspended") }
        scheduler.enqueue { log.append("nobody's") }
        scheduler.runReady()
        #expect(log == ["other", "nobody's"])
        #expect(!scheduler.hasReadyWork)
        scheduler.resume(process)
        scheduler.enqueue(for: process) { log.append("after") }
        scheduler.runReady()
        #expect(log.dropFirst(2) == ["before 1", "before 2", "while suspended", "after"])
    }

    @Test(arguments: orders) func aTaskOfASuspendedProcessWaits(order: ReadyOrder) {
        let scheduler = Scheduler(order: order)
        let process = ProcessExecutor(scheduler: scheduler, name: "app")
        let count = Count()
        process.isSuspended = true
        _ = Task(executorPreference: process) { await count.increment() }
        scheduler.runReady()
        #expect(process.parked.count == 1)
        scheduler.resume(process)
        scheduler.runReady()
        #expect(process.parked.isEmpty && !scheduler.hasReadyWork)
        let read = Box()
        _ = Task(executorPreference: process) { read.value = await count.value }
        scheduler.runReady()
        #expect(read.value == 1)
    }

    @Test(arguments: orders) func workFromAForeignThreadIsAnEscapeAndIsReported(order: ReadyOrder) {
        let scheduler = Scheduler(order: order)
        let process = ProcessExecutor(scheduler: scheduler, name: "phone app #1")
        let ran = Box()
        let done = DispatchSemaphore(value: 0)
        scheduler.enqueue {
            let thread = Thread {
                _ = Task(executorPreference: process) { ran.value += 1 }
                scheduler.reportEscape("a refused call")
                done.signal()
            }
            thread.start()
            done.wait()
        }
        #expect(scheduler.escapes.isEmpty)
        scheduler.runReady()
        #expect(scheduler.escapes == ["phone app #1", "a refused call"])
        #expect(ran.value == 1, "an escaped job still runs, on the simulation's thread")
    }

    @Test func aLimitStopsWorkWithoutAnEnd() {
        let scheduler = Scheduler()
        func again() { scheduler.enqueue { again() } }
        again()
        #expect(!scheduler.runReady(limit: 1_000))
        #expect(scheduler.executedCount == 1_000)
        #expect(!scheduler.advance(to: .start + .seconds(1), limit: 10))
        #expect(scheduler.now == .start)
    }

    private actor Count {
        private(set) var value = 0
        func increment() { value += 1 }
    }

    private final class Box: @unchecked Sendable {
        var value = 0
    }
}
