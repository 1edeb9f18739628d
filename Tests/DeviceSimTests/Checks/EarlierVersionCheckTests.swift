import DeviceSim
import Testing

@testable import DeviceSimSearch

/// What the checks take to be there of values that earlier versions of the app left.
@Suite struct EarlierVersionCheckTests {
    private func run(_ steps: String) throws -> Violation? {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": "# Earlier versions.\n\n\(steps)\n"]))
        return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)")).violation
    }

    /// The watch gives back what a power loss took from the phone. What an earlier version of the app left there meanwhile has no version.
    @Test func whatTheCounterpartGivesBackMayReplaceWhatAnEarlierVersionLeft() throws {
        let violation = try run(
            """
            key gauge: String
                security  none
                sync      automaticSmall
                migrates  from oldGauge
            key oldGauge: String
                security  none
                until     0.9

            phone set gauge "first"
            phone power loss
            phone power on
            phone plant oldGauge "second"
            phone unlock
            phone launch
            phone get gauge
            settle
            phone get gauge
            """)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// A removal is as durable as its file, also where an earlier version of the app sets the value anew right behind it, in preferences, and power is lost.
    @Test(arguments: [true, false], [true, false])
    func aRemovalOutlastsAPowerLossAlsoWhereTheValueWasSetAnew(isSetAnew: Bool, hadValue: Bool) throws {
        let world = """
            key score: Int
                domain    fileSystem documents
                security  none
                migrates  from oldScore by number
            key oldScore: String
                security  none
                until     0.9

            \(hadValue ? "watch set score 1" : "settle")
            watch plant oldScore "7520003"
            wait 10s
            watch remove score
            """
        let anew = isSetAnew ? "watch plant oldScore \"7520004\"\n" : ""
        let violation = try run("\(world)\n\(anew)watch power loss\nwatch power on\nwatch unlock\nwatch launch\nsettle\nwatch get score")
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// What a later version keeps under the name beside a key of the app is not what an earlier one kept elsewhere.
    @Test func theAuditSpeaksOfWhatALaterVersionLeft() throws {
        let violation = try run(
            """
            key version1: String
                name      "value1"
                domain    keychain
                security  keychain whenUnlocked
                until     1.9
            key version2: String
                name      "value0"
                domain    appGroupUserDefaults "group.com.example"
                security  none
                since     2.0
                until     2.9
            key version3: String
                name      "value0"
                domain    keychain
                security  keychain whenUnlocked
                since     3.0

            phone update to 3.0
            phone launch
            phone set version3 "first"
            phone update to 1.0
            phone launch
            settle
            """)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// A widget that runs before the updated app does finds nothing where the app is yet to bring the value; what the app has brought it finds.
    @Test(arguments: ["", "phone launch", "phone launch\nphone widget remove value"])
    func aWidgetFindsWhatTheAppHasBrought(steps: String) throws {
        let world = """
            key before: String
                name      "value"
                security  none
                until     1.9
            key value: String
                domain    appGroupUserDefaults "group.com.example"
                security  none
                since     2.0
                migrates  from before

            phone set before "first"
            phone update to 2.0
            """
        let violation = try run("\(world)\nphone widget launch\n\(steps)\nphone widget get value")
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }
}
