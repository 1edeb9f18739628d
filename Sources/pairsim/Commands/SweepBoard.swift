import Foundation

/// How far the runs are that are under way and crash at every operation: the threads of the pool write here, the command's thread reads.
final class SweepBoard: @unchecked Sendable {
    /// Guards what is below.
    private let lock = NSLock()
    private var underWay: [Int: SweepProgress] = [:]
    private var announced: Set<Int> = []

    /// From so many runs on, a scenario is announced.
    static let longFrom = 1_000

    func note(_ progress: SweepProgress, of run: Int) {
        lock.withLock { underWay[run] = progress }
    }

    func end(_ run: Int) {
        _ = lock.withLock { underWay.removeValue(forKey: run) }
    }

    /// Of the run under way: `nil` for one that does not crash at every operation, or has just begun or ended.
    func progress(of run: Int) -> SweepProgress? {
        lock.withLock { underWay[run] }
    }

    /// The runs that will take long, each once, with how many runs each is.
    func takeLong() -> [(run: Int, total: Int)] {
        lock.withLock {
            let long = underWay.compactMap { run, progress in
                progress.total.flatMap { $0 >= Self.longFrom && !announced.contains(run) ? (run: run, total: $0) : nil }
            }
            announced.formUnion(long.map(\.run))
            return long.sorted { $0.run < $1.run }
        }
    }
}

extension SweepProgress {
    /// `crash point 311 of about 2460`
    var text: String {
        guard let total, done < total else { return "crash point \(done + 1)" }
        return "crash point \(done + 1) of about \(total)"
    }
}
