import DeviceSim
import Testing

@testable import DeviceSimRunner

/// What `expect nothing else` counts: from the mark that it names, or from the last one.
@Suite struct NothingElseTests {
    @Test(arguments: [
        ("expect nothing else", true),
        ("expect nothing else since late", true),
        ("expect nothing else since early", false),
        ("expect watch received context 1 time since early\nexpect nothing else since early", true),
        ("expect phone received no context\nexpect nothing else since early", false),
    ])
    func countsFromTheMark(_ lines: String, _ passes: Bool) throws {
        let run = try scenario(
            """
            key theme: String
                sync  automaticSmall

            mark early
            phone set theme "a"
            expect watch theme "a" within 5s
            mark late
            \(lines)
            """)
        let outcome = ScenarioRunner.run(run).outcome
        if case .passed = outcome { #expect(passes) } else { #expect(!passes, "\(outcome)") }
    }

    /// An expectation made before the mark says nothing of what comes after it.
    @Test func expectationsBeforeTheMarkDoNotCount() throws {
        let run = try scenario(
            """
            key theme: String
                sync  automaticSmall

            expect watch received no context
            mark change
            phone set theme "a"
            expect watch theme "a" within 5s
            expect nothing else
            """)
        guard case .failed(let failure) = ScenarioRunner.run(run).outcome else { return #expect(Bool(false), "it must fail") }
        #expect(failure.line == 8)
        #expect(failure.message.contains("context.delivered"))
    }

    /// What a crash is, and what LocalData refused, is an error as well.
    @Test(arguments: [
        ("phone crash", "app.crash"),
        ("watch is lied to about shape\nsettle\nexpect event context.delivered at least 1 time", "sync.refused"),
        ("phone send message {\"n\": 1} expecting reply\nsettle\nexpect watch received message 1 time", "message.replyDelivered"),
    ])
    func errorsOfEveryKindCount(_ lines: String, _ kind: String) throws {
        let run = try scenario(
            "key theme: String\n    sync automaticSmall\n\nphone set theme \"a\"\nsettle\nmark m\n\(lines)\nexpect nothing else\n")
        guard case .failed(let failure) = ScenarioRunner.run(run).outcome else { return #expect(Bool(false), "it must fail") }
        #expect(failure.message.contains(kind), "\(failure.message)")
        let spoken = try scenario(
            "key theme: String\n    sync automaticSmall\n\nphone set theme \"a\"\nsettle\nmark m\n\(lines)\nexpect event \(kind)\nexpect nothing else\n"
        )
        guard case .failed(let other) = ScenarioRunner.run(spoken).outcome else { return }
        #expect(!other.message.contains(kind), "\(other.message)")
    }
}
