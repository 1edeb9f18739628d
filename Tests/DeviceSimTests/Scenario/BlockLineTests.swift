import DeviceSim
import Testing

@testable import DeviceSimRunner

/// A failure within a block points at its line.
@Suite struct BlockLineTests {
    private func failure(_ text: String) throws -> ScenarioFailure {
        guard case .failed(let failure) = ScenarioRunner.run(try scenario(text)).outcome else { throw Unfailed() }
        return failure
    }

    private struct Unfailed: Error {}

    @Test func theMissingEventOfAnOrder() throws {
        let failure = try failure("link down\nlink up\nexpect in order\n    link.down\n    link.up\n    link.down\n")
        #expect(failure.line == 6 && failure.column == 5 && failure.source == "link.down")
        #expect(failure.message.contains("came, but not after link.up"))
    }

    @Test func theEventThatDidNotComeAtAll() throws {
        let failure = try failure("link down\nexpect in order\n    link.down\n    watch message.delivered\n")
        #expect(failure.line == 4 && failure.message.contains("did not come"))
    }

    @Test func theOneTooManyInAnyOrder() throws {
        let failure = try failure("link down\nlink up\nexpect in any order\n    link.up\n    link.down\n    link.up\n")
        #expect(failure.line == 6 && failure.message.contains("came 1 time, and there are 2 lines for it"))
    }

    /// A general line does not take the only event of a narrower one, whichever is written first.
    @Test(arguments: [
        ["link.down", "link.up"], ["phone session.reachabilityChanged", "phone session.reachabilityChanged with isReachable false"],
        [
            "session.reachabilityChanged", "session.reachabilityChanged", "phone session.reachabilityChanged",
            "watch session.reachabilityChanged",
        ],
        [
            "session.reachabilityChanged", "phone session.reachabilityChanged", "session.reachabilityChanged with isReachable false",
            "phone session.reachabilityChanged with isReachable false",
        ],
    ])
    func aGeneralLineLeavesTheEventOfANarrowerOne(lines: [String]) throws {
        for lines in [lines, lines.reversed()] {
            let text = "link down\nsettle\nlink up\nsettle\nexpect in any order\n" + lines.map { "    \($0)\n" }.joined()
            if case .failed(let failure) = ScenarioRunner.run(try scenario(text)).outcome { Issue.record("\(failure.message)") }
        }
    }

    @Test func theStepOfATogetherBlock() throws {
        let head = "key note: String\n    domain    fileSystem documents\n    security  none\n"
        let failure = try failure(head + "together\n    phone set note \"a\"\n    watch get note\n")
        #expect(failure.line == 6 && failure.message.contains("notFound"))
    }

    /// What it is, and not a word of it, is what does not belong there.
    @Test(arguments: [
        ("phone disk fails next write with EIO", "phone disk fails"), ("watch crashes at operation 3 of the next step", "watch crashes at"),
    ])
    func aFaultWithinATogetherBlock(_ line: String, _ beginning: String) throws {
        let problems = ScenarioCompiler.compile(
            path: "a.scenario", files: .memory(["a.scenario": "together\n    phone lock\n    \(line)\n"])
        ).diagnostics
        #expect(problems.map(\.range.line) == [3])
        #expect(problems.first?.message == "a step that begins with `\(beginning)` cannot stand in `together`")
    }
}
