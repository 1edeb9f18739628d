import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimRunner

/// Steps that crash at every operation: the scenario runs for each point, and its failure names the point.
@Suite struct CrashSweepScenarioTests {
    private let head = """
        key note: String
            domain    fileSystem documents
            security  none
        phone set note "old"

        """

    @Test func itRunsOnceForEachOperationAndOnceAfterTheLast() throws {
        let swept = ScenarioRunner.run(try scenario(head + "phone set note \"new\" crashes at every operation\nphone launch\n"))
        #expect(swept.failure == nil)
        let operations = swept.runCount - 1
        #expect(operations > 3)
        for (number, isThere) in [(operations, true), (operations + 1, false)] {
            let pinned = ScenarioRunner.run(try scenario(head + "phone set note \"new\" crashes at operation \(number)\n"))
            #expect((pinned.failure == nil) == isThere)
        }
        #expect(swept.stepCount == swept.runCount * 3)
    }

    @Test func aFailureNamesThePointSoThatItCanBePinned() throws {
        let tail = "phone launch\nexpect phone note \"old\"\n"
        let result = ScenarioRunner.run(try scenario(head + "phone set note \"new\" crashes at every operation\n" + tail))
        let failure = try #require(result.failure)
        #expect(failure.pins.count == 1)
        #expect(result.runCount > 1, "the first points leave the old value")
        let pinned = try scenario(head + failure.pins[0] + "\n" + tail)
        let again = try #require(ScenarioRunner.run(pinned).failure, "the pinned run passes")
        #expect(again.message == failure.message)
        #expect(again.pins.isEmpty)
    }

    @Test func theRunAfterTheLastOperationIsNamedToo() throws {
        let text =
            head + "phone set note \"new\" loses power at every operation\nphone power on\nphone unlock\nphone launch\n"
            + "expect phone note \"old\" or missing\n"
        let result = ScenarioRunner.run(try scenario(text))
        let failure = try #require(result.failure)
        #expect(failure.pins == ["phone set note \"new\", then power loss"])
    }

    /// A sweep over nothing proves nothing.
    @Test func aStepWithoutAnOperationFails() throws {
        let result = ScenarioRunner.run(try scenario(head + "phone update context {\"n\": 1} crashes at every operation\n"))
        let failure = try #require(result.failure)
        #expect(failure.message.contains("has no storage operation"))
        #expect(failure.line == 5)
    }

    @Test func severalSuchStepsMeetInEveryPair() throws {
        func count(_ steps: String) throws -> Int {
            let result = ScenarioRunner.run(try scenario(head + steps))
            #expect(result.failure == nil)
            return result.runCount
        }
        let first = try count("phone set note \"new\" crashes at every operation\n")
        let both = try count("phone set note \"new\" crashes at every operation\nphone launch\nphone get note crashes at every operation\n")
        #expect(both > first)
        #expect(both >= 2 * first, "\(both) runs for \(first) points")
    }

    @Test func moreCrashPointsThanTheLimitAreRefusedBeforeTheFirstRun() throws {
        let text = head + "phone set note \"new\" crashes at every operation\nphone launch\nphone get note crashes at every operation\n"
        var options = RunOptions()
        options.crashPointLimit = 10
        let result = ScenarioRunner.run(try scenario(text), options: options)
        guard case .cannotRun(let failure) = result.outcome else {
            Issue.record("it is run: \(result.outcome)")
            return
        }
        #expect(
            failure.message.contains("and the limit is 10") && failure.message.contains(" × ") && failure.message.contains("--crash-points")
        )
        #expect(failure.line == 7 && result.stepCount == 0)
    }

    @Test func progressIsToldWithTheCountBeforeTheFirstRun() throws {
        let told = Told()
        var options = RunOptions()
        options.crashPointProgress = { told.progress.append($0) }
        let result = ScenarioRunner.run(try scenario(head + "phone set note \"new\" crashes at every operation\n"), options: options)
        #expect(told.progress.map(\.done) == Array(0..<result.runCount))
        #expect(told.progress.allSatisfy { $0.total == result.runCount })
    }

    private final class Told: @unchecked Sendable {
        var progress: [SweepProgress] = []
    }

    @Test func aStepThatFailsWithoutACrashFailsTheScenario() throws {
        let result = ScenarioRunner.run(
            try scenario(head + "phone disk fails every create with ENOSPC\nphone set note \"new\" crashes at every operation\n"))
        let failure = try #require(result.failure)
        #expect(failure.message.contains("noSpace"))
    }

    /// Another step of the block ends the app each time; the sweep must still come to an end.
    @Test func itEndsWhereSomethingElseEndsTheApp() throws {
        let result = ScenarioRunner.run(
            try scenario(head + "together\n    phone set note \"new\" crashes at every operation\n    phone crash\n"))
        #expect(result.runCount == 1)
    }

    @Test(arguments: [
        "phone set theme \"dark\" crashes at every operation", "phone launch loses power at every operation",
        "expect phone theme \"dark\" or \"light\" within 5s", "expect phone theme \"dark\" or missing",
        "phone power loss leaves garbage", "phone preferences fail every set from 2 with EIO",
        "phone disk fails next syncDirectory with EIO",
    ]) func stepsPrintBackToTheirText(_ line: String) throws {
        #expect(try action(line).notation == line)
    }

    @Test func oneOfTwoValuesIsEnough() throws {
        func failure(_ line: String) throws -> ScenarioFailure? { ScenarioRunner.run(try scenario(head + line + "\n")).failure }
        for line in [
            "expect phone note \"old\" or \"new\"", "expect phone note \"new\" or \"old\"", "expect phone note \"old\" or missing",
        ] {
            #expect(try failure(line) == nil, "\(line)")
        }
        let failure = try #require(try failure("expect phone note \"new\" or missing"))
        #expect(failure.expected == "expect phone note \"new\" or missing")
        #expect(failure.actual == "expect phone note \"old\"")
    }

    /// Each remainder leaves what it says of a file that was written and not synchronized.
    @Test(arguments: PowerLossRemainder.allCases) func aPowerLossLeavesWhatItSays(_ remainder: PowerLossRemainder) throws {
        let rig = StorageRig()
        let bytes = Data("12345678".utf8)
        try rig.files.put(bytes, at: rig.documents + "/new")
        try rig.files.put(bytes, at: rig.documents + "/known")
        try rig.files.synchronizeDirectory(at: rig.documents)
        try rig.files.rename(rig.documents + "/new", to: rig.documents + "/renamed")
        try rig.defaults.set(.string("a"), forKey: "a", in: .standard)
        try rig.defaults.set(.string("b"), forKey: "b", in: .standard)
        rig.losePower(remainder.policy(seed: SeededGenerator(seed: 1)))
        let names = try rig.files.list(rig.documents)
        let known = try rig.files.contents(of: rig.documents + "/known")
        let sets = try rig.defaults.keys(in: .standard)
        switch remainder {
        case .nothing: #expect((names, known, sets) == (["known", "new"], Data(), []))
        case .everything: #expect((names, known, sets) == (["known", "renamed"], bytes, ["a", "b"]))
        case .entries: #expect((names, known, sets) == (["known", "renamed"], Data(), ["a", "b"]))
        case .contents: #expect((names, known, sets) == (["known", "new"], bytes, []))
        case .halves: #expect((names, known, sets) == (["known", "renamed"], Data("1234".utf8), ["a"]))
        case .garbage: #expect(names == ["known", "renamed"] && known.count == 8 && known != bytes && sets.isEmpty)
        case .anything: #expect(names.count == 2)
        }
    }
}

extension ScenarioResult {
    /// Why it did not pass.
    fileprivate var failure: ScenarioFailure? {
        switch outcome {
        case .passed: nil
        case .failed(let failure), .didNotSettle(let failure), .notDeterministic(let failure), .cannotRun(let failure): failure
        }
    }
}
