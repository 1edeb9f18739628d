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

    private static func inserted(_ source: String = scenario) throws -> FocusedDraws {
        try FocusedDraws(over: source) { FocusedUnlocks(of: $0, $1) }
    }

    @Test func oneRunInEightHasThem() throws {
        let drawn = try Self.inserted()
        #expect(drawn.isOneIn(8), "\(drawn.texts.count)")
    }

    /// Each begins before the first unlock and goes on behind it.
    @Test func everyWorkComesUp() throws {
        let texts = try Self.inserted().texts
        #expect(texts.allSatisfy { $0.contains("reboot") && $0.contains("launchInBackground") && $0.contains("unlock") })
        for word in ["remove", "set(", "migrate", "rotateKeys", "sync", "exists", "reseal"] {
            #expect(texts.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test func withASecondWatchThereAreNone() throws {
        #expect(try Self.inserted(Self.scenario + "start second watch\n\n").texts.isEmpty)
    }

    /// What is not sealed has no keys that could be rotated.
    @Test func withoutASealedKeyNothingIsRotated() throws {
        let texts = try Self.inserted("key theme: String\n    security none\n\n").texts
        #expect(!texts.isEmpty && !texts.contains { $0.contains("otate") })
    }
}
