import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimSearch

@Suite struct FocusedUnlocksTests {
    private static let scenario = """
        key theme: String
            security none
            sync     automaticSmall
            migrates from oldTheme

        key oldTheme: String
            domain   fileSystem documents
            security none
            until    0.9

        key seal: String
            sync automaticSmall


        """

    private static let seeds = 0..<400

    private static func inserted(_ source: String = scenario) throws -> [[ScenarioStep]] {
        let scenario = try DeviceSimTests.scenario(source + "phone lock\n")
        return seeds.map { seed in
            var unlocks = FocusedUnlocks(of: scenario, SeededGenerator(seed: UInt64(seed)))
            return unlocks.over([])
        }
    }

    @Test func oneRunInEightHasThem() throws {
        let drawn = try Self.inserted()
        let count = drawn.filter { !$0.isEmpty }.count
        #expect((Self.seeds.count / 16...Self.seeds.count / 5).contains(count), "\(count)")
    }

    /// Each begins before the first unlock and goes on behind it.
    @Test func everyWorkComesUp() throws {
        let texts = try Self.inserted().map { $0.map { "\($0.action)" }.joined(separator: "\n") }.filter { !$0.isEmpty }
        #expect(texts.allSatisfy { $0.contains("reboot") && $0.contains("launchInBackground") && $0.contains("unlock") })
        for word in ["remove", "set(", "migrate", "rotateKeys", "sync", "exists", "reseal"] {
            #expect(texts.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test func withASecondWatchThereAreNone() throws {
        #expect(try Self.inserted(Self.scenario + "start second watch\n\n").allSatisfy(\.isEmpty))
    }

    /// What is not sealed has no keys that could be rotated.
    @Test func withoutASealedKeyNothingIsRotated() throws {
        let drawn = try Self.inserted("key theme: String\n    security none\n\n").flatMap(\.self)
        #expect(!drawn.isEmpty)
        #expect(!drawn.contains { "\($0.action)".contains("otate") })
    }
}
