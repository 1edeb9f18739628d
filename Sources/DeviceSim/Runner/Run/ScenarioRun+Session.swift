import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData
import WatchConnectivity

extension ScenarioRun {
    /// Starts what the app is to do with its session, or tells the app how to behave.
    func begin(_ step: SessionStep) throws -> BegunStep {
        let device = try device(step.device)
        switch step.action {
        case .implements(let method, let isImplemented):
            try requireConfigurableApp(on: device)
            if isImplemented {
                behaviours[device.id]?.unimplemented.remove(method)
            } else {
                behaviours[device.id]?.unimplemented.insert(method)
            }
        case .provides(let source, let isProvided):
            try requireConfigurableApp(on: device)
            if isProvided {
                behaviours[device.id]?.withheldSources.remove(source)
            } else {
                behaviours[device.id]?.withheldSources.insert(source)
            }
        case .answersMessages(let answer):
            try requireConfigurableApp(on: device)
            behaviours[device.id]?.reply = reply(for: answer)
        case .activate:
            let app = try app(on: device)
            return BegunStep(device: device, outcome: step.outcome, operation: try device.start("activate") { app.activateSession() })
        case .activateWithoutDelegate:
            return BegunStep(
                device: device, outcome: step.outcome, operation: try device.start("activate") { WCSession.default.activate() })
        case .releaseDelegate:
            let app = try app(on: device)
            return BegunStep(
                device: device, outcome: step.outcome, operation: try device.start("release delegate") { app.releaseDelegate() })
        case .observe:
            return BegunStep(device: device, outcome: step.outcome, operation: try observeSession(on: device))
        case .updateContext(let value):
            let operation = try device.start("update context") { try WCSession.default.updateApplicationContext(value.payload) }
            return BegunStep(device: device, outcome: step.outcome, operation: operation)
        case .sendMessage(let value, let expectsReply, let label):
            return try send(from: device, label: label, outcome: step.outcome) { log in
                WCSession.default.sendMessage(
                    value.payload,
                    replyHandler: expectsReply ? { log.reply(ScenarioValue(received: $0)) } : nil,
                    errorHandler: { log.fail($0) })
            }
        case .sendMessageData(let value, let expectsReply, let label):
            guard case .data(let data) = value else { throw StepFailure("message data must be data") }
            return try send(from: device, label: label, outcome: step.outcome) { log in
                WCSession.default.sendMessageData(
                    data, replyHandler: expectsReply ? { log.reply(.data($0)) } : nil, errorHandler: { log.fail($0) })
            }
        }
        return BegunStep(device: nil, outcome: .succeeds, operation: nil)
    }

    /// An unlabelled message that fails at once fails its step; a labelled one is looked at by later expectations.
    private func send(
        from device: Device, label: String?, outcome: StepOutcome, _ body: @escaping @Sendable (MessageLog) -> Void
    ) throws -> BegunStep {
        let log = MessageLog()
        if let label { messages[label] = log }
        var step = BegunStep(device: device, outcome: outcome, operation: try device.start("send message") { body(log) })
        if label == nil || outcome != .succeeds { step.lateError = { log.error } }
        if label == nil, outcome == .succeeds { unlabelledMessages.append((current, log)) }
        return step
    }

    /// What came of a message later than at its step, which nothing in the file speaks of: its app was told of an error.
    func lateFailure() -> (step: ScenarioStep?, failure: StepFailure)? {
        for (step, log) in unlabelledMessages {
            guard let error = log.error else { continue }
            return (step, .late(error, label: "as m"))
        }
        return lateTransferFailure()
    }

    /// An app under test behaves as it does: what cannot change it must not pass for having done so.
    func requireConfigurableApp(on device: Device) throws {
        guard configurable.contains(device.id) else {
            throw StepFailure("this step tells the app that scenarios configure how to behave, and \(device.id) runs an app under test")
        }
    }

    private func reply(for answer: MessageAnswer) -> AppBehaviour.Reply {
        switch answer {
        case .asReferenceApp: .reference
        case .never: .never
        case .reply(let value, let delay): .fixed(AppReply(value: value, delay: delay))
        }
    }
}
