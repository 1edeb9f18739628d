import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimSearch

/// What the checks take to be there of values that earlier versions of the app left.
@Suite struct EarlierVersionCheckTests {
    private func run(_ steps: String, options: RunOptions = RunOptions()) throws -> Violation? {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": "# Earlier versions.\n\n\(steps)\n"]))
        return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"), options: options).violation
    }

    /// A preference that an earlier version of the app kept in a file.
    private static let gauge = """
        key gauge: String
            security  none
            sync      automaticSmall
            migrates  from oldGauge
        key oldGauge: String
            domain    fileSystem documents
            security  none
            until     0.9
        """

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

    /// … also where it was left before that, beside the value that the power loss took.
    @Test func whatTheCounterpartGivesBackMayReplaceWhatAnEarlierVersionHadLeft() throws {
        let violation = try run(
            """
            \(Self.gauge)

            watch remove gauge
            phone set gauge "first"
            phone plant oldGauge "second"
            phone power loss
            phone power on
            phone unlock
            phone launch
            phone get gauge
            settle
            phone get gauge
            """)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// A number that is the sum of two old ones.
    private static func sum(draws: String) -> String {
        """
        key oldDraws: Int
            \(draws)
            until     0.9
        key oldWins: Int
            security  none
            until     0.9
        key total: Int
            security  none
            sync      automaticSmall
            migrates  from oldWins and oldDraws by adding

        """
    }

    /// A power loss takes the value that lay in preferences, and the sum is that of the others.
    @Test func aPowerLossMayTakeOneOfTheValuesThatBecomeOne() throws {
        let steps = """
            phone plant oldDraws 1
            phone plant oldWins 1
            phone plant oldDraws 8640007
            phone power loss
            phone power on
            phone unlock
            phone launch
            settle
            """
        let violation = try run(Self.sum(draws: "domain    keychain\n    security  keychain afterFirstUnlock") + steps)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// … or that which lay there before, where the disk has that.
    @Test func aPowerLossMayBringBackWhatOneOfTheValuesWasBefore() throws {
        let steps = """
            knob preferences.writtenWithin 10s
            phone plant oldWins 8640001
            wait 1min
            phone plant oldWins 8640002
            phone plant oldDraws 5
            phone power loss
            phone power on
            phone unlock
            phone launch
            settle
            """
        let violation = try run(Self.sum(draws: "domain    fileSystem documents\n    security  none") + steps)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// A removal on the other device takes along what lay at one of the places, and the sum is of what is put there later.
    @Test func aRemovalOnTheOtherDeviceMayTakeOneOfTheValuesThatBecomeOne() throws {
        let steps = """
            phone plant oldDraws 1
            phone get total
            phone remove total
            watch plant oldDraws 1
            settle
            watch plant oldWins 2
            settle
            watch get total
            """
        let violation = try run(Self.sum(draws: "security  none") + steps)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// What lay in the keychain no power loss takes: a sum without it is wrong.
    @Test func aSumWithoutWhatNoPowerLossTakesIsABreach() throws {
        let steps = """
            settle
            phone plant oldDraws 3
            phone plant oldWins 8640004
            wait 1h
            phone power loss
            phone power on
            phone unlock
            phone launch
            phone get total
            """
        let keys = Self.sum(draws: "domain    keychain\n    security  keychain afterFirstUnlock")
        #expect(try run(keys + steps) == nil)
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            changed.keychain = ForgetfulKeychain(base: environment.keychain, account: "oldDraws", hides: true)
            return changed
        }
        #expect(try run(keys + steps, options: options)?.invariant == .atomicity)
    }

    /// A removal is as durable as its file, also where an earlier version of the app sets the value anew right behind it, in preferences, and power is lost.
    @Test(arguments: [true, false], [true, false])
    func aRemovalOutlastsAPowerLossAlsoWhereTheValueWasSetAnew(isSetAnew: Bool, hadValue: Bool) throws {
        let violation = try run(Self.removal(isSetAnew: isSetAnew, before: hadValue ? "watch set score 1" : "settle"))
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// Something that an earlier version left is removed, and power is lost before the preferences are on the disk.
    private static func removal(isSetAnew: Bool, before: String = "settle") -> String {
        """
        key score: Int
            domain    fileSystem documents
            security  none
            migrates  from oldScore by number
        key oldScore: String
            security  none
            until     0.9

        knob preferences.synchronizeIsDurable false
        \(before)
        watch plant oldScore "7520003"
        wait 1min
        watch remove score
        \(isSetAnew ? "watch plant oldScore \"7520004\"" : "wait 1s")
        watch power loss
        watch power on
        watch unlock
        watch launch
        watch get score
        """
    }

    /// What the phone could not store lay there all the same, and went with the power before it was durable: LocalData had said so.
    @Test(arguments: [true, false]) func whatWasPutOffMayGoWithThePower(isSaid: Bool) throws {
        let fault = isSaid ? "phone disk fails sync 4 with ENOSPC" : "settle"
        let violation = try run(
            """
            key face: String
                domain    fileSystem documents
                security  none
                sync      automaticSmall

            watch set face "first"
            settle
            watch set face "second"
            \(fault)
            settle
            phone disk works
            phone get face
            phone power loss
            phone power on
            phone unlock
            phone launch
            phone get face
            """)
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

    /// An update moves a value out of the app's own preferences, to where a widget finds it.
    private static let moveToTheGroup = """
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

    /// A widget that runs before the updated app does finds nothing where the app is yet to bring the value; what the app has brought it finds.
    @Test(arguments: ["", "phone launch", "phone launch\nphone widget remove value"])
    func aWidgetFindsWhatTheAppHasBrought(steps: String) throws {
        let violation = try run("\(Self.moveToTheGroup)\nphone widget launch\n\(steps)\nphone widget get value")
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// … and where it finds nothing then, the value is lost.
    @Test func aWidgetThatDoesNotFindWhatTheAppHasBroughtIsABreach() throws {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            guard environment.device.isAppExtension else { return environment }
            var changed = environment
            changed.defaults = HidingDefaults(base: environment.defaults, name: "value")
            return changed
        }
        let violation = try run("\(Self.moveToTheGroup)\nphone launch\nphone widget launch\nphone widget get value", options: options)
        #expect(violation?.invariant == .durability)
    }

    /// A removal that leaves no note of itself gives way to what a power loss brings back: the mistake that the check is there for.
    @Test(arguments: [true, false]) func aRemovalThatAPowerLossUndoesIsABreach(isSetAnew: Bool) throws {
        let options = RunOptions.altering { AlteredFileSystem(base: $0, hides: { $0.contains("/Cleared/") }) }
        let violation = try run(Self.removal(isSetAnew: isSetAnew), options: options)
        #expect([.removal, .migration].contains(violation?.invariant), "\(violation?.explanation ?? [])")
    }

    /// What was set while LocalData could not note it, and comes back with a backup, counts as set now.
    @Test func anUnnotedEditOfABackupMayReplaceLaterOnes() throws {
        let violation = try run(
            """
            \(Self.gauge)

            phone plant oldGauge "first"
            phone backup as before
            phone restore from before
            phone unlock
            phone launch
            phone plant oldGauge "found"
            phone disk fails close 2 with EIO
            phone set gauge "second"
            phone disk works
            phone backup as after
            phone set gauge "third"
            settle
            watch get gauge
            phone restore from after
            phone unlock
            phone launch
            settle
            watch get gauge
            """)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// An audit tells of no copy where the source is the value itself: by its path, or in other letters.
    @Test(arguments: [
        """
        key closet: String
            domain    fileSystem custom "/Containers/Shared/AppGroup/group.com.example/Documents"
            security  none
            migrates  from oldCloset
        key oldCloset: String
            name      "closet"
            domain    appGroupFileSystem "group.com.example" documents
            security  none
            until     0.9

        phone plant oldCloset "first"
        phone relaunch
        phone get closet
        """,
        """
        knob files.ignoreCase true
        key medal: String
            domain    fileSystem documents
            migrates  from oldMedal
        key oldMedal: String
            name      "Medal"
            domain    fileSystem documents
            security  none
            until     0.9

        phone plant oldMedal "first"
        phone relaunch
        phone get medal
        """,
    ])
    func aValueUnderAnotherNameIsNoCopy(steps: String) throws {
        let violation = try run("\(steps)\nphone audit\nsettle\nphone audit")
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// One value under two names of its file is held against what was set, too: here an update does not find it.
    @Test func aValueThatAnUpdateDoesNotFindUnderAnotherPathIsABreach() throws {
        let steps = """
            key version1: String
                name      "value"
                domain    appGroupFileSystem "group.com.example" documents
                security  none
                until     1.9
            key version2: String
                name      "value"
                domain    fileSystem custom "/Containers/Shared/AppGroup/group.com.example/Documents"
                security  none
                since     2.0
                migrates  from version1

            phone set version1 "first"
            phone update to 2.0
            phone launch
            phone get version2
            """
        #expect(try run(steps) == nil)
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            guard environment.device.appVersion == "2.0" else { return environment }
            var changed = environment
            changed.fileSystem = AlteredFileSystem(base: environment.fileSystem, hides: { $0.hasSuffix("/value") })
            return changed
        }
        #expect(try run(steps, options: options) != nil)
    }

    /// A value goes through the places of the versions between, of which one may be out of the app's reach.
    @Test func aPlaceBetweenThatIsOutOfReachIsAReason() throws {
        let violation = try run(
            """
            key version1: String
                name   "value"
                until  1.9
            key version2: String
                name      "value"
                domain    fileSystem custom "/Elsewhere/Documents"
                since     2.0
                until     2.9
                migrates  from version1
            key version3: String
                name      "value"
                domain    fileSystem documents
                since     3.0
                migrates  from version2

            phone set version1 "first"
            phone update to 3.0
            phone launch
            phone get version3
            """)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    @Test func aBackupHoldsOnlyWhatWasUnnotedThen() {
        var edits = UnnotedEdits()
        edits.set(.string("noted"), at: 0, on: .phone, isUnnoted: false)
        edits.set(.string("unnoted"), at: 2, on: .phone, isUnnoted: true)
        edits.set(.string("of the watch"), at: 4, on: .watch, isUnnoted: true)
        edits.backUp(.phone, as: "one")
        edits.set(.string("later"), at: 2, on: .phone, isUnnoted: false)
        edits.backUp(.phone, as: "two")
        #expect(edits.restore(.phone, from: "two").isEmpty)
        #expect(edits.restore(.phone, from: "one") == [2: .string("unnoted")])
        #expect(edits.restore(.phone, from: "never made").isEmpty)
    }
}

/// Preferences in which one name seems to have no value.
private struct HidingDefaults: DefaultsStore {
    let base: any DefaultsStore
    let name: String

    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        try base.set(value, forKey: key, in: suite)
    }
    func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        key == name ? nil : try base.value(forKey: key, in: suite)
    }
    func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite).filter { $0 != name } }
    func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
}
