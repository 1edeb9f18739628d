import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimSearch

@Suite struct FocusedWidgetsTests {
    private static let scenario = """
        key charm: String
            domain       keychain service "com.example.charms"
            access group "group.com.example"

        key tally: Int
            domain   appGroupFileSystem "group.com.example" documents
            security none

        key own: String


        """

    private static let seeds = 0..<300

    private static func inserted(_ source: String = scenario, hasWidget: Bool = true) throws -> [[ScenarioStep]] {
        let scenario = try DeviceSimTests.scenario(source + "phone lock\n")
        return seeds.map { seed in
            var glances = FocusedWidgets(of: scenario, hasWidget: hasWidget, SeededGenerator(seed: UInt64(seed)))
            return glances.over([])
        }
    }

    @Test func halfOfTheRunsWithAWidgetHaveThem() throws {
        let drawn = try Self.inserted()
        let count = drawn.filter { !$0.isEmpty }.count
        #expect((Self.seeds.count / 3...Self.seeds.count * 2 / 3).contains(count), "\(count)")
        #expect(try Self.inserted(hasWidget: false).allSatisfy(\.isEmpty))
        #expect(try Self.inserted("key own: String\n\n").allSatisfy(\.isEmpty))
    }

    /// Mostly of what a master key seals; never of what the widget does not find.
    @Test func theAppChangesItsKeysAroundTheWidgetsValue() throws {
        let texts = try Self.inserted().map { $0.map { "\($0.action)" }.joined(separator: "\n") }.filter { !$0.isEmpty }
        for word in ["rotateKeys", "retireKeys", "rotateAndRetireKeys", "reseal", "terminate", "crashes", "remove", "widget"] {
            #expect(texts.contains { $0.contains(word) }, "\(word)")
        }
        #expect(!texts.contains { $0.contains("\"own\"") })
        #expect(texts.filter { $0.contains("\"charm\"") }.count > texts.filter { $0.contains("\"tally\"") }.count)
    }
}
