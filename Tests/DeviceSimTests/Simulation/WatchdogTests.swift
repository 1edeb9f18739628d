import DeviceSim
import Foundation
import Synchronization
import Testing
import WatchConnectivity

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimRunner
@testable import DeviceSimSearch

/// Code that does not come to its end is given up by the host's clock, with the place where it stands. Such a test leaves a thread behind.
@Suite struct WatchdogTests {
    private static let text = "# It is used.\n\nlink down\nphone app does \"use\"\n"

    @Test func codeThatWaitsForItselfIsGivenUpWithItsPlace() throws {
        let result = try run { Stuck.shared.lockTwice() }
        let failure = try #require(didNotSettle(result))
        let lines = failure.message.split(separator: "\n").map(String.init)
        #expect(lines.first == "code of phone app #1 is blocked and waits for ever: given up after 1 s of the host's clock", "\(lines)")
        #expect(failure.line == 4 && failure.source == "phone app does \"use\"")
        #expect(failure.lastEvents.contains { $0.contains("link.down") }, "\(failure.lastEvents)")
        #if os(Linux)
            #expect(lines.dropFirst().first?.hasPrefix("at WatchdogTests.swift:") == true, "\(lines)")
            #expect(lines.contains { $0.contains("lockTwice") }, "\(lines)")
        #endif
    }

    @Test func codeWithoutAnEndIsGivenUpWithItsPlace() throws {
        let result = try run { Stuck.shared.loop() }
        let failure = try #require(didNotSettle(result))
        #expect(failure.message.hasPrefix("code of phone app #1 goes on without an end: given up after "), "\(failure.message)")
        #if os(Linux)
            // Caught in what it calls, such as an atomic's load, it may not have set up its own frame.
            #expect(failure.message.contains("at WatchdogTests.swift:"), "\(failure.message)")
        #endif
        Stuck.shared.isEnough.store(true, ordering: .releasing)
    }

    @Test func aDelegateMethodOfTheOtherDeviceIsNamed() throws {
        let text = "# A message.\n\nphone app does \"say\"\nsettle\n"
        let result = ScenarioRunner.run(
            try scenario(text), options: options { device -> any SimulatedApp in device.isPhone ? Speaker() : Listener() })
        let failure = try #require(didNotSettle(result))
        #expect(failure.message.hasPrefix("code of watch app #1 is blocked"), "\(failure.message)")
    }

    @Test func aRunThatEndsIsTheSameWithAndWithoutAWatch() throws {
        let sync = try scenario(
            "# A key.\n\nkey theme: String\n    sync  automaticSmall\n\nphone set theme \"dark\"\nsettle\nexpect watch theme \"dark\"\n")
        var options = RunOptions()
        let watched = ScenarioRunner.run(sync, options: options)
        options.stuckAfter = nil
        #expect(ScenarioRunner.run(sync, options: options).trace.json() == watched.trace.json())
        guard case .passed = watched.outcome else {
            Issue.record("\(watched.outcome)")
            return
        }
    }

    @Test func aCaseOfATestFailsAndTheNextOneRuns() throws {
        let folder = try ScratchFolder()
        for (name, text) in [("a", Self.text), ("b", "# Nothing happens.\n\nlink down\n")] {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent("\(name).scenario"))
        }
        var suite = ScenarioSuite(folder.url.path)
        suite.options = options { _ in User { Stuck.shared.lockTwice() } }
        #expect(suite.cases.count == 2)
        for scenario in suite.cases {
            do throws(ScenarioCaseFailure) {
                try scenario.check()
                #expect(scenario.id == "b.scenario")
            } catch {
                #expect(scenario.id == "a.scenario" && error.description.contains("a.scenario:4: code of phone app #1 is blocked"))
            }
        }
    }

    @Test func aSearchCallsItAFailureToMakeProgress() throws {
        let result = CheckedRun.run(try scenario(Self.text), options: options { _ in User { Stuck.shared.lockTwice() } })
        let violation = try #require(result.violation)
        #expect(violation.invariant == .progress && violation.isStall && violation.step == 1)
        #expect(violation.explanation.first?.hasPrefix("code is blocked and waits for ever") == true)
    }

    // MARK: Support

    private func run(_ use: @escaping @Sendable () -> Void) throws -> ScenarioResult {
        ScenarioRunner.run(try scenario(Self.text), options: options { _ in User(use) })
    }

    private func options(_ makeApp: @escaping @Sendable (DeviceID) -> any SimulatedApp) -> RunOptions {
        var options = RunOptions()
        options.stuckAfter = 1
        options.makeApp = makeApp
        return options
    }

    private func didNotSettle(_ result: ScenarioResult) -> ScenarioFailure? {
        if case .didNotSettle(let failure) = result.outcome { return failure }
        Issue.record("\(result.outcome)")
        return nil
    }
}

/// Code as libraries have it that take a lock in a delegate method, and again in what that calls.
private final class Stuck: Sendable {
    static let shared = Stuck()
    let isEnough = Atomic(false)

    @inline(never) func lockTwice() {
        let lock = NSLock()
        lock.lock()
        lock.lock()
        lock.unlock()
    }

    @inline(never) private func goesOn() -> Bool { !isEnough.load(ordering: .acquiring) }

    @inline(never) func loop() {
        while goesOn() {}
    }
}

private final class User: SimulatedApp, @unchecked Sendable {
    private let use: @Sendable () -> Void

    init(_ use: @escaping @Sendable () -> Void = {}) {
        self.use = use
    }

    func didFinishLaunching(inBackground: Bool) async {}
    func perform(_ action: String, with value: ScenarioValue) async throws { use() }
}

private final class Speaker: NSObject, SimulatedApp, WCSessionDelegate, @unchecked Sendable {
    func didFinishLaunching(inBackground: Bool) async {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        WCSession.default.sendMessage(["n": 1], replyHandler: nil, errorHandler: nil)
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {}
    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) {}
}

private final class Listener: NSObject, SimulatedApp, WCSessionDelegate, @unchecked Sendable {
    func didFinishLaunching(inBackground: Bool) async {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {}
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { Stuck.shared.lockTwice() }
}
