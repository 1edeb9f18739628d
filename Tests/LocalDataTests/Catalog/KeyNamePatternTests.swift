import Testing

@testable import LocalData

@Suite struct KeyNamePatternTests {
    @Test(arguments: [
        ("draft_<id>", "draft_1", true), ("draft_<id>", "draft_", false), ("draft_<id>", "raft_1", false),
        ("<a>-<b>", "x-y", true), ("<a>-<b>", "-y", false), ("<a>-<b>", "x-", false), ("<a>.b.<c>", "1.b.2.b.3", true),
        ("<a>", "anything", true), ("<a>", "", false), ("a<x>a", "aa", false), ("a<x>a", "aba", true),
    ])
    func matches(pattern: String, name: String, isMatch: Bool) throws {
        #expect(try #require(KeyNamePattern(pattern)).matches(name) == isMatch)
    }

    @Test(arguments: ["", "plain", "a<b", "a>b", "<>", ">a<"]) func withoutPlaceholderThereIsNone(_ name: String) {
        #expect(KeyNamePattern(name) == nil)
    }
}
