import DeviceSim
import Testing

@testable import DeviceSimLanguage

/// What a small or hostile file can make of itself: refused with a place and a remedy, before it is made.
@Suite struct ScenarioBoundsTests {
    /// 551 bytes once took 6 GB.
    @Test func listsThatDouble() throws {
        var text = "let a0 = [1, 1]\n"
        for index in 1...40 { text += "let a\(index) = [$a\(index - 1), $a\(index - 1)]\n" }
        let problem = try #require(compile(text + "phone set k $a40\n").diagnostics.first)
        #expect(problem.message.contains("grows beyond \(FileExpander.maximumTokenCount) words"))
        #expect(problem.hint != nil)
    }

    @Test func rowsThatMultiply() throws {
        let rows = String(repeating: "    | 1 |\n", count: 9_000)
        let text = "key k: Int\n\nexamples\n    | a |\n\(rows)\n" + String(repeating: "phone set k $a\n", count: 40)
        #expect(compile(text).diagnostics.map(\.message).contains { $0.contains("grows beyond") })
    }

    @Test func wordsWithoutEnd() throws {
        let count = ScenarioParser.maximumTokenCount
        for text in ["phone set k [" + String(repeating: "1,", count: count), String(repeating: "#\n", count: count + 1)] {
            let problem = try #require(compile(text).diagnostics.first { $0.message.contains("more than \(count)") })
            #expect(problem.hint?.contains("repeat(") == true)
        }
    }

    @Test func aLongWordIsNotRepeated() throws {
        let word = String(repeating: "x", count: 1_000_000)
        for text in [
            "phone set \(word) 1\n", "phone \(word)\n", "\(word)\n", "phone set k \(word)\n", "let \(word) = 1\nlet \(word) = 1\n",
            "key k: \(word)\n",
        ] {
            for problem in compile(text).diagnostics { #expect(problem.rendered().utf8.count < 4_000) }
            #expect(!compile(text).diagnostics.isEmpty)
        }
    }

    @Test func manyWrongLines() {
        let text = (0..<20_000).map { "zork\($0) phone\n" }.joined()
        #expect(compile(text).diagnostics.count == DiagnosticList.limit)
    }

    @Test func whatIsAllowedStays() {
        let lines = String(repeating: "phone set k 1\n", count: 2_000)
        #expect(compile("key k: Int\n\n" + lines).diagnostics.isEmpty)
    }
}
