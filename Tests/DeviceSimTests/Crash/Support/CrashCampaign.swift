import DeviceSim
import Foundation

@testable import DeviceSimCore
@testable import LocalData

/// Cuts one operation short at many points, and counts them.
struct CrashCampaign {
    /// How many points of how many there are.
    enum Extent {
        /// Every point that leaves something of its own: by a crash of the app, by the harshest power loss, and by one other in turn. Of the second
        /// crashes a few.
        case usual
        /// Every kind of crash at every point; second crashes at every pair of points that leaves something of its own.
        case full
    }

    struct Result: Sendable {
        var operation = ""
        /// How many storage operations it makes without a crash.
        var operationCount = 0
        var firstCrashes = 0
        var secondCrashes = 0
        var violations: [String] = []
        var laws: [CrashLaw] = []

        mutating func note(_ violation: CrashBreach) {
            violations.append("\(operation): \(violation)")
            laws.append(violation.law)
        }
    }

    let operation: CrashOperation
    var extent = Extent.usual
    var adapt: @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment = { $1 }
    /// Stops at the first violation: what a proof that the suite finds something needs.
    var stopsAtFirst = false

    func run() -> Result {
        var result = Result()
        result.operation = operation.name
        let trial = CrashTrial(operation: operation, adapt: adapt)
        do {
            let sweep = CrashSweep(try trial.course().operations)
            result.operationCount = sweep.operations.count
            for point in points(of: sweep) {
                result.firstCrashes += 1
                guard attempt(&result, { try trial.run(point) }) else { return result }
            }
            for first in firstPoints(of: sweep) {
                let recovery = CrashSweep(try trial.course(recoveringFrom: first).recovery)
                for second in secondPoints(of: recovery) {
                    result.secondCrashes += 1
                    guard attempt(&result, { try trial.run(first, second) }) else { return result }
                }
            }
        } catch let violation as CrashBreach {
            result.note(violation)
        } catch {
            result.note(CrashBreach(.runs, "\(error)"))
        }
        return result
    }

    /// - Returns: whether to go on. After a few violations more of them say nothing new.
    private func attempt(_ result: inout Result, _ body: () throws -> Void) -> Bool {
        do {
            try body()
        } catch let violation as CrashBreach {
            result.note(violation)
        } catch {
            result.note(CrashBreach(.runs, "\(error)"))
        }
        return result.violations.isEmpty || (!stopsAtFirst && result.violations.count < 5)
    }

    // MARK: Which points

    private func points(of sweep: CrashSweep) -> [CrashPoint] {
        guard case .usual = extent else { return sweep.points(of: CrashKind.all) }
        let others = PowerLossRemainder.allCases.filter { $0 != .nothing }
        return sweep.distinctNumbers.enumerated().flatMap { index, number in
            let kinds: [CrashKind] = [.app, .power(.nothing), .power(others[index % others.count])]
            return kinds.map { CrashPoint($0, beforeOperation: number) }
        }
    }

    private static let secondKinds: [CrashKind] = [.app, .power(.nothing)]

    private func firstPoints(of sweep: CrashSweep) -> [CrashPoint] {
        let all = sweep.points(of: Self.secondKinds, onlyDistinct: true)
        guard case .usual = extent else { return all }
        // One in the middle; which one differs from operation to operation, always in the same way.
        return all.isEmpty ? [] : [all[Self.place(operation.name, below: all.count)]]
    }

    private func secondPoints(of recovery: CrashSweep) -> [CrashPoint] {
        let all = recovery.points(of: Self.secondKinds, onlyDistinct: true)
        guard case .usual = extent else { return all }
        let start = Self.place(operation.name + " again", below: all.count)
        return Array(Set([start, (start + all.count / 2) % max(1, all.count)])).sorted().map { all[$0] }
    }

    private static func place(_ label: String, below count: Int) -> Int {
        var generator = SeededGenerator(seed: 1).fork(label)
        return generator.below(count)
    }
}
