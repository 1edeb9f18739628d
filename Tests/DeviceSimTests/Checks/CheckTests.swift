import DeviceSim
import Foundation
import LocalData
import Specimens
import Testing
import WatchConnectivity

@testable import DeviceSimCore
@testable import DeviceSimRunner
@testable import DeviceSimSearch

/// Each check says what contradicts what, and is silent about what does not.
@Suite struct CheckTests {
    private static let keys = """
        # Keys.

        key place: String
            domain    fileSystem documents
            security  none
        key theme: String
            security  none
            sync      automaticSmall

        """

    private func run(_ steps: String, options: RunOptions = RunOptions()) throws -> Violation? {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + steps + "\n"]))
        return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"), options: options).violation
    }

    // MARK: Two versions of an app

    private static let versions = """
        key cardBefore: String
            name      "card"
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            until     1.9
        key card: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            schema    2
            since     2.0

        phone update to 2.0
        phone launch
        phone set card "newer"
        settle
        watch get cardBefore

        """

    /// The app with the mistake that the name of a specimen says.
    private func careless(_ name: String) throws -> RunOptions {
        try #require(Specimen.careless.first { $0.name.hasPrefix(name) }).bad
    }

    @Test func anOlderAppThatReadsANewerFormIsNamed() throws {
        #expect(try run(Self.versions) == nil)
        let violation = try run(Self.versions, options: careless("received values are taken without"))
        #expect(violation?.invariant == .forms && violation?.key == "cardBefore" && violation?.device == .watch)
    }

    @Test func anOlderAppThatReplacesANewerFormIsNamed() throws {
        let steps = Self.versions + "watch set cardBefore \"older\""
        #expect(try run(steps) == nil)
        #expect(try run(steps, options: careless("what a newer app has set"))?.invariant == .forms)
        #expect(try run(Self.versions + "watch remove cardBefore\nwatch set cardBefore \"older\"") == nil)
    }

    /// What makes room may have been on its way when the older app was told that there is none.
    @Test func anOlderAppMaySetWhatWasRemovedElsewhere() throws {
        let isOnItsWay = Self.versions.replacing("watch get cardBefore", with: "phone remove card\nwatch get cardBefore\nsettle")
        #expect(try run(isOnItsWay + "watch set cardBefore \"older\"") == nil)
        // Once it was there nothing is on its way any more.
        let isThere = isOnItsWay + "phone set card \"newest\"\nsettle\nwatch get cardBefore\nwatch set cardBefore \"older\""
        #expect(try run(isThere) == nil)
        #expect(try run(isThere, options: careless("what a newer app has set"))?.invariant == .forms)
    }

    /// A counterpart that says that all was deleted makes room, like one that removed it.
    @Test func anOlderAppMaySetWhatALieDeleted() throws {
        #expect(try run(Self.versions + "watch is lied to about deletions\nwatch set cardBefore \"older\"") == nil)
    }

    /// An edit that the other device's app knows under no name makes nobody hold it, and a lie before it stays a lie.
    @Test func anEditUnderANameOfALaterVersionSaysNothingOfTheOtherDevice() throws {
        let keys = """
            key draft: String
                security  none
                sync      automaticSmall
                until     1.9
            key note: String
                security  none
                sync      automaticSmall
                since     2.0
                migrates  from draft

            """
        let steps = """
            phone is lied to about size by user info
            phone sync
            settle
            watch set draft "first"
            settle
            watch update to 2.0
            watch launch
            settle
            watch set note "second"
            settle
            phone get draft
            """
        #expect(try run(keys + steps) == nil)
    }

    /// What the app noted in its own container its widget cannot see: nobody told it of a newer form.
    @Test func aWidgetMaySetWhatOnlyTheAppWasToldOf() throws {
        let keys = """
            key note: String
                domain    appGroupUserDefaults "group.com.example"
                security  none
                sync      automaticSmall
                access    group "group.com.example"
                until     1.9
            key laterNote: String
                domain    keychain
                security  keychain whenUnlocked
                sync      automaticSmall
                since     2.0
                migrates  from note

            """
        let steps = """
            watch set note "first"
            settle
            phone update to 2.0
            phone launch
            phone update to 1.0
            phone launch
            phone get note
            phone widget launch
            phone widget set note "second"
            """
        #expect(try run(keys + steps) == nil)
    }

    /// Bytes that begin like a sealed value, stored by a version that kept them plainly: an app that takes both cannot tell.
    @Test func bytesThatBeginLikeASealedValueExplainThatTheyCannotBeRead() throws {
        func steps(_ bytes: String) -> String {
            """
            key old: Data
                name        "blob"
                domain      fileSystem documents
                security    none
                serializer  data
                until       1.9
            key new: Data
                name        "blob"
                domain      fileSystem documents
                security    none
                serializer  data
                formerly    recommended
                since       2.0

            phone set old base64("\(bytes)")
            phone update to 2.0
            phone launch
            phone get new fails unsupportedFormat
            settle
            """
        }
        #expect(try run(steps("iUxERQFoZWxsbyB3b3JsZCwgdGhpcyBpcyBteSBkYXRh")) == nil)
        #expect(try run(steps("aGVsbG8=")) == nil)
    }

    /// An app of the catalogue registers no catalog, so nothing of its is sealed anew.
    @Test func anAppWithoutACatalogBreaksNoPromiseOfRotations() throws {
        let steps = "start watch with app counts-revisions\n\nwatch set pin \"first\"\nwatch rotate keys\nsettle"
        let violation = try run("key pin: String\n\n" + steps)
        #expect(violation?.invariant != .rotation)
    }

    /// A watch that is erased when it is paired anew has no newer form any more.
    @Test func anOlderAppMaySetOnAWatchThatWasErased() throws {
        let isErased = Self.versions + "link down\ndevices unpair\nwatch get cardBefore\ndevices pair\nwatch launch\n"
        #expect(try run(isErased + "watch set cardBefore \"older\"") == nil)
    }

    /// The chain leads back to where it began. With a value in between nobody takes what is left there, and the newer app finds it at its own place.
    @Test func whatIsLeftWhereAChainLeadsBackToMayBeRead() throws {
        let keys = """
            key motto: String
                domain    fileSystem documents
                security  none
                since     2.0
                migrates  from mottoBefore
            key mottoBefore: String
                name      "mottoInPreferences"
                security  none
                until     1.9
                migrates  from oldMotto
            key oldMotto: String
                name      "motto"
                domain    fileSystem documents
                security  none
                until     0.9

            """
        let steps = "watch set mottoBefore \"first\"\nwatch plant oldMotto \"older\"\nwatch update to 2.0\nwatch launch\nwatch get motto"
        #expect(try run(keys + steps) == nil)
    }

    /// To one app such bytes are a value, to the other none.
    @Test func bytesThatBeginLikeASealedValueNeedNotBeOnBothDevices() throws {
        let steps = """
            key new: Data
                name      "blob"
                domain    fileSystem documents
                security  none
                formerly  recommended
                sync      automaticSmall
                since     2.0
            key old: Data
                name        "blob"
                domain      fileSystem documents
                security    none
                serializer  data
                sync        automaticSmall
                until       1.9

            start watch version 2.0

            phone set old base64("iUxERQFoZWxsbyB3b3JsZCwgdGhpcyBpcyBteSBkYXRh")
            settle
            """
        #expect(try run(steps) == nil)
    }

    // MARK: Plans of rotations

    @Test func whatAPlanSaidMustComeOfIt() {
        let plan = RotationPlanCheck.Plan(device: .phone, step: 0, due: 2, needless: 1)
        #expect(plan.contradiction(retired: 1) == nil)
        #expect(plan.contradiction(retired: 0) == "1 old master keys were needed by nothing, and 0 were deleted")
        #expect(plan.contradiction(retired: 2) != nil)
        #expect(
            plan.contradiction(resealed: 2, failed: 0, isAll: true) == nil && plan.contradiction(resealed: 1, failed: 0, isAll: true) == nil
        )
        #expect(plan.contradiction(resealed: 0, failed: 0, isAll: false) == "2 values were due, and 0 were sealed anew")
        #expect(
            plan.contradiction(resealed: 3, failed: 0, isAll: true) != nil
                && plan.contradiction(resealed: 3, failed: 0, isAll: false) == nil)
    }

    /// A plan is held to the step right behind it, and to no other.
    @Test func aPlanIsHeldToTheNextStep() throws {
        func count(_ steps: String) throws -> Int {
            let text = "# Keys.\n\nkey pin: String\n\nphone set pin \"first\"\nphone rotate keys\n\(steps)\n"
            let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
            let result = CheckedRun.covered(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"))
            #expect(result.violation == nil)
            return try #require(result.coverage).count(of: .checks, named: "rotation")
        }
        let apart = try count("phone plan rotation\nphone get pin\nphone retire keys")
        #expect(try count("phone get pin\nphone plan rotation\nphone retire keys") == apart + 1)
        #expect(
            try count("phone get pin\nphone plan rotation\nphone reseal values")
                > count("phone plan rotation\nphone get pin\nphone reseal values"))
    }

    // MARK: Copies

    /// Two sources of one chain have one name: the copy lies at the place of one of them.
    @Test func aCopyIsToldWhereItLies() throws {
        let steps = """
            key first: String
                name      "value"
                domain    appGroupFileSystem "group.com.example" documents
                security  none
                until     1.9
            key second: String
                name      "value"
                domain    keychain
                security  keychain whenUnlocked
                since     2.0
                until     2.9
                migrates  from first
            key third: String
                name      "value"
                security  none
                since     3.0
                until     3.9
                migrates  from second
            key fourth: String
                name      "value"
                domain    appGroupFileSystem "group.com.example" documents
                security  none
                since     4.0
                migrates  from third

            phone set first "value"
            phone update to 4.0
            phone launch
            phone reseal values
            settle
            """
        #expect(try run(steps) == nil)
    }

    // MARK: Secrets

    /// An older counterpart has the secret under its own name, and its update moves it on over places that are plain.
    @Test func aSecretOfAnOlderCounterpartMayGoThroughPlainPlaces() throws {
        let steps = """
            key version1: String
                name    "value0"
                domain  appGroupFileSystem "group.com.example" documents
                sync    automaticSmall
                access  group "group.com.example"
                until   1.9
            key version2: String
                name      "value2"
                domain    appGroupUserDefaults "group.com.example"
                security  none
                sync      automaticSmall
                access    group "group.com.example"
                since     2.0
                until     2.9
                migrates  from version1
            key version3: String
                name      "value2"
                security  none
                sync      automaticSmall
                since     3.0
                until     3.9
                migrates  from version2
            key version4: String
                name      "value0"
                domain    appGroupUserDefaults "group.com.example"
                sync      automaticSmall
                access    group "group.com.example"
                since     4.0
                migrates  from version3

            phone update to 4.0
            phone launch
            phone set version4 "first"
            settle

            watch update to 4.0
            watch launch
            settle
            """
        #expect(try run(steps) == nil)
    }

    /// Also one that no byte string tells from others.
    @Test(arguments: [("Int", "471123"), ("Int", "-90210"), ("Double", "47110.5"), ("[Int]", "[47112, 1]"), ("String", "\"hunter2\"")])
    func aReadableCopyIsFound(_ type: String, _ value: String) throws {
        let steps = "key pin: \(type)\n    domain fileSystem documents\n\nphone set pin \(value)"
        #expect(try run(steps) == nil)
        let violation = try run(steps, options: careless("a readable copy of a secret"))
        #expect(violation?.invariant == .secrecy && violation?.key == "pin", "\(String(describing: violation))")
    }

    /// What is a part of a value that need be no secret may be read there.
    @Test func whatAnOpenValueHasInItIsNoCopyOfASecret() throws {
        func steps(_ open: String) -> String {
            """
            key pin: String
                domain fileSystem documents
            key open: Data
                domain      fileSystem documents
                serializer  data
                security    none

            phone set pin "hunter2"
            phone set open base64("\(Data(open.utf8).base64EncodedString())")
            """
        }
        let careless = try careless("a readable copy of a secret")
        #expect(try run(steps("the hunter2 of old")) == nil)
        #expect(try run(steps("the hunter of old")) == nil)
        #expect(try run(steps("the hunter of old"), options: careless)?.invariant == .secrecy)
    }

    /// Bytes that are a part of what travels are found where that has arrived. Others are not.
    @Test func bytesWithinAnotherValueAreNoSignOfAValueThatStays() throws {
        let steps = """
            key blob: Data
                security  none
                formerly  recommended
            key neverSealed: Data
                security    none
                serializer  data

            phone set blob base64("aGVsbG8=")
            phone overrides sync of neverSealed with automaticSmall
            watch overrides sync of neverSealed with automaticSmall
            phone set neverSealed base64("iUxERQFoZWxsbyB3b3JsZCwgdGhpcyBpcyBteSBkYXRh")
            settle
            """
        let violation = try run(steps)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
        #expect(ScenarioValue.data(Data("say hello".utf8)).tells(.data(Data("hello".utf8))))
        #expect(ScenarioValue.data(Data("say hello".utf8)).tells(.string("hello")))
        #expect(ScenarioValue.string("say hello").tells(.data(Data("hello".utf8))))
        #expect(ScenarioValue.string("aGVsbG8=").tells(.data(Data("hello".utf8))))
        #expect(!ScenarioValue.data(Data("say hell".utf8)).tells(.data(Data("hello".utf8))))
        #expect(!ScenarioValue.string("say hell").tells(.data(Data("hello".utf8))))
        #expect(!ScenarioValue.data(Data("hello".utf8)).tells(.data(Data())))
    }

    /// A widget without the access group has master keys of its own, which the app neither sees nor retires.
    @Test func whatTheWidgetHasForItselfIsNotRetired() throws {
        let key = "key score: Int\n    domain appGroupFileSystem \"group.com.example\" documents\n\n"
        #expect(try run(key + "phone widget launch\nphone set score 1\nphone widget set score 1\nphone retire keys") == nil)
    }

    /// An envelope of any kind is not enough: here the app that runs has sealed otherwise than the one that is looked for.
    @Test(
        arguments: [
            ("aes256 hkdf", true), ("aes256 hkdf salt base64(\"c2FsdA==\")", false), ("aes256 hkdf info base64(\"aW5mbw==\")", false),
            ("aes256 pbkdf2 iterations 1000", false), ("chacha20Poly1305 hkdf", false), ("external \"remote.1\" hkdf", false),
        ],
        ["userDefaults", "keychain", "fileSystem documents", "fileSystem caches"])
    func whatIsSealedIsAsDeclared(_ declared: (policy: String, isKept: Bool), in domain: String) throws {
        func made(_ policy: String) throws -> ScenarioRun {
            let text =
                "# A secret.\n\nkey pin: String\n    domain    \(domain)\n    security  encrypted \(policy)\n\nphone set pin \"0000\"\n"
            let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
            let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
            return ScenarioRun(
                scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        }
        let (run, other) = (try made("aes256 hkdf"), try made(declared.policy))
        defer {
            run.simulation.shutDown()
            other.simulation.shutDown()
        }
        #expect(try run.begin { true })
        let reference = KeyReference(index: 0, identifier: "pin")
        let key = CheckedKey(other.scenario.keys[0], at: reference, binding: other.keys[reference], among: other.scenario.keys)
        var keeper = InvariantChecker(keys: [key], untold: [], knobs: run.scenario.knobs, start: run.scenario.start)
        let observations = try run.observe(run.scenario.steps[0].action)
        #expect(keeper.note(observations, step: 0, at: run.simulation.now) == nil)
        let check = ProtectionCheck(
            device: run.simulation.phone, step: 1, bundleIdentifier: run.simulation.options.bundleIdentifier)
        #expect(try check.check(keeper)?.invariant == (declared.isKept ? nil : .secrecy))
    }

    /// What an app was told of its old master keys is what there is.
    @Test func aRetirementIsWhatTheKeychainShows() {
        typealias Finding = RetirementCheck.Finding
        #expect(Finding(kept: 1, retired: 1, old: 1).contradiction == nil)
        #expect(Finding(kept: 0, retired: 1, old: 1).contradiction?.contains("0 old master keys of its own were kept") == true)
        #expect(Finding(kept: 1, retired: 0, old: 0).contradiction != nil)
        #expect(Finding(kept: 0, retired: 1, old: 0, keyOfGroup: "score").contradiction?.contains("'score' lies in an App Group") == true)
        #expect(Finding(kept: 1, retired: 0, old: 1, keyOfGroup: "score").contradiction == nil)
        #expect(
            Finding(kept: 0, retired: 1, old: 0, remembered: ["new", "old"], all: ["new"]).contradiction?.contains("in memory") == true)
        #expect(Finding(kept: 0, retired: 1, old: 0, remembered: ["new", "new"], all: ["new", "primary"]).contradiction == nil)
    }

    // MARK: Migrations

    /// A removal leaves an old value where another key is to get it, and a migration that the app asks for brings it.
    @Test func aMigrationThatIsAskedForMayBringARemovedValueBack() throws {
        let steps = """
            key surname: String
                domain    fileSystem documents
                security  none
                migrates  from oldFullName
            key initials: String
                domain    fileSystem documents
                security  none
                migrates  from oldFullName by uppercasing
            key oldFullName: String
                domain    fileSystem documents
                security  none
                until     0.9

            watch plant oldFullName "first"
            watch remove surname
            watch migrate surname
            settle
            watch get surname
            """
        #expect(try run(steps) == nil)
    }

    // MARK: Preferences that a power loss takes

    /// What was planted beside a value of preferences comes to light when a power loss takes that.
    @Test func whatAnEarlierVersionLeftMayBeFoundAfterAPowerLoss() throws {
        let steps = """
            key accent: String
                security  none
                sync      automaticSmall
                migrates  from oldAccent
            key oldAccent: String
                domain    fileSystem documents
                security  none
                until     0.9

            phone set accent "first"
            phone plant oldAccent "second"
            phone power loss
            phone power on
            phone unlock
            phone launch
            settle
            phone get accent
            """
        #expect(try run("knob preferences.writtenWithin 1h\n" + steps) == nil)
        #expect(try run(steps.replacing("phone power loss\nphone power on", with: "phone relaunch")) == nil)
    }

    // MARK: Locks

    @Test func anAppThatWaitsForItsNextLaunchIsNamed() throws {
        let steps = """
            key code: String
                domain    keychain
                security  keychain whenUnlocked
                sync      automaticSmall

            phone lock
            wait 30s
            watch set code "first"
            settle
            phone unlock
            settle
            """
        #expect(try run(steps) == nil)
        #expect(try run(steps, options: careless("what arrived while the device was locked"))?.invariant == .convergence)
    }

    // MARK: Smaller forms

    @Test func aSmallerFormIsNoValueOfThePhone() throws {
        let steps = """
            key photo: String
                domain      fileSystem documents
                security    none
                sync        automaticSmall
                watch form  first 3

            phone set photo "amber"
            settle
            watch get photo
            watch relaunch
            settle
            phone get photo
            """
        #expect(try run(steps) == nil)
        #expect(try run(steps, options: careless("a smaller form is taken"))?.invariant == .durability)
    }

    // MARK: Values too large to travel

    /// What is expected then is expected of the device that has the value: the other one has none, as it should.
    @Test(arguments: [DeviceID.phone, .watch]) func whatStaysAfterItsRemovalIsNamedOfItsDevice(device: DeviceID) throws {
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + "settle\n"])).scenarios.first)
        let run = ScenarioRun(scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let theme = KeyReference(index: 0, identifier: "theme")
        let key = CheckedKey(scenario.keys[1], at: theme, binding: run.keys[theme], among: [scenario.keys[1]])
        var checker = InvariantChecker(keys: [key], knobs: scenario.knobs)
        let large = ScenarioValue.string(String(repeating: "x", count: 100_001))
        let other: DeviceID = device.isPhone ? .watch : .phone
        let place = checker.place(of: key, on: .phone)
        for (value, writer) in [(large, device), (.string("short"), other), (nil, other)] {
            checker.histories[place].acknowledge(checker.histories[place].begin(value, on: writer, step: 0))
            checker.histories[place].tellVersions()
        }
        let violation = checker.converge(key, phone: device.isPhone ? large : nil, watch: device.isPhone ? nil : large, on: .watch, step: 1)
        #expect(violation?.invariant == .removal)
        #expect(violation?.expectation?.condition == .value(device, theme, .missing))
    }

    // MARK: Items of other code

    /// Of two of them nothing says which is the later one; of one alone that it is older than what an app sets. What could not be done left none.
    @Test func ofItemsInTwoKeychainsNothingIsPromised() throws {
        let text = "# A.\n\nkey token: String\n    domain    keychain\n    sync      automaticSmall\n\nsettle\n"
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": text])).scenarios.first)
        let run = ScenarioRun(scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let token = KeyReference(index: 0, identifier: "token")
        let key = CheckedKey(scenario.keys[0], at: token, binding: run.keys[token], among: scenario.keys)
        var checker = InvariantChecker(keys: [key], knobs: scenario.knobs)
        func plant(on device: DeviceID, _ result: StepObservation.Result = .done) {
            let action = ScenarioStep.Action.data(DataStep(device, .plant(token, .string("\(device)"))))
            #expect(checker.note([StepObservation(action: action, result: result)], step: 0, at: .start) == nil)
        }
        plant(on: .phone)
        plant(on: .watch, .impossible("the device is off"))
        plant(on: .phone)
        #expect(checker.spoiled.isEmpty)
        plant(on: .watch)
        #expect(checker.spoiled == [0])
    }

    // MARK: Lies

    /// After any lie nothing is promised of synced values; what is true, with more beside it, takes no promise back.
    @Test(arguments: CounterpartLie.allCases) func onlyALieTakesPromisesBack(lie: CounterpartLie) throws {
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + "settle\n"])).scenarios.first)
        let run = ScenarioRun(scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let theme = KeyReference(index: 1, identifier: "theme")
        let key = CheckedKey(scenario.keys[1], at: theme, binding: run.keys[theme], among: scenario.keys)
        for carrier in LieCarrier.allCases {
            var checker = InvariantChecker(keys: [key], knobs: scenario.knobs)
            let action = ScenarioStep.Action.fault(FaultStep(.phone, .lie(lie, by: carrier)))
            checker.noteLies(StepObservation(action: action, result: .done), isAlone: true)
            #expect(checker.lies.wereTold == (lie != .additions), "\(carrier)")
            #expect(checker.lies.mayConcern(theme) == (lie != .additions), "\(carrier)")
        }
    }

    // MARK: Operations of one instant

    /// - Parameter last: A step of its own after them, in the same instant.
    private func overlap(_ steps: [(DataStep.Action, Int, Int, ReadObservation)], last: StepObservation? = nil) throws -> Violation? {
        let compilation = ScenarioCompiler.compile(
            path: "a",
            files: .memory(["a": Self.keys.replacing("fileSystem documents", with: #"appGroupFileSystem "group.a" documents"#) + "settle\n"]
            ))
        let scenario = try #require(compilation.scenarios.first)
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let keys = scenario.keys.indices.map { index in
            let reference = KeyReference(index: index, identifier: scenario.keys[index].identifier)
            return CheckedKey(scenario.keys[index], at: reference, binding: run.keys[reference], among: scenario.keys)
        }
        var check = OverlapCheck()
        let conclusions = steps.map { action, began, ended, found in
            (found.began, found.ended) = (began, ended)
            return StepObservation(action: .data(DataStep(.phone, action)), result: .done, found: found)
        }
        let checker = InvariantChecker(keys: keys, knobs: scenario.knobs)
        let violation = check.note(conclusions, step: 0, at: .start, in: checker)
        guard violation == nil, let last else { return violation }
        return check.note([last], step: 1, at: .start, in: checker)
    }

    private let place = KeyReference(index: 0, identifier: "place")

    private func read(_ text: String) -> ReadObservation {
        let found = ReadObservation()
        found.value = .string(text)
        return found
    }

    @Test func operationsThatOverlapMayComeInAnyOrder() throws {
        for text in ["a", "b"] {
            let violation = try overlap([
                (.set(place, .string("a")), 1, 4, ReadObservation()), (.set(place, .string("b")), 2, 3, ReadObservation()),
                (.get(place), 5, 6, read(text)),
            ])
            #expect(violation == nil, "\(violation?.explanation ?? [])")
        }
    }

    @Test func whatNoOrderExplainsIsABreach() throws {
        // "a" was over before "b" began.
        let violation = try overlap([
            (.set(place, .string("a")), 1, 2, ReadObservation()), (.set(place, .string("b")), 3, 4, ReadObservation()),
            (.get(place), 5, 6, read("a")),
        ])
        #expect(violation?.invariant == .linearizability)
        #expect(violation?.explanation.first == "no order of these operations of phone on 'place' gives their answers")
        #expect(violation?.explanation.last == "from 5 to 6: get, which gave \"a\"")
    }

    /// Who read it is who is expected to read something else: the app, or its widget.
    @Test(arguments: [AppPart.app, .widget]) func whatAPartReadIsExpectedOfThatPart(part: AppPart) throws {
        let found = read("c")
        (found.began, found.ended) = (5, 6)
        let last = StepObservation(action: .data(DataStep(.phone, in: part, .get(place))), result: .done, found: found)
        let violation = try overlap(
            [(.set(place, .string("a")), 1, 4, ReadObservation()), (.set(place, .string("b")), 2, 3, ReadObservation())], last: last)
        let text = violation?.expectation.map { ScenarioStep.Action.expect($0).notation }
        #expect(
            text == (part == .app ? "expect phone place \"a\" or \"b\"" : "expect phone widget place \"a\" or \"b\""),
            "\(String(describing: violation))")
    }

    // MARK: What was switched on

    private static let found = """
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock

        watch terminate
        watch plant token "first"
        watch launch
        phone set token "second"
        watch overrides sync of token with automaticSmall
        phone overrides sync of token with automaticSmall
        settle
        phone sync
        watch sync
        settle
        """

    /// No device has a version of what was set before: neither comes after the other.
    @Test func ofTwoValuesFromBeforeTheirSyncEitherMayWin() throws {
        let violation = try run(Self.found)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// … but both devices have one of them in the end, and what is set from then on.
    @Test func whatIsSwitchedOnMustConvergeAndLast() throws {
        #expect([.convergence, .durability].contains(try run(Self.found, options: .keepingFirst("token"))?.invariant))
        let later = Self.found + "\nphone set token \"third\"\nsettle\n"
        #expect(try run(later) == nil)
        #expect([.convergence, .durability].contains(try run(later, options: .keepingFirst("token"))?.invariant))
    }

    // MARK: What was switched off

    @Test func whatIsSetAfterItsSyncWasSwitchedOffMustNotArrive() throws {
        let steps = """
            phone overrides sync of theme with never
            phone relaunch
            phone set theme "private"
            settle
            watch get theme
            """
        #expect(try run(steps) == nil)
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            changed.forgetChoices()
            return changed
        }
        let violation = try run(steps, options: options)
        #expect(violation?.invariant == .confinement && violation?.key == "theme" && violation?.device == .watch)
    }

    /// Each watch has choices of its own: what was chosen on one, the audit of the other says nothing of.
    @Test func whatIsChosenOnOneWatchIsNoneOfTheOther() throws {
        let source = """
            # Two watches.

            start second watch

            key theme: String
                security  none
                sync      automaticSmall
                until     1.9

            watch overrides sync of theme with never
            settle
            watch2 get theme
            """
        let scenario = try #require(ScenarioCompiler.compile(path: "a", files: .memory(["a": source])).scenarios.first)
        let violation = CheckedRun.run(scenario).violation
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// Whether "private" must not be read on the watch after these steps.
    private func isKept(_ steps: String) throws -> Bool {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + steps + "\n"]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        let keys = scenario.keys.indices.map { index in
            let reference = KeyReference(index: index, identifier: scenario.keys[index].identifier)
            return CheckedKey(scenario.keys[index], at: reference, binding: run.keys[reference], among: scenario.keys)
        }
        var kept = KeptBack()
        for step in scenario.steps { kept.note([StepObservation(action: step.action, result: .done)], keys) }
        return kept.isKept(.string("private"), of: keys[1], from: .watch)
    }

    @Test func whatWasOutOfRangeWhenItWasSwitchedOffMustNotArrive() throws {
        let (set, off) = ("phone set theme \"private\"", "phone overrides sync of theme with never")
        #expect(try isKept([off, set].joined(separator: "\n")))
        #expect(try isKept(["link down", set, off, "settle", "link up"].joined(separator: "\n")))
        for steps in [
            [set, off], [set, "link down", off, "settle"], ["link down", set, off, "link up", "settle"],
            ["link down", set, "link up", "link down", off, "settle"], [off, set, "phone clears override of theme"],
            [off, set, "watch set theme \"private\""], ["phone disk fails every write with EIO", "link down", set, off, "settle"],
        ] {
            #expect(try !isKept(steps.joined(separator: "\n")), "\(steps)")
        }
    }

    // MARK: The audit

    @Test func anAuditThatOverlooksAValueIsABreach() throws {
        let hiding = RunOptions.altering { AlteredFileSystem(base: $0, hides: { $0.hasSuffix("/place") }) }
        let violation = try run("phone set place \"here\"\nsettle", options: hiding)
        #expect(violation?.invariant == .audit)
        #expect(violation?.explanation == ["the audit of phone says 'place' is missing and 6 bytes lie there"])
    }

    @Test func anAuditThatMiscountsIsABreach() throws {
        let padding = RunOptions.altering { AlteredFileSystem(base: $0, appends: { Data(($0.hasSuffix("/place") ? " " : "").utf8) }) }
        let violation = try run("phone set place \"here\"\nsettle", options: padding)
        #expect(violation?.invariant == .audit)
        #expect(violation?.explanation == ["the audit of phone says 'place' takes 7 bytes and 6 bytes lie there"])
    }

    /// In the midst of a run, too, and whatever it says.
    @Test func anAuditThatChangesSomethingIsABreach() throws {
        let settling = RunOptions.altering { AlteredFileSystem(base: $0, settlesWhatItLists: true) }
        let violation = try run("phone set place \"here\"\nphone audit\nphone terminate", options: settling)
        #expect(violation?.invariant == .audit && violation?.step == 1)
        let explanation = violation?.explanation.first ?? ""
        #expect(explanation.hasPrefix("the audit of phone made ") && explanation.hasSuffix(" operations that can change what is stored"))
        #expect(try run("phone set place \"here\"\nsettle", options: settling)?.step == 2)
    }

    @Test func anAuditThatTellsTheTruthIsNone() throws {
        #expect(try run("phone set place \"here\"\nwatch set theme \"dark\"\nphone audit\nsettle") == nil)
    }

    // MARK: Rest

    /// Answers each context with another one.
    private final class EchoingApp: NSObject, SimulatedApp, WCSessionDelegate {
        func didFinishLaunching(inBackground: Bool) async {
            WCSession.default.delegate = self
            WCSession.default.activate()
        }

        func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
            try? session.updateApplicationContext(["count": 1])
        }

        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
            try? session.updateApplicationContext(["count": (applicationContext["count"] as? Int ?? 0) + 1])
        }

        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) {}
    }

    @Test func appsThatAnswerEachOtherForEverAreABreach() throws {
        var options = RunOptions()
        options.makeApp = { _ in EchoingApp() }
        let violation = try run("settle", options: options)
        #expect(violation?.invariant == .quiet)
        #expect(
            violation?.explanation == ["more than \(QuiescenceMonitor.contextAllowance) contexts were sent while nothing else happened"])
    }

    /// Also where one of them does not know what it is sent: only a new meeting is a reason to send it again.
    @Test(arguments: [true, false]) func anEchoIsOneWhoeverKnowsItsKeys(isUnheard: Bool) throws {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + "settle\n"]))
        let scenario = try #require(compilation.scenarios.first)
        var options = RunOptions()
        options.makeApp = { _ in EchoingApp() }
        let run = ScenarioRun(scenario, schedule: CrashSchedule(scenario), seed: 1, options: options, root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        var monitor = QuiescenceMonitor()
        monitor.isUnheard = isUnheard
        let hasBegun = try run.begin {
            if case .feedbackLoop = try monitor.pass(run, step: 0) { false } else { true }
        }
        #expect(!hasBegun)
    }

    /// Contexts that somebody's steps set off are no echo, however many there are.
    @Test func manyStepsAreNoEcho() throws {
        let steps = (0..<(QuiescenceMonitor.contextAllowance + 6)).map { "phone set theme \"theme \($0)\"\nwait 1s" }
        #expect(try run(steps.joined(separator: "\n")) == nil)
    }
}
