import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimRunner

/// Steps whose task is cancelled at an operation of the storage: the app goes on, and the step ends in order.
@Suite struct CancelledTaskScenarioTests {
    private let head = """
        key note: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        phone set note "old"

        """

    private func run(_ steps: String) throws -> ScenarioResult {
        ScenarioRunner.run(try scenario(head + steps))
    }

    @Test func itRunsOnceForEachOperationAndOnceMore() throws {
        let tail = "expect phone note \"new\" or \"old\"\nphone set note \"newer\"\nexpect phone note \"newer\"\n"
        let swept = try run("phone set note \"new\" is cancelled at every operation\n" + tail)
        #expect(swept.failure == nil)
        let operations = swept.runCount - 1
        #expect(operations > 3)
        #expect(try run("phone set note \"new\" is cancelled at operation \(operations)\n" + tail).failure == nil)
        let never = try #require(try run("phone set note \"new\" is cancelled at operation \(operations + 1)\n").failure)
        #expect(never.message.contains("nothing was cancelled; it has \(operations) of them"))
    }

    @Test func aStepWithoutAnOperationFails() throws {
        let result = try run("phone update context {\"n\": 1} is cancelled at every operation\n")
        #expect(try #require(result.failure).message.contains("no storage operation, so nothing was cancelled"))
    }

    @Test func theAppRunsOn() throws {
        let result = try run("phone get note is cancelled at operation 1\nphone get note\nphone crash\nphone get note\n")
        #expect(result.failure?.line == 9, "the app is gone after the crash, and not before")
    }

    /// What waits for its turn gives up, and says so.
    @Test func aTaskThatWaitsIsCancelled() throws {
        let block = "together\n    phone set note \"first\"\n    phone set note \"second\" is cancelled at operation 1\n"
        #expect(try run(block + "expect phone note \"first\"\n").failure == nil)
        #expect(try run(block + "expect phone note \"second\"\n").failure != nil)
    }

    /// A cancelled step may fail by its cancellation only.
    @Test func anotherErrorIsNotExcused() throws {
        let result = try run("phone disk fails every create with EIO\nphone set note \"new\" is cancelled at operation 1\n")
        #expect(try #require(result.failure).message.contains("inputOutput"))
    }

    @Test func theLastRunCancelsNothingAndSaysSo() throws {
        let result = try run("phone set note \"new\" is cancelled at every operation\nexpect phone note \"old\"\n")
        let failure = try #require(result.failure)
        #expect(
            failure.pins == ["phone set note \"new\" is cancelled at operation \(result.runCount)"]
                || failure.pins == ["phone set note \"new\", not cancelled"])
    }
}

extension ScenarioResult {
    fileprivate var failure: ScenarioFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }
}
