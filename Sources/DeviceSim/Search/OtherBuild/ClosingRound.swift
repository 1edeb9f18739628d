import DeviceSimCore
import DeviceSimRunner
import Foundation
import LocalData

/// Asks the apps of a run that is over, for a comparison of builds: what there is, then what comes of work on all of it, and once more with something wrong.
struct ClosingRound {
    let run: ScenarioRun
    let probe: any CheckedRunProbe

    /// What is wrong. One thing in each run, told by its seed, since all of them take more time than the rest of the run; a smaller scenario keeps the seed where it matters.
    private enum Trouble: CaseIterable {
        case locked, withoutKeychain, withoutLists, damaged
    }

    func ask() throws {
        try ask("") { await ClosingQuestions.look(at: .shared) }
        probe.takesStock(of: run)
        try ask("") { await ClosingQuestions.work(on: .shared) }
        let troubles = Trouble.allCases
        switch troubles[Int((run.scenario.seed ?? 0) % UInt64(troubles.count))] {
        case .locked:
            for device in run.simulation.devices where device.state.isPoweredOn && device.state.hasPasscode { try device.lock() }
            try ask("locked, ") { await ClosingQuestions.look(at: .shared) }
        case .withoutKeychain: try ask(failing: .keychainRead)
        case .withoutLists: try ask(failing: .list)
        case .damaged:
            try ask("damaged, ") {
                await ClosingQuestions.damage(.shared)
                return await ClosingQuestions.read(.shared) + ClosingQuestions.look(at: .shared) + ClosingQuestions.work(on: .shared)
            }
        }
    }

    private func ask(failing operation: StorageOperation) throws {
        for device in run.simulation.devices {
            device.storage.faults.add(StorageFault([operation], isPermanent: true, failure: .errno(EIO)))
        }
        defer { for device in run.simulation.devices { device.storage.faults.removeAll() } }
        try ask("without \(operation.rawValue), ") { await ClosingQuestions.look(at: .shared) }
    }

    /// Of the apps that run, and keep their values by LocalData.
    /// - Parameter when: In front of each answer.
    private func ask(_ when: String, _ questions: @escaping @Sendable () async -> [String]) throws {
        for device in run.simulation.devices {
            guard let process = device.process, process.state != .suspended, !(process.app is any ValueKeeping) else { continue }
            let operation = try device.start("account", questions)
            try run.simulation.finish(operation)
            do {
                for answer in try operation.result?.get() ?? [] { probe.told(when + answer, by: device.id) }
            } catch {
                probe.told("\(when)questions: \(ErrorText.of(error))", by: device.id)
            }
        }
    }
}
