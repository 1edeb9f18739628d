import DeviceSim
import DeviceSimCore
import DeviceSimLanguage
import Testing

@testable import DeviceSimSearch

/// Values that an update makes of others are held against the last that was set of those.
@Suite struct MadeValuesTests {
    private static let keys = """
        key given: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
            until     1.9
        key family: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            until     1.9
        key givenLater: String
            domain    keychain service "later"
            security  keychain afterFirstUnlock
            sync      automaticSmall
            since     2.0
            until     2.9
            migrates  from given
        key familyLater: String
            name      "family"
            domain    fileSystem caches
            security  none
            sync      automaticSmall
            since     2.0
            until     2.9
            migrates  from family
        key person: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            since     3.0
            migrates  from givenLater and familyLater by joining


        """

    private static func run(_ steps: String, options: RunOptions = RunOptions()) throws -> Violation? {
        let text =
            Self.keys + steps
            + "\nwatch update to 3.0\nwatch launch\nphone update to 3.0\nphone launch\nsettle\nphone sync\nwatch sync\nsettle\n"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"), options: options).violation
    }

    private static let edited = """
        phone set given "Ada"
        phone set family "Byron"
        settle
        watch set given "Augusta"
        settle
        """

    /// The keychain keeps the first value that a key had: what an update makes of it is made of an earlier one.
    @Test func theLastOfEachPartCounts() throws {
        #expect(try Self.run(Self.edited) == nil)
        let violation = try Self.run(Self.edited, options: .keepingFirst("given"))
        #expect(violation?.invariant == .durability && violation?.key == "person")
        #expect(violation?.explanation.last?.contains("\"Augusta Byron\"") == true, "\(violation?.explanation ?? [])")
    }

    /// So it does where one device is updated, and the other one has not heard of it.
    @Test func anEditOfAnEarlierVersionCounts() throws {
        let steps = Self.edited + "\nphone update to 3.0\nphone launch\nsettle\nwatch set given \"Countess\"\nsettle\n"
        #expect(try Self.run(steps) == nil)
        let violation = try Self.run(steps, options: .keepingFirst("givenLater"))
        #expect(violation == nil, "what the key of the version between has does not matter here")
        #expect(try Self.run(steps, options: .keepingFirst("given"))?.key == "person")
    }

    /// Of what more has happened nothing is held: a part was removed, both set a part while neither knew of it, somebody set the whole, or a device lost its power.
    @Test(arguments: [
        "phone remove given", "phone set given \"Eve\"\nwatch set family \"Noel\"",
        "phone power loss\nphone power on\nphone unlock\nphone launch",
        "phone update to 3.0\nphone launch\nphone set person \"Ada Lovelace\"",
    ])
    func otherRunsAreNotHeld(_ steps: String) throws {
        #expect(try Self.run(Self.edited + "\n" + steps) == nil)
        #expect(try Self.run(Self.edited + "\n" + steps + "\n", options: .keepingFirst("given")) == nil)
    }

    /// Nor of keys that share a place or a name with others, are made under conditions, of parts that do not travel, or of what another key is made of, too.
    @Test(arguments: [
        ("    migrates  from givenLater and familyLater by joining", "    migrates  from givenLater and familyLater by agreeing"),
        ("key person: String", "key other: String\n    name  \"family\"\n    domain  keychain\n\nkey person: String"),
        (
            "key person: String",
            "key other: String\n    security  none\n    since  3.0\n    migrates  from familyLater by uppercasing\n\nkey person: String"
        ),
        ("    since     3.0\n", "    since     3.0\n    migrates  when version at least 4.0\n"),
        ("    sync      automaticSmall\n    since     3.0\n", "    since     3.0\n"),
    ])
    func otherKeysAreNotHeld(_ text: String, _ replacement: String) throws {
        func wholes(_ keys: String) throws -> Set<Int> {
            let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": keys + "settle\n"]))
            let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
            return MadeValues(of: scenario.keys, untold: UntoldKeys.among(scenario.keys, in: scenario), deviceCount: 2).wholes
        }
        #expect(try wholes(Self.keys) == [4])
        #expect(try wholes(Self.keys.replacing(text, with: replacement)).isEmpty)
    }

    /// What a search draws of such values is taken by the language, and is held.
    @Test func drawnWorldsAreHeld() throws {
        var random = SeededGenerator(seed: 20_261_130)
        var shapes: [Int: Int] = [:]
        for _ in 0..<200 {
            let chain = JoinedChain(&random)
            let world = try #require(chain.world, "refused:\n\(chain.source)")
            let untold = UntoldKeys.among(world.keys, in: world)
            let made = MadeValues(of: world.keys, untold: untold, deviceCount: 2)
            #expect(!made.wholes.isEmpty, "\(chain.source)")
            shapes[world.keys.count, default: 0] += 1
        }
        #expect(shapes.count > 4, "\(shapes)")
    }

    /// Of the runs over such values every second has days on which nothing else happens.
    @Test func everySecondRunIsCalm() throws {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + "settle\n"]))
        let scenario = try #require(compilation.scenarios.first)
        let generator = RunGenerator(world: SearchSpace(scenario), seed: 5, maximumSteps: 24, strategies: [.fifo])
        let calm = (0..<200).filter { CalmDays(of: scenario, SeededGenerator(seed: UInt64($0))).isOn }
        #expect((60...140).contains(calm.count))
        let quiet = (0..<100).map(generator.draw).filter { Set($0.faultKinds).isSubset(of: CalmDays.kinds) }
        #expect(quiet.count > 15, "not all are about these keys")
    }
}
