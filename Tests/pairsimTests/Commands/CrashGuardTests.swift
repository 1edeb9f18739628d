import Testing

@testable import PairsimTool

/// What a trap of the process says of whose it is, and in which run. Each in a process of its own.
@Suite struct CrashGuardTests {
    @Test func aTrapOfThePlainToolIsItsOwn() async throws {
        let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            CrashGuard.install(environment: [:], runsForeignCode: false)
            CrashGuard.setName("a.scenario")
            preconditionFailure()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.hasSuffix("pairsim: this is a bug of pairsim, met while running a.scenario. Please report it with the lines above.\n"),
            "\(text)")
    }

    @Test func whereAnAppsCodeRunsATrapIsNotCalledABugOfTheTool() async throws {
        let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            CrashGuard.install(environment: [:], runsForeignCode: true)
            CrashGuard.setName("pairsim explore --seed 1 --only 7")
            preconditionFailure()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.hasSuffix(
                "pairsim: code trapped, of the app under test or of pairsim, met while running pairsim explore --seed 1 --only 7. "
                    + "Do that again with SWIFT_BACKTRACE=enable=yes to see whose; if it is pairsim's, please report it.\n"), "\(text)")
    }
}
