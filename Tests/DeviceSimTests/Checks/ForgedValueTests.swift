import DeviceSim
import DeviceSimLanguage
import Testing

@testable import DeviceSimSearch

/// Somebody puts a value where LocalData would not, as a mistake of its own might. The checks must say so.
@Suite struct ForgedValueTests {
    private static let volume = """
        key volume: Int
            domain    fileSystem documents
            security  none
            sync      automaticSmall


        """

    private func check(_ source: String) throws -> CheckedResult {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": source]))
        return CheckedRun.covered(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"))
    }

    /// The last line is what somebody forges, or follows that.
    private func expect(_ invariant: Invariant, _ source: String, forging lines: String) throws {
        #expect(try check(source).violation == nil)
        #expect(try check(source + "\n" + lines).violation?.invariant == invariant, "\(lines)")
    }

    // MARK: Versions of the app

    private static func chain(_ update: String) -> String {
        """
        key version1: String
            name      "value"
            security  none
            sync      automaticSmall
            until     1.9
        key version2: String
            name      "value"
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            since     2.0
            until     2.9
            migrates  from version1
        key version3: String
            name      "value3"
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            since     3.0
            migrates  from version2

        phone set version1 "first"
        settle
        phone update to \(update)
        phone launch
        watch update to \(update)
        watch launch
        settle
        phone set version\(update.prefix(1)) "second"
        settle
        phone get version\(update.prefix(1))
        """
    }

    /// An update is no step back, whatever a still later version of the app would do.
    @Test(arguments: [("2.0", "value"), ("3.0", "value3")])
    func anUpdateIsHeldToWhatItsDevicesKnow(_ version: String, _ file: String) throws {
        let key = "version\(version.prefix(1))"
        let forgery = "phone write file \"Documents/\(file)\" \"\\\"nobodyevercame\\\"\"\nphone get \(key)"
        try expect(.atomicity, Self.chain(version), forging: forgery)
    }

    /// A step back says nothing of what only a later version has, which never ran there.
    @Test func aStepBackMovesNothingOfAVersionToCome() throws {
        let back = "phone update to 1.5\nphone launch\nphone update to 1.0\nphone launch\n"
        let forgery = "phone write file \"Documents/value\" \"\\\"nobodyevercame\\\"\"\nphone get version2"
        try expect(.atomicity, Self.chain("2.0").replacing("phone update", with: back + "phone update"), forging: forgery)
    }

    /// What the later version has moved away the earlier one does not find.
    @Test func aStepBackMayLoseWhatWasMoved() throws {
        #expect(try check(Self.chain("3.0") + "\nphone update to 2.0\nphone launch\nphone get version2").violation == nil)
    }

    // MARK: At rest

    /// Nobody need have read a value for all to have it, once they came to rest.
    @Test(arguments: [
        ("phone set volume 2\nsettle", Invariant.durability, "watch write file \"Documents/volume\" \"1\"\nwatch get volume"),
        ("phone remove volume\nsettle", .removal, "watch write file \"Documents/volume\" \"1\"\nwatch get volume"),
        (
            "watch set volume 2\nsettle\nlink down", .durability,
            "phone write file \"Documents/volume\" \"1\"\nphone get volume"
        ),
        (
            "phone set volume 2\nsettle\nphone uninstall\nphone install\nphone launch\nsettle", .durability,
            "phone write file \"Documents/volume\" \"1\"\nwatch write file \"Documents/volume\" \"1\"\nphone get volume"
        ),
    ])
    func whatCameBeforeARestDoesNotComeBack(_ steps: String, _ invariant: Invariant, _ forgery: String) throws {
        try expect(invariant, Self.volume + "phone set volume 1\nsettle\n" + steps, forging: forgery)
    }

    /// What is wrong at a rest within the run is seen there, and not only where the end has put it right.
    @Test func aRestIsLookedAtWhereItIs() throws {
        let steps = Self.volume + "phone set volume 1\nsettle\nlink down\nphone set volume 2\nwatch set volume 3\nlink up\nsettle"
        let forged = steps + "\nwatch write file \"Documents/volume\" \"2\"\nphone write file \"Documents/volume\" \"3\"\nsettle"
        #expect(try check(steps + "\nphone set volume 4\nsettle").violation == nil)
        #expect(try check(forged + "\nphone set volume 4\nsettle").violation?.invariant == .convergence)
    }

    // MARK: Refusals, and what puts right what is not wrong

    /// What an app was told that it cannot set is no value.
    @Test func whatWasRefusedIsNoValue() throws {
        let steps =
            "phone set volume 1\nsettle\nphone reboot\nphone launch in background\nphone set volume 2\nphone unlock\nphone launch\nphone get volume"
        try expect(.atomicity, Self.volume + steps, forging: "phone write file \"Documents/volume\" \"2\"\nphone get volume")
    }

    /// The devices are held to convergence behind each of these as they are without.
    @Test(arguments: ["phone unlock", "phone disk works", "phone keychain works", "phone install", "phone sync"])
    func whatChangesNothingDisturbsNothing(_ step: String) throws {
        func count(_ steps: String) throws -> Int {
            let result = try check(Self.volume + "phone set volume 1\n\(steps)phone launch\nwatch launch\nsettle")
            #expect(result.violation == nil)
            return try #require(result.coverage).count(of: .checks, named: Invariant.convergence.rawValue)
        }
        #expect(try count("\(step)\n") == count(""))
        #expect(try count("phone disk fails next write with EIO\n") < count(""))
    }

    // MARK: What is left

    private static let plain = """
        key open: String
            domain    fileSystem documents
            security  none


        """

    /// Of what was removed nothing is left, be it of a value that is no secret; what is set again is there again.
    @Test(arguments: ["sevenletters", "xx sevenletters yy"])
    func whatIsLeftOfARemovedValueIsNamed(_ text: String) throws {
        let steps = Self.plain + "phone set open \"sevenletters\"\nsettle\nphone remove open\nsettle"
        try expect(.removal, steps, forging: "phone write file \"Library/residue\" \"\(text)\"")
        #expect(try check(steps + "\nphone set open \"sevenletters\"").violation == nil)
    }
}
