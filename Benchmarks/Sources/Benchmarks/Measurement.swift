import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Takes the time of two ways to do a thing in turn, so that a machine that changes its speed changes it for both.
enum Measurement {
    /// The median of the times of one call of each, in seconds.
    ///
    /// - Parameters:
    ///   - rounds: How often the pair is timed.
    ///   - batch: How many calls make one timing.
    ///   - usesProcessorTime: Whether only the time is taken that the process makes use of a processor.
    static func pair(
        rounds: Int = 31, batch: Int, usesProcessorTime: Bool = false, _ first: () async throws -> Void, _ second: () async throws -> Void
    ) async throws -> (first: Double, second: Double, ratio: Double) {
        var times: (first: [Double], second: [Double]) = ([], [])
        func time(_ body: () async throws -> Void) async throws -> Double {
            guard usesProcessorTime else { return try await seconds(batch, body) }
            return try await processorSeconds { for _ in 0..<batch { try await body() } } / Double(batch)
        }
        for round in 0...rounds {
            let one = try await time(first)
            let other = try await time(second)
            guard round > 0 else { continue }  // the first round warms up
            times.first.append(one)
            times.second.append(other)
        }
        let ratios = zip(times.first, times.second).map { $0 / $1 }
        return (median(times.first), median(times.second), median(ratios))
    }

    /// The mean time of one of `count` calls, in seconds.
    static func seconds(_ count: Int, _ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<count {
            try await body()
        }
        return (clock.now - start) / .seconds(1) / Double(count)
    }

    /// The time that all threads of the process spent on a processor during `body`, in it and in the system.
    static func processorSeconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = processorTime
        try await body()
        return processorTime - start
    }

    /// Of all threads of the process since it began, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// Memory that the process holds now, in bytes; 0 where the system does not tell.
    static func residentBytes() -> Int {
        #if os(Linux)
            guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
            let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Int(usage.ru_maxrss)
        #endif
    }
}
