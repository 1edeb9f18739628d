import DeviceSim
import Foundation

@testable import DeviceSimCore
@testable import LocalData

/// One trial of an operation: prepared, cut short at a point, perhaps cut short once more while it recovers, recovered, and held against the laws.
struct CrashTrial {
    let operation: CrashOperation
    let adapt: @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment

    /// What a trial that takes its time found out, for choosing the points of the trials to come.
    struct Course {
        let operations: [StorageOperation]
        let recovery: [StorageOperation]
    }

    /// The operation without any crash, and the recovery from a crash right after it.
    func course(recoveringFrom point: CrashPoint? = nil) throws -> Course {
        let world = CrashWorld(operation, adapt: adapt)
        defer { world.shutDown() }
        try world.prepare()
        let act = operation.act
        var operations: [StorageOperation] = []
        if let point {
            _ = try world.simulation.run(on: world.phone, until: point, operation.name) { try await act(.shared) }
        } else {
            let (result, log) = try world.simulation.operations(on: world.phone, operation.name) { try await act(.shared) }
            if case .failure(let error) = result { throw CrashBreach(.runs, "it failed with \(ErrorText.of(error))") }
            operations = log
            world.phone.end(by: .app)
        }
        world.phone.storage.operationLog = []
        _ = try world.relaunch()
        _ = try world.values(on: world.phone)
        if operation.settlesLater { _ = try world.comeAgainLater() }
        return Course(operations: operations, recovery: (world.phone.storage.operationLog ?? []).map(\.operation))
    }

    /// Cuts the operation short at `first`, and the recovery at `second` if there is one.
    /// - Throws: ``CrashBreach`` for the first law that does not hold.
    func run(_ first: CrashPoint, _ second: CrashPoint? = nil) throws {
        do {
            try attempt(first, second)
        } catch var violation as CrashBreach {
            violation.points = [first, second].compactMap { $0?.description }
            throw violation
        } catch {
            var violation = CrashBreach(.runs, "\(error)")
            violation.points = [first, second].compactMap { $0?.description }
            throw violation
        }
    }

    /// - Returns: whether no crash came.
    private func recover(_ world: CrashWorld) throws -> Bool {
        guard try world.relaunch(), try world.values(on: world.phone) != nil else { return false }
        return try !operation.settlesLater || world.comeAgainLater() != nil
    }

    private func attempt(_ first: CrashPoint, _ second: CrashPoint?) throws {
        let world = CrashWorld(operation, adapt: adapt)
        defer { world.shutDown() }
        try world.prepare()
        let before = try StoredState(of: world.phone.storage)
        let act = operation.act
        let outcome = try world.simulation.run(on: world.phone, until: first, operation.name) { try await act(.shared) }
        if case .failure(let error)? = outcome { throw CrashBreach(.runs, "it failed with \(ErrorText.of(error))") }
        var judge = CrashJudge(operation: operation, world: world, before: before, isAcknowledged: outcome != nil)
        judge.note(first.kind)
        try judge.judgeMoment()

        if let second {
            try world.phone.comeBack()
            world.phone.arm(second)
            if try recover(world) { world.phone.end(by: second.kind) }
            world.phone.storage.faults.removeInterruptions()
            judge.note(second.kind)
            try judge.judgeMoment()
        }

        guard try world.relaunch(), var found = try world.values(on: world.phone) else {
            throw CrashBreach(.runs, "the app did not launch")
        }
        if operation.settlesLater {
            try judge.judgeWaiting(found, isUndisturbed: second == nil)
            try judge.judgeSecondRecovery(after: found, isWaiting: true)
            guard let later = try world.comeAgainLater() else { throw CrashBreach(.runs, "the app did not launch later") }
            found = later
        }
        try judge.judge(found)
        try judge.judgeSecondRecovery(after: found)
        try judge.judgeAgreement()
        try judge.judgeRepetition()
    }
}
