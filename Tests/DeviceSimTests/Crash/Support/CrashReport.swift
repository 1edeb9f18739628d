import Foundation
import Synchronization

/// Prints how many crash points were tried: a line for each operation, and a running total.
final class CrashReport: Sendable {
    static let shared = CrashReport()

    private struct Total {
        var operations = 0
        var first = 0
        var second = 0
    }

    private let total = Mutex(Total())

    func add(_ results: [CrashCampaign.Result], of group: String) {
        var lines: [String] = []
        for result in results {
            let counts = "\(result.firstCrashes) crash points, \(result.secondCrashes) second crashes"
            lines.append("crash points  \(result.operation): \(result.operationCount) storage operations, \(counts)")
        }
        let sum = total.withLock { total in
            total.operations += results.count
            total.first += results.reduce(0) { $0 + $1.firstCrashes }
            total.second += results.reduce(0) { $0 + $1.secondCrashes }
            return total
        }
        lines.append(
            "crash points  in all, up to \(group): \(sum.operations) operations, \(sum.first) crash points, \(sum.second) second crashes")
        print(lines.joined(separator: "\n"))
    }
}
