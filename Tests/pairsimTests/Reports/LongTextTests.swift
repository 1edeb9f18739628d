import Testing

@testable import PairsimTool

/// What a terminal shows of values that are too long for it.
@Suite struct LongTextTests {
    private static let long = String(repeating: "Dear diary. ", count: 9_000)

    @Test func shortTextsAreShownAsTheyAre() {
        let most = String(repeating: "x", count: LongText.limit)
        #expect(LongText.shown(most, besides: "y") == most)
        #expect(LongText.shown(nil, besides: most) == nil)
    }

    @Test func ofALongOneTheBeginningAndTheLengthAreShown() throws {
        let shown = try #require(LongText.shown(Self.long, besides: "short"))
        #expect(shown.count < 500 && shown.hasPrefix("Dear diary. ") && shown.contains("(108000 characters; "))
    }

    @Test func whereBothAreLongWhatDiffersFirstIsShown() throws {
        let other = Self.long.replacing("diary. ", with: "friend ", maxReplacements: 1).dropFirst(40_000)
        let changed = Self.long.prefix(60_000) + "Dear reader. " + Self.long.dropFirst(60_013)
        let shown = try #require(LongText.shown(String(changed), besides: Self.long))
        #expect(shown.contains("Dear reader. ") && shown.contains("what differs first is character 60006"))
        #expect(try #require(LongText.shown(Self.long, besides: String(other))).count < 1_000)
    }
}
