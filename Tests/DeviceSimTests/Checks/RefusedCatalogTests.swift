import DeviceSim
import LocalData
import Testing

@testable import DeviceSimCore
@testable import DeviceSimRunner
@testable import DeviceSimSearch

/// What an app is not blamed for whose catalog LocalData refuses, and what it is blamed for all the same.
@Suite struct RefusedCatalogTests {
    private static let refused = """
        key draft: String
            domain    encryptedFileSystem documents
            security  none

        """

    private func scenario(_ source: String) throws -> Scenario {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": "# A refused catalog.\n\n\(source)\n"]))
        return try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
    }

    private func run(_ source: String, options: RunOptions = RunOptions()) throws -> Violation? {
        CheckedRun.run(try scenario(source), options: options).violation
    }

    @Test(arguments: [
        "key good: String\n    security none\n    sync automaticSmall\n\nphone set good \"first\"\nsettle",
        "key own: String\n    domain fileSystem documents\n\nphone set own \"first\"\nphone rotate keys",
        """
        key before: String
            name      "token"
            domain    fileSystem documents
            security  none
            until     1.9
        key token: String
            domain    fileSystem documents
            formerly  none
            since     2.0
        start phone version 1.9

        phone set before "first"
        phone update to 2.0
        phone launch
        phone reseal values
        settle
        phone get token
        """,
        """
        key new: String
            domain    fileSystem documents
            security  none
            migrates  from old
        key old: String
            domain    fileSystem documents
            security  none
            until     0.9

        phone set new "first"
        phone plant old "second"
        phone relaunch
        settle
        """,
        """
        key theme: String
            security  none
            sync      automaticSmall

        knob reachability.flapAfter 20s
        knob reachability.flapEndsByItself true

        phone set theme "first"
        wait 1h
        """,
    ]) func whatTakesARegisteredCatalogIsNotAsked(steps: String) throws {
        let violation = try run(Self.refused + steps)
        #expect(violation == nil, "\(violation?.explanation ?? [])")
    }

    /// A secret that syncs, of which the watch keeps the first value.
    private static let token = """
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall

        phone set token "first"
        settle
        phone set token "second"
        settle
        """

    private static let versions: [(how: String, isHeld: Bool)] = [
        ("", false), ("    until 0.9\n", true), ("    since 2.0\n", true), ("    catalog Other\n", true),
    ]

    /// An app that has its catalog, or the key in another one, is held to all: also beside a version that has not.
    @Test(arguments: versions.indices) func whatIsRegisteredMustSync(number: Int) throws {
        let (how, isHeld) = Self.versions[number]
        let options = RunOptions.forWatch(.keepingFirst("token"))
        let source = Self.refused + how + Self.token
        #expect(try run(source) == nil)
        #expect((try run(source, options: options) != nil) == isHeld)
    }

    /// … and again once an update has brought one in order.
    @Test func afterAnUpdateItMustSync() throws {
        let source =
            Self.refused + "    until 1.0\n" + Self.token
            + "\nphone update to 1.1\nwatch update to 1.1\nphone launch\nwatch launch\nsettle\nphone set token \"third\"\nsettle"
        #expect(try run(source) == nil)
        #expect(try run(source, options: .forWatch(.keepingFirst("token")))?.invariant == .convergence)
    }

    /// The rest takes no catalog.
    @Test func whatTakesNoCatalogIsHeldAgainstIt() throws {
        let steps = "\nphone get token"
        #expect(try run(Self.refused + Self.token + steps) == nil)
        #expect(try run(Self.refused + Self.token + steps, options: .keepingFirst("token"))?.invariant == .durability)
    }

    // MARK: Kinds of names

    private static func positions(in catalogs: (String, String), others: String = "") -> String {
        let keys = [("posA", "pos_1", catalogs.0), ("posB", "pos_2", catalogs.1)].map { identifier, name, catalog in
            "key \(identifier): Double\n    name \"\(name)\"\n    security none\n    sync automaticSmall\n    catalog \(catalog)\n    listed as \"pos_<id>\"\n"
        }
        return keys.joined() + others
    }

    /// Names of one kind are one entry of a catalog, and two catalogs that have it cannot both be registered.
    @Test func aKindOfNamesIsListedInOneCatalog() throws {
        let feed = "key feed: String\n    security none\n    sync automaticSmall\n    catalog Reading\n"
        let steps = "phone set feed \"first\"\nsettle"
        let apart = try scenario(Self.positions(in: ("Account", "Reading"), others: feed) + steps)
        #expect(try isRefused(apart))
        let problems = CatalogProblems.among(apart.keys, in: .first)
        #expect(problems.map(\.catalog) == ["Reading"] && problems.first?.problems == ["'pos_<id>' is listed twice"], "\(problems)")
        // What is refused for that reason does not sync, and nobody is blamed.
        #expect(CheckedRun.run(apart).violation == nil)
        let together = try scenario(Self.positions(in: ("Account", "Account"), others: feed) + steps)
        #expect(try !isRefused(together) && CatalogProblems.among(together.keys, in: .first).isEmpty)
    }

    /// A search deals the keys of an app out to catalogs, and never those of one kind to two.
    @Test func aSearchKeepsThemTogether() throws {
        let scenario = try scenario(Self.positions(in: ("Scenario", "Scenario")) + "settle")
        for seed in 0..<200 as Range<UInt64> {
            let drawn = CatalogChoice.drawn(for: scenario, SeededGenerator(seed: seed))
            #expect(Set(drawn.keys.compactMap { $0.declaration?.catalog }).count == 1)
        }
    }

    /// What is found in such a run begins with what was refused.
    @Test func aFindSaysFirstWhatWasRefused() throws {
        let violation = try run(Self.refused + Self.token + "\nphone get token", options: .keepingFirst("token"))
        #expect(
            violation?.sentences.first?.hasPrefix("LocalData refused the catalog 'Scenario' of the app on the phone (invalidCatalog)")
                == true)
        #expect(violation?.sentences.last == violation?.explanation.last)
        #expect(try run(Self.token + "\nphone get token", options: .keepingFirst("token"))?.refusedCatalogs == [])
    }

    // MARK: Why

    private func isRefused(_ scenario: Scenario) throws -> Bool {
        CheckedRun.run(scenario, options: RunOptions()).trace.events.contains { $0["error"] == .text("invalidCatalog") }
    }

    /// What the declarations say and what LocalData does are one.
    @Test(arguments: [
        (refused, true), ("key bad: Data\n    name \"drawings/one\"\n    domain fileSystem documents\n", true),
        ("key bad: String\n    owner \" \"\n", true), ("key bad: String\n    description \"\"\n", true),
        ("key bad: String\n    name \"a/b\"\n    domain userDefaults\n", false), ("key bad: String\n", false),
    ]) func theDeclarationsSayWhatIsRefused(keys: String, isBad: Bool) throws {
        let scenario = try scenario("\(keys)\nsettle")
        let problems = CatalogProblems.among(scenario.keys, in: .first)
        #expect(try isRefused(scenario) == isBad)
        #expect(problems.isEmpty == !isBad)
        #expect(SearchSpace(scenario).refusedCatalogs.map(\.catalog) == (isBad ? ["Scenario"] : []))
    }

    /// Two keys of one name that only earlier versions of the app had, where a migration finds what they left, are in no catalog of an app that runs.
    @Test func versionsThatRunNowhereAreNotLookedAt() throws {
        let old = (1...2).map { "key old\($0): String\n    name \"old\"\n    domain userDefaults suite \"s\($0)\"\n    until 0.9\n" }
        #expect(try SearchSpace(scenario("\(old.joined())\n\(Self.token)\nsettle")).refusedCatalogs.isEmpty)
        #expect(try #require(SearchSpace.builtIn).refusedCatalogs.isEmpty)
    }

    /// An app whose catalog is refused for no reason is not let off.
    @Test(arguments: [true, false]) func aRefusalForNoReasonIsNotHeeded(hasReason: Bool) throws {
        let scenario = try scenario((hasReason ? Self.refused : "") + Self.token)
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        try run.begin()
        run.simulation.device(.phone)?.record(
            .log, .init("while", .text("register Scenario")), .init("error", .text("invalidCatalog")))
        var refused = RefusedCatalogs(scenario)
        refused.look(at: run)
        #expect(refused.isComplete(on: .phone) == !hasReason)
    }
}

extension RunOptions {
    /// The same for the apps of the watch alone.
    fileprivate static func forWatch(_ options: RunOptions) -> RunOptions {
        var adapted = options
        let adapt = options.adaptEnvironment
        adapted.adaptEnvironment = { device, environment in
            environment.device.role == .watch ? adapt?(device, environment) ?? environment : environment
        }
        return adapted
    }
}
