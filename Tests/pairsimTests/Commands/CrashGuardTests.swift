import Testing

@testable import PairsimTool

/// What a trap of the process says of whose it is, and in which run. Each in a process of its own.
@Suite struct CrashGuardTests {
    @Test(arguments: [
        (false, "this is a bug of pairsim, met while running a.scenario. Please report it with the lines above.\n"),
        (
            true,
            "code trapped, of the app under test or of pairsim, met while running a.scenario. Do that again with SWIFT_BACKTRACE=enable=yes to see "
                + "whose; if it is pairsim's, please report it.\n"
        ),
    ])
    func aTrapSaysWhoseItMayBe(runsForeignCode: Bool, message: String) async throws {
        let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) { [runsForeignCode] in
            CrashGuard.install(environment: [:], runsForeignCode: runsForeignCode)
            CrashGuard.setName("a.scenario")
            preconditionFailure()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.hasSuffix("pairsim: " + message), "\(text)")
    }
}
