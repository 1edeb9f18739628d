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

    private static func inserted(_ source: String = scenario) throws -> FocusedDraws {
        try FocusedDraws(over: source) { FocusedSilences(of: $0, $1) }
    }

    @Test func oneRunInEightHasThem() throws {
        let drawn = try Self.inserted()
        #expect(drawn.isOneIn(8), "\(drawn.texts.count)")
    }

    /// Each way in which a device can be silent comes up, with what the other one does meanwhile, and nothing of a key that does not sync.
    @Test func everySilenceComesUp() throws {
        let texts = try Self.inserted().texts
        for word in ["lock", "reboot", "terminate", "link(", "overrideSync", "suspend", "update", "requestSnapshot", "remove", "set("] {
            #expect(texts.contains { $0.contains(word) }, "\(word)")
        }
        #expect(!texts.contains { $0.contains("\"own\"") })
    }

    @Test func withoutASyncedKeyOrWithASecondWatchThereAreNone() throws {
        #expect(try Self.inserted("key own: String\n    security none\n\n").texts.isEmpty)
        #expect(try Self.inserted(Self.scenario + "start second watch\n\n").texts.isEmpty)
    }

    /// What was drawn for a run by its number is drawn again.
    @Test func aSeedSaysWhatIsDrawn() throws {
        #expect(try Self.inserted().texts == Self.inserted().texts)
    }
}
