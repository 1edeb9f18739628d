import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData
import WatchConnectivity

extension ScenarioRun {
    /// Starts what the app is to transfer, or tells the app how to behave.
    func begin(_ step: TransferStep) throws -> BegunStep {
        let device = try device(step.device)
        let behaviour = behaviours[device.id]
        switch step.action {
        case .receivedFiles(let files):
            try requireConfigurableApp(on: device)
            behaviour?.files = files
        case .refreshTasks(let tasks):
            try requireConfigurableApp(on: device)
            behaviour?.refreshTasks = tasks
        case .crashesWhileReceiving:
            try requireConfigurableApp(on: device)
            behaviour?.crashesWhileReceiving = true
            behaviour?.onCrashWhileReceiving = noteFault()
        case .userInfo(let value, let label):
            return try transfer(.userInfo, on: device, label: label, outcome: step.outcome) { log in
                log.number = (WCSession.default.transferUserInfo(value.payload) as? SimulatedUserInfoTransfer)?.number
            }
        case .complication(let value, let label):
            return try transfer(.userInfo, on: device, label: label, outcome: step.outcome) { log in
                let transfer = WCSession.default.transferCurrentComplicationUserInfo(value.payload)
                log.number = (transfer as? SimulatedUserInfoTransfer)?.number
            }
        case .file(let path, let metadata, let label):
            return try transfer(.file, on: device, label: label, outcome: step.outcome) { log in
                let container = try ScenarioApp.container(of: StorageRouter.shared.environment.fileSystem)
                let url = URL(fileURLWithPath: container + "/" + path, isDirectory: false)
                let transfer = WCSession.default.transferFile(url, metadata: metadata?.payload)
                log.number = (transfer as? SimulatedFileTransfer)?.number
                log.fileTransfer = transfer
            }
        case .cancel(let label):
            let log = try transferLog(label)
            guard log.device == device.id else { throw StepFailure("'\(label)' is a transfer of the \(log.device)") }
            let operation = try device.start("cancel") { Self.cancel(log) }
            return BegunStep(device: device, outcome: step.outcome, operation: operation)
        case .writeFile(let path, let value):
            let operation = try device.start("write file") { try Self.write(value.fileBytes, to: path) }
            return BegunStep(device: device, outcome: step.outcome, operation: operation)
        }
        return BegunStep(device: nil, outcome: .succeeds, operation: nil)
    }

    /// An unlabelled transfer that fails fails the scenario, at once or later; a labelled one is looked at by later expectations.
    private func transfer(
        _ kind: TransferChannelKind, on device: Device, label: String?, outcome: StepOutcome,
        _ body: @escaping @Sendable (TransferLog) throws -> Void
    ) throws -> BegunStep {
        let log = TransferLog(device: device.id, kind: kind)
        behaviours[device.id]?.transferLogs.append(log)
        if let label { transfers[label] = log } else if outcome == .succeeds { unlabelledTransfers.append((current, log)) }
        var step = BegunStep(device: device, outcome: outcome, operation: try device.start("transfer \(kind.noun)") { try body(log) })
        if label == nil || outcome != .succeeds { step.lateError = { log.error } }
        return step
    }

    private static func cancel(_ log: TransferLog) {
        let session = WCSession.default
        switch log.kind {
        case .userInfo:
            session.outstandingUserInfoTransfers.first { ($0 as? SimulatedUserInfoTransfer)?.number == log.number }?.cancel()
        case .file:
            let outstanding = session.outstandingFileTransfers.first { ($0 as? SimulatedFileTransfer)?.number == log.number }
            (outstanding ?? log.fileTransfer)?.cancel()
        }
    }

    /// What an app does that stores a file of its own: durably, and with the system's default protection.
    private static func write(_ bytes: Data, to path: String) throws {
        let files = StorageRouter.shared.environment.fileSystem
        let target = try ScenarioApp.container(of: files) + "/" + path
        let directory = target.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        try files.createDirectory(at: directory)
        if try files.attributes(of: target) != nil { try files.removeFile(at: target) }
        let file = try files.createFile(at: target, protection: .completeUntilFirstUserAuthentication)
        try file.write(bytes)
        try file.synchronize()
        try file.close()
        try files.synchronizeDirectory(at: directory)
    }

    // MARK: Expectations

    private func transferLog(_ label: String) throws -> TransferLog {
        guard let log = transfers[label] else { throw StepFailure("no transfer was begun as '\(label)'") }
        return log
    }

    func transfer(_ label: String, _ condition: Expectation.TransferCondition) throws -> ExpectationResult {
        let log = try transferLog(label)
        guard log.endings.count < 2 else { return .fails(StepFailure("`didFinish` was called \(log.endings.count) times for '\(label)'")) }
        let state = try state(of: log)
        let subject = "expect transfer \(label)"
        let holds: Bool
        switch condition {
        case .finished: holds = state == .finished
        case .outstanding: holds = state == .outstanding || state == .transferring
        case .transferring, .cancelled: holds = state == condition
        case .failed: holds = state == condition
        case .current: holds = try isCurrent(log)
        case .notCurrent: holds = try !isCurrent(log)
        case .percent(let wanted):
            let found = try percent(of: log)
            return .check(
                found == wanted, "the progress is another", expected: "\(subject) \(condition.notation)",
                actual: "\(subject) \(found) percent")
        }
        let actual = state.map { "\(subject) \($0.notation)" }
        return .check(
            holds, state == nil ? "the app has not been told how it ended" : "something else came of the transfer",
            expected: "\(subject) \(condition.notation)", actual: actual)
    }

    private func queue(of log: TransferLog) throws -> TransferQueue<TransferContent>? { try channel(of: log)?.queue }

    private func isCurrent(_ log: TransferLog) throws -> Bool {
        try log.number != nil && queue(of: log)?.current == log.number
    }

    /// `nil`: it is over, and the app was not told.
    private func state(of log: TransferLog) throws -> Expectation.TransferCondition? {
        if let ending = log.endings.first {
            let isCancelled = ending != nil && wasCancelled(log)
            if isCancelled { return .cancelled }
            return ending.map { error in .failed(ScenarioErrorName(error) ?? .session(.genericError)) } ?? .finished
        }
        guard let number = log.number else { return nil }
        if let queue = try queue(of: log) {
            if queue.inFlight == number { return .transferring }
            if queue[number] != nil { return .outstanding }
        }
        return wasCancelled(log) ? .cancelled : nil
    }

    /// A transfer without a label that failed after its step, whether or not its app was told by now, and that no expectation of failed events speaks of.
    func lateTransferFailure() -> (step: ScenarioStep?, failure: StepFailure)? {
        for (step, log) in unlabelledTransfers {
            guard let error = log.error ?? untoldFailure(of: log), !wasCancelled(log), !isSpokenOf(log) else { continue }
            return (step, .late(error, label: "as t"))
        }
        return nil
    }

    /// What the app is to be told of it at its next launch.
    private func untoldFailure(of log: TransferLog) -> (any Error)? {
        log.number.flatMap { simulation.device(log.device)?.daemon.untoldFailure(of: $0, log.kind) }
    }

    /// Whether an expectation that wants such an event was looked at after it, and its pattern is that of this one.
    private func isSpokenOf(_ log: TransferLog) -> Bool {
        let kind = log.kind == .userInfo ? TraceEvent.Kind.userInfoFailed : .fileFailed
        guard let number = log.number else { return false }
        let failed = simulation.trace.events.indices.filter { index in
            let event = simulation.trace.events[index]
            return event.kind == kind && event.device == log.device && event["sequence"] == .number(number)
        }
        return failed.contains { index in
            wantedEvents.contains { $0.range.contains(index) && $0.pattern.matches(simulation.trace.events[index]) }
        }
    }

    private func wasCancelled(_ log: TransferLog) -> Bool {
        guard let number = log.number else { return false }
        return simulation.trace.events.contains {
            $0.kind == log.kind.cancelled && $0.device == log.device && $0["sequence"] == .number(number)
        }
    }

    /// When so much of a file will have been transferred, and when more, if nothing comes between.
    func instants(of label: String, reaching percent: Int) -> [VirtualTime] {
        guard let log = transfers[label], let number = log.number, let channel = try? channel(of: log),
            case .file(let file)? = channel.queue[number]
        else { return [] }
        return [percent, percent + 1].compactMap { percent in
            // The least count of bytes that `percent(of:)` rounds to it.
            channel.instant(of: number, reaching: (file.data.count * percent + 99) / 100)
        }
    }

    /// A transfer waits for the watch that was active when it was queued.
    private func channel(of log: TransferLog) throws -> TransferChannel? {
        let channels = try device(log.device).daemon.pairings.compactMap { $0.transfers?.channel(log.kind) }
        return log.number.flatMap { number in channels.first { $0.queue[number] != nil } } ?? channels.first
    }

    private func percent(of log: TransferLog) throws -> Int {
        let device = try device(log.device)
        guard let number = log.number else { throw StepFailure("the app's call has not returned") }
        let fraction = try ask(device) {
            let session = WCSession.default
            let found = session.outstandingFileTransfers.first { ($0 as? SimulatedFileTransfer)?.number == number }
            return (found ?? log.fileTransfer)?.progress.fractionCompleted ?? 0
        }.get()
        return Int((fraction * 100 + 0.000_001).rounded(.down))
    }

    func outstanding(_ channel: Expectation.OutstandingChannel, on device: Device, _ wanted: Int) throws -> ExpectationResult {
        let session = try device.requireProcess().endpoint
        let found = channel == .userInfo ? session.outstandingUserInfoTransfers.count : session.outstandingFileTransfers.count
        let subject = "expect \(device.id) outstanding \(channel.rawValue)"
        return .check(found == wanted, "\(found) are outstanding", expected: "\(subject) \(wanted)", actual: "\(subject) \(found)")
    }

    func receivedUserInfos(of device: DeviceID, _ wanted: ScenarioValue) -> ExpectationResult {
        let found = ScenarioValue.array(behaviours[device]?.receivedUserInfos ?? [])
        let subject = "expect \(device) received user infos"
        return .check(
            wanted.isSame(as: found), "the app was given others", expected: "\(subject) \(wanted.notation)",
            actual: "\(subject) \(found.notation)")
    }

    func complicationBudget(of device: Device, _ wanted: Int) throws -> ExpectationResult {
        let found = try device.requireProcess().endpoint.remainingComplicationUserInfoTransfers
        let subject = "expect \(device.id) complication budget"
        return .check(found == wanted, "\(found) are left", expected: "\(subject) \(wanted)", actual: "\(subject) \(found)")
    }

    func unobservedFailures(_ wanted: Int, since start: Int) -> ExpectationResult {
        let found = simulation.trace.events[start...].compactMap { UnobservedFailure($0) }
        countedFailures.formUnion(found)
        let list = found.prefix(5).map { "\n\($0)" }.joined()
        let subject = "expect unobserved failures"
        return .check(
            found.count == wanted, "nobody was told of \(found.count == 1 ? "1 failure" : "\(found.count) failures")\(list)",
            expected: "\(subject) \(wanted == 0 ? "none" : "\(wanted)")", actual: "\(subject) \(found.isEmpty ? "none" : "\(found.count)")")
    }
}

extension ScenarioValue {
    /// Data, or the bytes of a text.
    fileprivate var fileBytes: Data {
        switch self {
        case .data(let data): data
        case .string(let text): Data(text.utf8)
        default: Data()
        }
    }
}
