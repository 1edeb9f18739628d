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
    /// The pieces that a thread works on and nobody has given up.
    private var underWay: Set<Int> = []

    /// How far the threads may run ahead of what has been consumed, so that memory stays flat behind a slow piece.
    private static var window: Int { 1_024 }
    /// How long an interrupted run waits for the pieces already begun.
    private static var patience: Double { 1 }

    init(count: Int) {
        limit = count
    }

    /// - Parameters:
    ///   - work: Called on the threads of the pool, with what gives the piece up: whoever calls that, on any thread, says what came of it, and another
    ///     thread takes the place of the one that does not come back. No effect on a piece that is done.
    ///   - consume: Called on this thread, for 0, 1, 2 and so on; `false` ends the run, and later results are dropped. Of an interrupted run some numbers
    ///     may be left out.
    ///   - waiting: Called on this thread every now and then.
    /// - Returns: How many results were consumed.
    func run(
        jobs: Int, interruption: Interruption, work: @escaping Work, consume: (Int, Output) -> Bool,
        waiting: () -> Void
    ) -> Int {
        for _ in 0..<min(jobs, limit) { startThread(work, until: interruption) }
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

    /// A piece of work by its number; the second parameter gives it up.
    typealias Work = @Sendable (Int, @escaping @Sendable (Output) -> Void) -> Output

    private func startThread(_ work: @escaping Work, until interruption: Interruption) {
        let thread = Thread { self.serve(work, until: interruption) }
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func giveUp(_ index: Int, _ output: Output, _ work: @escaping Work, until interruption: Interruption) {
        condition.lock()
        defer { condition.unlock() }
        guard underWay.remove(index) != nil else { return }
        results[index] = output
        running -= 1
        startThread(work, until: interruption)
        condition.broadcast()
    }

    private func serve(_ work: @escaping Work, until interruption: Interruption) {
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
            underWay.insert(index)
            condition.unlock()
            let output = work(index) { self.giveUp(index, $0, work, until: interruption) }
            condition.lock()
            // Of a piece that was given up nobody wants to know any more.
            guard underWay.remove(index) != nil else { return }
            results[index] = output
            running -= 1
            condition.broadcast()
        }
    }
}
