import DeviceSim
import Testing

@testable import PairsimTool

struct SuggestionTests {
    @Test(
        arguments: [
            ("rnu", "run"), ("RUN", "run"), ("chek", "check"), ("comp", "completions"), ("x", nil), ("", nil), ("zzzzzz", nil),
        ] as [(String, String?)])
    func closest(typed: String, meant: String?) {
        #expect(Suggestion.closest(to: typed, among: CommandName.allCases.map(\.rawValue)) == meant)
    }

    @Test(arguments: [
        ("Scenarios/a.scenario", "Scenarios/a.scenario"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("[2]", "'[2]'"),
        ("é", "'é'"),
    ])
    func shellWords(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }
}
