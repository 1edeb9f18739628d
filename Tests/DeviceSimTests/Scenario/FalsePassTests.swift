import DeviceSim
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimRunner

/// Scenarios that say something that is not so, and once passed.
@Suite struct FalsePassTests {
    private static let theme = "key theme: String\n    security none\n"
    private static let token = "key token: String\n    domain keychain\n    security keychain whenUnlocked\n"

    private static let leftBehind = """
        key old: String
            until 1.9
            domain keychain
            security keychain whenUnlocked
        key theme: String
            domain userDefaults
            security none
            since 2.0
            migrates from old
        start phone version 1.9
        phone set old "left"
        phone update to 2.0
        phone launch
        phone plant old "left behind"
        wait 1min
        expect phone audit residual theme

        """

    private static func failure(_ text: String) throws -> ScenarioFailure? { try ScenarioRunner.run(scenario(text + "\n")).outcome.failure }

    /// `never` says that it was looked, and was not so: where nobody can tell, it fails.
    @Test(arguments: [
        ("start devices with app resends-its-context\nnever watch app shows \"themes\" \"dark\" for 5s", "this app shows no 'themes'"),
        ("never phone app shows \"nonsense\" \"dark\" for 1s", "this app shows no 'nonsense'"),
        (token + "watch set token \"secret-one\"\nwatch lock\nwait 1min\nnever watch token \"secret-one\" for 5s", "reading failed"),
        (token + "watch set token \"secret-one\"\nwatch lock\nwait 1min\nnever watch token missing for 5s", "reading failed"),
        ("key theme: String\nphone set theme \"a\"\nphone damage theme\nnever phone theme exists for 1s", "reading failed"),
        (theme + "phone set theme \"a\"\nnever devices agree for 5s", "there is nothing to agree on"),
        (
            token + "phone set token \"secret-one\"\nphone lock\nwait 1min\nnever phone audit missing token for 1s", "the audit cannot tell"
        ),
        (
            leftBehind + "phone keychain fails every operation with errSecIO\nnever phone audit residual theme for 5s",
            "the audit cannot tell"
        ),
        (
            leftBehind + "phone keychain fails every operation with errSecIO\nnever phone audit waiting theme for 5s",
            "the audit cannot tell"
        ),
    ])
    func whatNobodyCanTellIsNotNever(_ text: String, _ reason: String) throws {
        let failure = try #require(try Self.failure(text))
        #expect(failure.message.hasPrefix("whether it held 0ms after the step began cannot be told: "), "\(failure.message)")
        #expect(failure.message.contains(reason) && failure.expected == nil, "\(failure.message)")
    }

    @Test(arguments: [
        theme
            + "phone set theme \"a\"\nnever phone theme \"b\" for 1s\nnever phone theme missing for 1s\nnever phone theme fails locked for 1s",
        token + "watch set token \"a-token\"\nwatch lock\nwait 1min\nnever watch token fails corrupt for 1s",
        "start devices with app resends-its-context\nnever watch app shows \"theme\" \"dark\" for 5s",
    ])
    func whatIsToldIsNever(_ text: String) throws {
        let failure = try Self.failure(text)
        #expect(failure == nil, "\(failure?.message ?? "")")
    }

    /// Each value that a step gave the key may lie there, whatever came of the step and on whichever device it was.
    @Test(arguments: [
        "phone preferences fail next set with EIO\nphone set note \"secret-two\" fails inputOutput", "watch set note \"secret-two\"",
        "phone set note \"secret-two\" crashes at operation 1",
    ])
    func anEarlierValueIsFound(_ step: String) throws {
        let text = "key note: String\n    security none\nphone set note \"secret-one\"\n\(step)\nexpect no plaintext of note on phone"
        let failure = try #require(try Self.failure(text))
        #expect(failure.message.hasPrefix("an earlier value of 'note' lies readable in preference "), "\(failure.message)")
    }

    /// Something else that ends the process is not the crash that the step names.
    @Test(arguments: [
        "phone crashes at operation 3 of the next step\nphone set theme \"dark\" crashes at operation 500",
        "phone crashes at operation 3 of the next step\nphone set theme \"dark\" loses power at operation 500",
        "together\n    phone set theme \"dark\" crashes at operation 500\n    phone terminate",
        "together\n    phone set theme \"dark\" loses power at operation 500\n    phone crash",
    ])
    func anotherEndIsNotTheCrash(_ steps: String) throws {
        let failure = try #require(try Self.failure(Self.theme + steps))
        #expect(failure.message.hasPrefix("something else ended the process before storage operation 500"), "\(failure.message)")
    }

    @Test func aFolderIsNotMissing() throws {
        let text = "phone write file \"Documents/notes\" \"hello\"\nexpect phone file \"Documents\" missing"
        #expect(try Self.failure(text)?.message == "'Documents' is a folder with files in it, and no file")
    }

    @Test(arguments: [
        ("watch delivered context 1 time", true), ("watch2 delivered no context", true), ("watch2 delivered context 1 time", false),
    ])
    func aWatchDeliversWhatItSent(_ expected: String, _ passes: Bool) throws {
        let failure = try Self.failure("start second watch\nwatch update context {\"a\": 1}\nsettle\nexpect \(expected)")
        #expect((failure == nil) == passes, "\(failure?.message ?? "")")
    }

    /// Texts are compared by their characters of Unicode, numbers exactly.
    @Test(arguments: [
        ("\"e\\u0301\"", "\"\\u00e9\""), ("{\"e\\u0301\": 1}", "{\"\\u00e9\": 1}"), ("9007199254740992.0", "9007199254740993"),
    ])
    func valuesAreComparedExactly(_ sent: String, _ expected: String) throws {
        let line = "phone update context {\"a\": \(sent)}\nsettle\nexpect watch session receivedApplicationContext {\"a\": "
        #expect(try Self.failure(line + expected + "}")?.message == "the session says otherwise")
        #expect(try Self.failure(line + sent + "}") == nil)
    }

    /// What an expectation has counted is no news. What came after it is.
    @Test func failuresThatNobodyCountedAreTold() throws {
        let lost = "watch app does not implement didReceiveUserInfo\nphone transfer user info {\"n\": 1}\nsettle\n"
        func told(_ text: String) throws -> Int { try ScenarioRunner.run(scenario(text)).unobservedFailures.count }
        #expect(try told(lost) == 1)
        #expect(try told("expect unobserved failures none\n" + lost) == 1)
        #expect(try told(lost + "expect unobserved failures 1\n") == 0)
        #expect(try told(lost + "expect unobserved failures 1\nphone transfer user info {\"n\": 2}\nsettle\n") == 1)
    }

    /// Of an app that does not run, what its next process would read counts: not what lies there and is locked, refused, unknown to it or still to migrate.
    @Test(arguments: [
        (
            token + "    sync automaticSmall\nphone set token \"secret-one\"\nsettle\nwatch lock\nwait 1min\nwatch suspend\n"
                + "expect watch token \"secret-one\" within 5s", "could not read the value (locked)"
        ),
        (
            "key token: String\n    domain keychain\n    security keychain whenUnlocked userPresence\nphone set token \"secret-one\"\n"
                + "phone terminate\nphone person cancels\nexpect phone token \"secret-one\" within 5s",
            "could not read the value (authenticationCancelled)"
        ),
        (
            "key old: String\n    until 1.9\n    security none\nstart phone version 1.9\nphone set old \"x\"\nphone update to 2.0\n"
                + "expect phone old \"x\" within 1s", "version 2.0 of the app has no 'old'"
        ),
        (
            "key old: String\n    until 1.9\n    security none\nkey new: String\n    since 2.0\n    security none\n"
                + "    migrates from old by uppercasing\nstart phone version 1.9\nphone set old \"x\"\nphone update to 2.0\n"
                + "expect phone new missing within 1s", "moves only when the app runs"
        ),
        (theme + "phone set theme \"a\"\nphone terminate\nexpect phone theme \"b\" within 1s", "would read another value"),
    ])
    func whatNoProcessCouldReadIsNotThere(_ text: String, _ reason: String) throws {
        let failure = try #require(try Self.failure(text))
        #expect(failure.message.contains(reason), "\(failure.message)")
    }

    @Test func whatCannotBeReadMayWait() throws {
        let steps = """
            key a: String
                domain fileSystem documents
                security none
                sync automaticSmall
            start phone not activated
            phone set a "x"
            phone disk fails every operation with EIO
            phone relaunch
            expect phone pending nothing
            """
        let failure = try #require(try Self.failure(steps))
        #expect(failure.message.contains("what waits cannot be told"), "\(failure.message)")
    }

    /// Devices agree on every key that syncs, declared or chosen.
    @Test func aKeyThatIsSwitchedOnIsComparedToo() throws {
        let keys = Self.theme + "    sync automaticSmall\nkey own: String\n    security none\nphone set theme \"a\"\nsettle\n"
        let apart = "phone set own \"x\"\nwatch set own \"y\"\n"
        #expect(try Self.failure(keys + apart + "expect devices agree") == nil)
        let chosen = "DEVICE overrides sync of own with automaticSmall\n"
        let both = chosen.replacing("DEVICE", with: "phone") + chosen.replacing("DEVICE", with: "watch")
        let failure = try #require(try Self.failure(keys + "link down\n" + apart + both + "expect devices agree"))
        #expect(failure.message == "the devices do not agree on 'own'", "\(failure.message)")
        #expect(try Self.failure(keys + apart + both + "phone set own \"z\"\nsettle\nexpect devices agree") == nil)
    }

    /// What nobody can do is not done without a word.
    @Test(arguments: [
        ("phone power off\nphone uninstall", "the device is off"), ("phone uninstall\nphone power off\nphone install", "the device is off"),
        ("phone power off\nphone update to 2.0", "the device is off"), ("phone uninstall\nphone update to 2.0", "the app is not installed"),
        ("phone uninstall\nphone uninstall", "the app is not installed"), ("phone power off\ndevices unpair", "the device is off"),
        ("devices unpair\nphone power off\ndevices pair", "the device is off"),
        ("devices unpair\nwatch power off\ndevices pair", "the device is off"),
        ("link down\ndevices unpair\ndevices pair", "out of the phone's range"),
        ("start second watch\nphone power off\nphone switches to watch2", "the device is off"),
        ("start phone without passcode\nphone biometry enrolled", "without a passcode"),
        ("phone reboot\nphone passcode removed", "unlock it first"), ("phone power off\nphone power loss", "the device is off"),
        ("phone background\nphone suspend\nphone background", "resume it first"), ("watch workout ends", "no workout session"),
        ("watch audio starts\nwatch workout ends", "no workout session"),
    ])
    func whatCannotBeDoneFails(_ steps: String, _ reason: String) throws {
        let failure = try #require(try Self.failure(steps))
        #expect(failure.message.contains(reason) && failure.line == steps.split(separator: "\n").count, "\(failure.message)")
    }

    // MARK: Refused before anything runs

    @Test(arguments: [
        ("expect no event context.delivered within 5s", "write `for 5s`: "),
        ("expect watch received no context within 5s", "write `for 5s`: "),
        ("expect event context.delivered 0 times within 5s", "write `for 5s`: "),
        ("expect watch received context at most 2 times within 5s", "write `for 5s`: "),
        ("expect unobserved failures none within 5s", "write `for 5s`: "),
        ("phone write file \"Documents//notes\" \"x\"", "write \"Documents/notes\""),
        ("expect phone file \"./Documents/notes\" missing", "write \"Documents/notes\""),
        ("expect phone file \"Documents/\" missing", "write \"Documents\""), ("expect phone file \".\" missing", "such as "),
        ("expect phone file \"Documents/../x\" missing", "such as "),
        ("let unused = 5", "take the line out"), ("examples\n    | size |\n    | 1 |", "where its cells belong"),
        ("examples\n    | what | size |\n    | \"small\" | \"1\" |", "where its cells belong"),
    ])
    func whatSaysNothingIsRefused(_ line: String, _ hint: String) {
        let diagnostics = compile(Self.theme + "phone lock\n\(line)\n").diagnostics
        #expect(diagnostics.first?.hint?.contains(hint) == true, "\(diagnostics)")
    }

    @Test(arguments: [
        "expect no event context.delivered for 5s", "expect event context.delivered 1 time within 5s",
        "expect phone theme missing within 5s",
        "let size = 5\nlet sizes = [$size]\nphone update context {\"a\": $sizes}", "expect phone file \"Documents/a.b\" missing",
        "examples\n    | what | size |\n    | \"small\" | 1 |\nwait 1s\nphone update context {\"a\": $size}",
    ])
    func whatSaysSomethingIsNot(_ lines: String) {
        let diagnostics = compile(Self.theme + "phone lock\n\(lines)\n").diagnostics
        #expect(diagnostics.isEmpty, "\(diagnostics)")
    }

    @Test func aSourceOfAnotherNameIsRefused() {
        let key = "key token: String\n    security encrypted external \"remote.1\"\n"
        let hint = compile(key + "phone app does not provide \"remote.9\"\n").diagnosticsAsWritten.first?.hint
        #expect(hint == "the keys name `\"remote.1\"`", "\(hint ?? "")")
        #expect(compile(key + "phone app does not provide \"remote.1\"\n").diagnostics.isEmpty)
    }

    /// A header that reads as prose makes a canary that need not fail, and a scenario that no tag selects.
    @Test(arguments: [
        ("# Canary 1\n\n", "write `# Canary: …`"), ("## Canary: 1\n\n", "write `# Canary: …`"), ("# Tags sync\n\n", "write `# Tags: …`"),
        ("# Rules W1, W2\n\n", "write `# Rules: …`"),
        ("key b: Int\n\n# Canary: 1\n", "put it into the comment at the head of the file, with no blank line above it"),
    ])
    func aFieldThatIsNoneIsRefused(_ head: String, _ hint: String) {
        #expect(compile("\(head.hasPrefix("#") ? "# It fails.\n" : "")\(head)phone lock\n").diagnostics.map(\.hint) == [hint])
    }

    @Test(arguments: ["Tags of two kinds are read.", "Rules W1 and W2 meet here.", "Canary birds: none.", "Tags"])
    func proseIsNone(_ line: String) {
        let diagnostics = compile("# It runs.\n# \(line)\n\nphone lock\n# Tags: later on\nphone unlock\n").diagnostics
        #expect(diagnostics.isEmpty, "\(diagnostics)")
    }
}
