import DeviceSim
import Testing

/// Which faults of a run no operation came to.
struct UntriggeredFaultTests {
    private static let key = "# X.\n\nkey note: String\n    domain    fileSystem documents\n    security  none\n\n"

    private static let synced = "key theme: String\n    security  none\n    sync      automaticSmall\n\n"

    private func result(_ lines: String, header: String = "", files: [String: String] = [:]) throws -> ScenarioResult {
        let text = Self.key.replacing("# X.\n", with: "# X.\n" + header) + lines + "\n"
        let compilation = ScenarioCompiler.compile(
            path: "a.scenario", files: .memory(files.merging(["a.scenario": text]) { $1 }))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        return ScenarioRunner.run(scenario)
    }

    @Test(arguments: [
        // Two faults that hit one operation: it fails by the first.
        ("phone disk fails next rename with EIO\nphone disk fails next rename with ENOSPC\nphone set note \"a\" fails inputOutput", [8]),
        // The second one fails what comes later.
        (
            "phone disk fails next rename with EIO\nphone disk fails every rename with ENOSPC\nphone set note \"a\" fails inputOutput\nphone set note \"b\" fails noSpace",
            []
        ),
        ("watch crashes while receiving\nsettle", [7]),
        ("watch crashes while receiving\nphone transfer user info {\"n\": 1}\nsettle", []),
        (synced + "phone set theme \"a\"\nsettle\nwatch is lied to about counters by next reply\nsettle", [13]),
        (synced + "phone set theme \"a\"\nsettle\nwatch is lied to about counters by next reply\nwatch request snapshot\nsettle", []),
    ])
    func areThose(_ lines: String, _ expected: [Int]) throws {
        let result = try result(lines)
        #expect(result.outcome.failure == nil)
        #expect(result.untriggeredFaults.map(\.line) == expected)
    }

    /// A canary that fails as it must has come to its last step, and a fault that it is there for may have done nothing.
    @Test func ofACanaryToo() throws {
        let lines = "phone disk fails rename 90 with EIO\nphone set note \"a\"\nexpect phone note \"b\""
        #expect(try result(lines, header: "# Canary: 1\n").untriggeredFaults.map(\.line) == [8])
        #expect(try result(lines).untriggeredFaults.isEmpty)
    }

    /// A line that stands in many runs is told by what it was in this one.
    @Test func tellValuesAndIncludes() throws {
        let inner = "parameter n\nphone disk fails rename $n with EIO\n"
        let result = try result(
            "let m = 70\ninclude \"x/b.inc\" with n 80\nphone disk fails rename $m with EIO\nphone set note \"a\"",
            files: ["x/b.inc": "parameter n\ninclude \"c.inc\" with n $n\n", "x/c.inc": inner])
        #expect(
            result.untriggeredFaults.map(\.description) == [
                "x/c.inc:2: phone disk fails rename $n with EIO (phone disk fails rename 80 with EIO), included in x/b.inc:2, included in a.scenario:8",
                "a.scenario:9: phone disk fails rename $m with EIO (phone disk fails rename 70 with EIO)",
            ])
    }
}
