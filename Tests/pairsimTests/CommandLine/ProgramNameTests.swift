import Testing

@testable import PairsimTool

/// What a replay line begins with can be typed where the user stands.
@Suite struct ProgramNameTests {
    @Test(arguments: [
        ("pairsim", "/home/a", "pairsim"),
        ("/usr/local/bin/pairsim", "/home/a", "/usr/local/bin/pairsim"),
        ("/src/local data/.build/debug/pairsim", "/src/local data", "swift run pairsim"),
        (".build/debug/pairsim", "/src/l", "swift run pairsim"),
        ("/src/l/.build/x86_64-unknown-linux-gnu/release/pairsim", "/src/l/Scenarios", "swift run -c release pairsim"),
        ("/src/app/.build/debug/ThemePair", "/src/app", "swift run ThemePair"),
        ("/src/app/.build/release/Theme Pair", "/src/app", "swift run -c release 'Theme Pair'"),
        ("/src/l/.build/release/pairsim", "/home/a", "/src/l/.build/release/pairsim"),
        ("/src/l b/.build/release/pairsim", "/home/a", "'/src/l b/.build/release/pairsim'"),
    ])
    func itIsWhatTheUserCanType(_ path: String, _ folder: String, _ program: String) {
        #expect(Host.program(calledAs: path, in: folder) == program)
    }
}
