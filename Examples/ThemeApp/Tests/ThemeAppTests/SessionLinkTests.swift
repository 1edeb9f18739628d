import DeviceSim
import Foundation
import SessionLinkPhone
import SessionLinkWatch
import Testing

/// A wrapper library, unchanged, on both devices.
@Suite struct SessionLinkTests {
    static let scenarios = ScenarioSuite("Scenarios/link") {
        PhoneApp()
    } watch: {
        WatchApp()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private struct Count: SessionLinkPhone.LinkMessage, SessionLinkWatch.LinkMessage {
    static let name = "count"
    var count: Int
}

private struct Question: SessionLinkPhone.LinkMessage, SessionLinkWatch.LinkMessage {
    static let name = "question"
    var text: String
}

/// Only touched on its process's main actor.
@MainActor
private final class Screen {
    var count: Int?
    var answer: String?
}

/// An app whose whole state is the wrapper's.
private final class PhoneApp: SimulatedApp {
    @MainActor private let screen = Screen()

    func didFinishLaunching(inBackground: Bool) async {
        await connect()
    }

    @MainActor private func connect() {
        let screen = screen
        SessionLinkPhone.SessionLink.shared.onReceive(Count.self) { message in MainActor.assumeIsolated { screen.count = message.count } }
        SessionLinkPhone.SessionLink.shared.answer(Question.self) { $0.text.uppercased() }
    }

    @MainActor func perform(_ action: String, with value: ScenarioValue) throws {
        let screen = screen
        switch (action, value) {
        case ("send", .integer(let count)): SessionLinkPhone.SessionLink.shared.send(Count(count: Int(count)), over: .message)
        case ("update", .integer(let count)): SessionLinkPhone.SessionLink.shared.send(Count(count: Int(count)), over: .context)
        case ("send when reachable", .integer(let count)): SessionLinkPhone.SessionLink.shared.sendWhenReachable(Count(count: Int(count)))
        case ("ask", .string(let text)):
            SessionLinkPhone.SessionLink.shared.ask(Question(text: text), for: String.self) { result in
                MainActor.assumeIsolated { screen.answer = (try? result.get()) ?? "no answer" }
            }
        default: throw AppActionError("the phone app has no action '\(action)'")
        }
    }

    @MainActor func shown(_ name: String) throws -> ScenarioValue {
        switch name {
        case "count": screen.count.map { .integer(Int64($0)) } ?? .null
        case "answer": screen.answer.map { .string($0) } ?? .null
        case "reachable": .bool(SessionLinkPhone.SessionLink.shared.isReachable)
        default: throw AppActionError("the phone app shows no '\(name)'")
        }
    }
}

private final class WatchApp: SimulatedApp {
    @MainActor private let screen = Screen()

    func didFinishLaunching(inBackground: Bool) async {
        await connect()
    }

    @MainActor private func connect() {
        let screen = screen
        SessionLinkWatch.SessionLink.shared.onReceive(Count.self) { message in MainActor.assumeIsolated { screen.count = message.count } }
        SessionLinkWatch.SessionLink.shared.answer(Question.self) { $0.text.lowercased() }
    }

    @MainActor func perform(_ action: String, with value: ScenarioValue) throws {
        let screen = screen
        switch (action, value) {
        case ("send", .integer(let count)): SessionLinkWatch.SessionLink.shared.send(Count(count: Int(count)), over: .message)
        case ("update", .integer(let count)): SessionLinkWatch.SessionLink.shared.send(Count(count: Int(count)), over: .context)
        case ("send when reachable", .integer(let count)): SessionLinkWatch.SessionLink.shared.sendWhenReachable(Count(count: Int(count)))
        case ("ask", .string(let text)):
            SessionLinkWatch.SessionLink.shared.ask(Question(text: text), for: String.self) { result in
                MainActor.assumeIsolated { screen.answer = (try? result.get()) ?? "no answer" }
            }
        default: throw AppActionError("the watch app has no action '\(action)'")
        }
    }

    @MainActor func shown(_ name: String) throws -> ScenarioValue {
        switch name {
        case "count": screen.count.map { .integer(Int64($0)) } ?? .null
        case "answer": screen.answer.map { .string($0) } ?? .null
        case "reachable": .bool(SessionLinkWatch.SessionLink.shared.isReachable)
        default: throw AppActionError("the watch app shows no '\(name)'")
        }
    }
}
