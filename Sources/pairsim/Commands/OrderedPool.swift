import Foundation

/// Does numbered pieces of work on several threads and hands the results over in the order of the numbers.
///
/// The thread that calls ``run(jobs:interruption:work:consume:waiting:)`` receives the results; what it sees does not depend on which
/// thread was faster.
final class OrderedPool<Output: Sendable>: @unchecked Sendable {
    /// Guards everything below.
    private let condition = NSCondition()
    private var next = 0
    /// Work from here on is not begun.
    private var limit: Int
    private var consumed = 0
    private var running = 0
    private var results: [Int: Output] = [:]

    /// How far the threads may run ahead of what has been consumed, so that memory stays flat behind a slow piece.
    private static var window: Int { 1_024 }
    /// How long an interrupted run waits for the pieces already begun.
    private static var patience: Double { 1 }

    init(count: Int) {
        limit = count
    }

    /// - Parameters:
    ///   - work: Called on the threads of the pool.
    ///   - consume: Called on this thread, for 0, 1, 2 and so on; `false` ends the run, and later results are dropped. Of an interrupted run some numbers
    ///     may be left out.
    ///   - waiting: Called on this thread every now and then.
    /// - Returns: How many results were consumed.
    func run(
        jobs: Int, interruption: Interruption, work: @escaping @Sendable (Int) -> Output, consume: (Int, Output) -> Bool,
        waiting: () -> Void
    ) -> Int {
        for _ in 0..<min(jobs, limit) {
            let thread = Thread { self.serve(work, until: interruption) }
            thread.stackSize = 8 << 20
            thread.start()
        }
        var isInterrupted = false
        var deadline = Date.distantFuture
        while true {
            condition.lock()
            if interruption.isRequested, !isInterrupted {
                isInterrupted = true
                limit = min(limit, next)
                deadline = Date(timeIntervalSinceNow: Self.patience)
            }
            let isOver = consumed >= limit || Date() > deadline
            if !isOver, results[consumed] == nil {
                _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
            }
            let output = isOver ? nil : results.removeValue(forKey: consumed)
            condition.unlock()
            if isOver { break }
            waiting()
            guard let output else { continue }
            let goesOn = consume(consumed, output)
            finish(goesOn: goesOn)
        }
        var count = consumed
        // Behind a piece that did not come to an end in time lie others that did.
        if isInterrupted {
            for (index, output) in takeLeftovers() {
                count += 1
                guard consume(index, output) else { break }
            }
        }
        drain(interruption: interruption)
        return count
    }

    private func takeLeftovers() -> [(Int, Output)] {
        condition.lock()
        defer { condition.unlock() }
        let leftovers = results.filter { $0.key >= consumed }.sorted { $0.key < $1.key }
        results = [:]
        return leftovers.map { ($0.key, $0.value) }
    }

    private func finish(goesOn: Bool) {
        condition.lock()
        consumed += 1
        if !goesOn { limit = consumed }
        condition.broadcast()
        condition.unlock()
    }

    /// Lets the pieces end that nobody waits for any more, so that nothing is written behind the caller's back.
    private func drain(interruption: Interruption) {
        condition.lock()
        defer { condition.unlock() }
        limit = min(limit, consumed)
        condition.broadcast()
        while running > 0, !interruption.isRequested {
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
        }
    }

    private func serve(_ work: @Sendable (Int) -> Output, until interruption: Interruption) {
        CrashGuard.enterThread()
        defer { CrashGuard.leaveThread() }
        condition.lock()
        defer { condition.unlock() }
        while true {
            while next < limit, next - consumed >= Self.window { condition.wait() }
            guard next < limit, !interruption.isRequested else { return }
            let index = next
            next += 1
            running += 1
            condition.unlock()
            let output = work(index)
            condition.lock()
            results[index] = output
            running -= 1
            condition.broadcast()
        }
    }
}
