import Testing

@testable import PairsimTool

/// What a terminal gets that a pipe does not.
struct TerminalTests {
    @Test func progressIsRewrittenInPlaceAndGoneAtTheEnd() throws {
        var bench = Bench(["Scenarios/a.scenario": .passing(), "Scenarios/b.scenario": .failing()])
        bench.columns = 30
        let clock = Bench.Counter()
        bench.seconds = { Double(clock.next()) }
        bench.environment["NO_COLOR"] = "1"
        let ending = bench.run("run --jobs 1")
        #expect(ending.output.contains("\r0 of 2  Scenarios/a.scenario\u{1B}[K"))
        // Each progress line fits, and is wiped before anything else is printed.
        for part in ending.output.split(separator: "\r").filter({ $0.contains("\u{1B}[K") }) {
            let (line, rest) = try #require(Self.split(part))
            #expect(line.count < 30)
            #expect(rest.isEmpty || line.isEmpty)
        }
        #expect(ending.output.contains("1 passed, 1 failed ("))
    }

    private static func split(_ part: Substring) -> (Substring, Substring)? {
        guard let wipe = part.firstRange(of: "\u{1B}[K") else { return nil }
        return (part[..<wipe.lowerBound], part[wipe.upperBound...])
    }

    @Test(
        arguments: [
            ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
        ] as [([String: String], Bool)])
    func colourOnATerminal(environment: [String: String], isColoured: Bool) {
        var bench = Bench(["a.scenario": .passing()])
        bench.columns = 80
        bench.environment = environment
        #expect(bench.run("run a.scenario").output.contains("\u{1B}[32m") == isColoured)
        #expect(bench.run("run a.scenario --color=always").output.contains("\u{1B}[32m"))
        #expect(!bench.run("run a.scenario --color=never").output.contains("\u{1B}[32m"))
    }

    @Test func aDumbTerminalGetsNoProgress() {
        var bench = Bench(["a.scenario": .passing()])
        bench.columns = 80
        bench.environment["TERM"] = "dumb"
        #expect(bench.run("run a.scenario").output == "1 passed, 0 failed (0.00 s)\n")
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("e\u{301}x", 2, "e\u{301}x"), ("abc", 0, ""),
    ])
    func clipping(text: String, limit: Int, clipped: String) {
        #expect(SafeText.clipped(text, to: limit) == clipped)
    }

    @Test(arguments: [
        ("a\tb", "a    b"), ("\u{1B}[2J", "\\u{1b}[2J"), ("é🎧", "é🎧"), ("a\nb", "a\\u{a}b"), ("\u{202E}x", "\\u{202e}x"),
        ("\u{85}", "\\u{85}"),
    ])
    func safeLines(text: String, shown: String) {
        #expect(SafeText.line(text) == shown)
    }

    @Test func blocksKeepTheirLines() {
        #expect(SafeText.block("a\r\nb\n\u{7}") == "a\nb\n\\u{7}")
    }
}
