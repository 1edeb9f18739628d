import DeviceSim
import DeviceSimLanguage
import Testing

@testable import DeviceSimSearch

/// Worlds that a search has called wrong, and that are not.
@Suite struct FormerFalseAlarmTests {
    private static let worlds: [(name: String, source: String)] = [
        (
            "an app answers after days",
            """
            phone replies {} after 192h
            watch request snapshot fails messageReplyTimedOut
            settle
            """
        ),
        (
            "a sweep of all keys tells that a text is no number",
            """
            key old: String
                security  none
                until     1.9
            key number: Int
                security  none
                migrates  from old by number

            watch set old "first"
            watch migrate all keys
            """
        ),
        (
            "a migration knows the form of its source",
            """
            key old: String
                security  none
                until     1.9
                schema    17
            key new: String
                security  none
                since     2.0
                migrates  from old

            watch set old "first"
            watch update to 2.0
            watch launch
            settle
            watch get new
            """
        ),
        (
            "a secret is called like the suite of its source, which is written down",
            """
            key secret: String
                sync      automaticSmall
                migrates  from userDefaults suite "notes-of-old" name "group.com.example"

            watch plant secret "notes-of-old"
            settle
            """
        ),
        (
            "a second watch that is unpaired has no choices any more",
            """
            key note: String
                security  none

            start second watch

            watch2 overrides sync of note with automaticSmall
            watch2 unpair
            watch2 install
            watch2 launch
            settle
            watch2 get note
            """
        ),
    ]

    @Test(arguments: worlds.indices) func itIsNone(_ index: Int) throws {
        let (name, source) = Self.worlds[index]
        let text = "# A world.\n\n\(source)\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": text])).scenarios.first, "\(name)")
        let violation = CheckedRun.run(scenario).violation
        #expect(violation == nil, "\(name): \(violation?.explanation ?? [])")
    }
}
