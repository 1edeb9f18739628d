import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimSearch

@Suite struct FocusedSilencesTests {
    private static let scenario = """
        key theme: String
            security none
            sync     automaticSmall
            until    2.9

        key count: Int
            security none
            sync     automaticSmall
            since    2.0

        key own: String
            security none


        """

    private static let seeds = 0..<400

    private static func inserted(_ source: String = scenario) throws -> [[ScenarioStep]] {
        let scenario = try DeviceSimTests.scenario(source + "phone lock\n")
        return seeds.map { seed in
            var silences = FocusedSilences(of: scenario, SeededGenerator(seed: UInt64(seed)))
            return silences.over([])
        }
    }

    @Test func oneRunInEightHasThem() throws {
        let drawn = try Self.inserted()
        let count = drawn.filter { !$0.isEmpty }.count
        #expect((Self.seeds.count / 16...Self.seeds.count / 5).contains(count), "\(count)")
    }

    /// Each way in which a device can be silent comes up, with what the other one does meanwhile, and nothing of a key that does not sync.
    @Test func everySilenceComesUp() throws {
        let texts = try Self.inserted().map { $0.map { "\($0.action)" }.joined(separator: "\n") }
        for word in ["lock", "reboot", "terminate", "link(", "overrideSync", "suspend", "update", "requestSnapshot", "remove", "set("] {
            #expect(texts.contains { $0.contains(word) }, "\(word)")
        }
        #expect(!texts.contains { $0.contains("\"own\"") })
    }

    @Test func withoutASyncedKeyOrWithASecondWatchThereAreNone() throws {
        #expect(try Self.inserted("key own: String\n    security none\n\n").allSatisfy(\.isEmpty))
        #expect(try Self.inserted(Self.scenario + "start second watch\n\n").allSatisfy(\.isEmpty))
    }

    /// What was drawn for a run by its number is drawn again.
    @Test func aSeedSaysWhatIsDrawn() throws {
        let (one, other) = (try Self.inserted(), try Self.inserted())
        #expect(one.map { $0.map { "\($0.action)" } } == other.map { $0.map { "\($0.action)" } })
    }
}
