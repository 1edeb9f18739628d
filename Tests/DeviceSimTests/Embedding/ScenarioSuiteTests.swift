import DeviceSim
import Foundation
import Synchronization
import TestSupport
import Testing
import WatchConnectivity

@testable import DeviceSimCore
@testable import DeviceSimRunner

@Suite struct ScenarioSuiteTests {
    @Test func anAppUnderTestIsDrivenByFiles() throws {
        let folder = try ScratchFolder()
        try folder.write(
            "b.scenario", "# A counter.\n\nphone app does \"add\" with 2\nphone app does \"add\" with 3\nexpect phone app shows \"sum\" 5\n"
        )
        try folder.write(
            "a/c.scenario", "# It starts anew.\n\nphone app does \"add\" with 2\nphone relaunch\nexpect phone app shows \"sum\" null\n")
        try folder.write("part.inc", "nonsense")
        var suite = self.suite(folder)
        suite.orders = 2
        #expect(suite.cases.map(\.id) == ["a/c.scenario", "b.scenario"])
        for scenario in suite.cases { try scenario.check { _, name in Issue.record("\(name) was attached") } }
    }

    /// A file that names an order runs in that one first, as `pairsim run` has it, unless the suite names one for all.
    @Test func theOrderThatAFileNamesIsKept() throws {
        let folder = try ScratchFolder()
        let text = "# An order.\n\norder \"random:7\"\nphone app does \"add\" with 2\nexpect phone app shows \"sum\" 3\n"
        try folder.write("x.scenario", text)
        func order(of suite: ScenarioSuite) throws -> String? {
            var story = ""
            _ = report(of: suite) { text, name in if name.hasSuffix(".jsonl") { story = text } }
            return story.firstMatch(of: /"order":"([^"]*)"/).map { String($0.1) }
        }
        var suite = suite(folder)
        #expect(try order(of: suite) == "random:7")
        suite.options.order = .seeded(3)
        #expect(try order(of: suite) == "random:3")
    }

    @Test func aFailureIsReportedWithItsTrace() throws {
        let folder = try ScratchFolder()
        try folder.write("bad.scenario", "# Sums are right.\n\nphone app does \"add\" with 2\nexpect phone app shows \"sum\" 3\n")
        var attached: [String] = []
        let failure = try #require(
            report(of: suite(folder)) { text, name in
                attached.append(name)
                #expect(text.contains("app.launch"))
            })
        #expect(attached == ["bad.scenario.trace.txt", "bad.scenario.trace.jsonl"])
        #expect(failure.contains("bad.scenario:4: the app shows something else"))
        #expect(failure.contains("expected  expect phone app shows \"sum\" 3\n  actual    expect phone app shows \"sum\" 2\n"))
    }

    @Test func whatNobodyObservedIsInTheReportAndTheAttachment() throws {
        let folder = try ScratchFolder()
        try folder.write(
            "lost.scenario",
            "# A number arrives.\n\nwatch terminate\nphone app does \"send\"\nexpect phone app shows \"sum\" 1\n")
        var attached = ""
        let failure = try #require(report(of: suite(folder)) { text, name in if name.hasSuffix(".txt") { attached = text } })
        let line = "50ms phone: message 1 failed with notReachable, and nobody was told: the message has no error handler"
        #expect(failure.contains("\n  failures that nobody observed\n    \(line)\n  last events"), "\(failure)")
        #expect(
            attached.hasPrefix(
                "# \(folder.url.path)/lost.scenario with the seed 1: A number arrives.\n#\n# Failures that nobody observed:\n#   \(line)\n#\n# seconds"
            ), "\(attached)")
    }

    @Test(arguments: [
        ("phone app does \"fly\"\n", "no action 'fly'"),
        ("phone app does \"add\" with \"x\"\n", "failed with NotANumber: notANumber"),
        ("phone replies {}\n", "phone runs an app under test"),
        ("phone activate\n", "this step is for the app that scenarios configure, and phone runs an app under test"),
        ("phone ap does\n", "error: "),
        ("", "the file is empty"),
    ])
    func whatCannotBeIsSaid(_ text: String, _ message: String) throws {
        let folder = try ScratchFolder()
        try folder.write("x.scenario", text.isEmpty ? "" : "# Something.\n\n" + text)
        let failure = try #require(report(of: suite(folder)))
        #expect(failure.contains(message), "\(failure)")
    }

    @Test func aFolderWithoutScenariosFails() throws {
        let failure = try #require(report(of: ScenarioSuite("NoSuchFolder")))
        #expect(failure == "there is no scenario file in NoSuchFolder")
    }

    @Test func theFolderIsLookedForUpToThePackage() {
        #expect(ScenarioSuite().folder == repository.appendingPathComponent("Scenarios").path)
        #expect(ScenarioSuite("Scenarios/sync").cases.count > 1)
        #expect(ScenarioSuite("Scenarios/sync").cases.allSatisfy { $0.path?.hasPrefix("/") == true })
    }

    @Test func anAppThatReadsTheHostIsFound() throws {
        let folder = try ScratchFolder()
        try folder.write("x.scenario", "# Nothing.\n\nphone app does \"log\"\nphone lock\n")
        let runs = Mutex(0)
        let failure = try #require(
            report(
                of: suite(folder) {
                    Counter(
                        offset: runs.withLock {
                            $0 += 1; return $0
                        })
                }))
        #expect(failure.contains("two runs with the seed 1 differ"))
    }

    @Test func aCanaryMustFailAsItSays() throws {
        let folder = try ScratchFolder()
        try folder.write("x.scenario", "# Wrong.\n# Canary: 1\n\nexpect phone app shows \"sum\" 3\n")
        #expect(report(of: suite(folder)) == nil)
        try folder.write("x.scenario", "# Right.\n# Canary: 1\n\nexpect phone app shows \"sum\" null\n")
        #expect(
            report(of: suite(folder))?.contains("must fail with status 1, and its status is 0") == true
        )
        try folder.write(
            "x.scenario", "# Elsewhere.\n# Canary: 1\n\nexpect phone app shows \"sum\" 3\nexpect phone app shows \"sum\" null\n")
        #expect(report(of: suite(folder))?.contains("it failed in line 4, which is its set-up") == true)
    }

    /// The other device keeps the suite's app, and steps for a configured one fit neither.
    @Test func aNamedAppGoesBeforeTheSuites() throws {
        let folder = try ScratchFolder()
        let start = "# One of each.\n\nstart phone with app shares-one-context\n"
        try folder.write(
            "a.scenario", start + "phone app does \"set goal\" with 2\nwatch app does \"add\" with 2\nexpect watch app shows \"sum\" 2\n")
        #expect(report(of: suite(folder)) == nil)
        try folder.write("a.scenario", start + "phone app does \"add\" with 2\n")
        #expect(report(of: suite(folder))?.contains("this app has no action 'add'; it has `choose theme` and `set goal`") == true)
        try folder.write("a.scenario", start + "phone app does \"set goal\" with 2\nexpect phone app shows \"sum\" 2\n")
        #expect(report(of: suite(folder))?.contains("this app shows no 'sum'; it shows ") == true)
        try folder.write("a.scenario", start + "phone ignores received files\n")
        #expect(report(of: suite(folder))?.contains("phone runs an app under test") == true)
    }

    private func suite(_ folder: ScratchFolder, _ makeApp: @escaping @Sendable () -> Counter = { Counter() }) -> ScenarioSuite {
        ScenarioSuite(folder.url.path, phone: makeApp, watch: makeApp)
    }

    private func report(of suite: ScenarioSuite, attach: (String, String) -> Void = { _, _ in }) -> String? {
        do throws(ScenarioCaseFailure) {
            for scenario in suite.cases { try scenario.check(attach: attach) }
            return nil
        } catch {
            return error.description
        }
    }
}

/// Adds up what it is given.
private final class Counter: SimulatedApp {
    private struct NotANumber: Error, CustomStringConvertible {
        var description: String { "notANumber" }
    }

    private let sum = Mutex<Int64?>(nil)
    private let offset: Int
    private let delegate = Delegate()

    private final class Delegate: NSObject, WCSessionDelegate, Sendable {
        func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {}
    }

    init(offset: Int = 0) {
        self.offset = offset
    }

    func didFinishLaunching(inBackground: Bool) async {
        WCSession.default.delegate = delegate
        WCSession.default.activate()
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("add", .integer(let number)): sum.withLock { $0 = ($0 ?? 0) + number }
        case ("add", _): throw NotANumber()
        case ("send", _):
            WCSession.default.sendMessage(["n": 1], replyHandler: nil)
        case ("log", _): try await Task.sleep(for: .seconds(offset))
        default: throw AppActionError("no action '\(action)'")
        }
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        sum.withLock { $0.map { .integer($0) } ?? .null }
    }
}

extension ScratchFolder {
    fileprivate func write(_ name: String, _ text: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
