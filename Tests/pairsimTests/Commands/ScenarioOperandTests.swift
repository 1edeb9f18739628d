import DeviceSim
import Testing

@testable import PairsimTool

/// `FILE[ROW]`, `FILE:LINE` and `-` wherever scenario files are named.
struct ScenarioOperandTests {
    private static let rows = """
        # Rows.
        examples
            | value |
            | "a"   |
            | "b"   |
        key theme: String
            security  none

        phone set theme $value
        expect phone theme "a"

        """

    @Test(
        arguments: [
            ("a.scenario", "a.scenario", nil, nil), ("a.scenario[2]", "a.scenario", 2, nil), ("a.scenario:12", "a.scenario", nil, 12),
            ("a.scenario:12:3", "a.scenario", nil, 12), ("a.scenario[2]:12", "a.scenario", 2, 12), ("-", "-", nil, nil),
            ("a:b.scenario", "a:b.scenario", nil, nil), ("a.scenario:", "a.scenario:", nil, nil), ("a[x]", "a[x]", nil, nil),
            ("[2]", "[2]", nil, nil),
            ("a.scenario[0]", "a.scenario", 0, nil),
            ("a.scenario:0", "a.scenario", nil, 0), ("a:99999999999999999999", "a:99999999999999999999", nil, nil),
            (":7", "", nil, 7),
        ] as [(String, String, Int?, Int?)])
    func isRead(_ text: String, _ path: String, _ row: Int?, _ line: Int?) {
        let operand = ScenarioOperand(text)
        #expect(operand.path == path && operand.row == row && operand.line == line)
    }

    @Test func aFileOfThatVeryNameIsMeant() {
        #expect(ScenarioOperand("a:12") { $0 == "a:12" }.path == "a:12")
        #expect(ScenarioOperand("a[1]") { $0 == "a[1]" }.row == nil)
    }

    @Test(arguments: [
        ("rows.scenario", 1, "1 passed, 1 failed"), ("rows.scenario[1]", 0, "1 passed, 0 failed"),
        ("rows.scenario:4", 0, "1 passed, 0 failed"),
        ("rows.scenario:5", 1, "0 passed, 1 failed"), ("rows.scenario:9:1", 1, "1 passed, 1 failed"),
        ("rows.scenario[1] rows.scenario[2]", 1, "1 passed, 1 failed"), ("rows.scenario[1] rows.scenario", 1, "1 passed, 1 failed"),
        ("rows.scenario rows.scenario[1]", 1, "1 passed, 1 failed"),
    ])
    func rowsAreRun(_ operands: String, _ status: Int32, _ summary: String) {
        let ending = Bench.real(["rows.scenario": Self.rows]).run("run \(operands)")
        #expect(ending.status.rawValue == status && ending.output.contains(summary), "\(ending.output)")
    }

    @Test(arguments: [
        ("run rows.scenario:12", ExitStatus.cannotRun), ("run rows.scenario:99999:3", .cannotRun), ("list rows.scenario:12", .cannotRun),
        ("debug rows.scenario:12", .nothingSelected), ("run rows.scenario:0", .cannotRun), ("debug rows.scenario:0", .nothingSelected),
    ])
    func aLineThatIsNotThereIsSaid(line: String, status: PairsimTool.ExitStatus) {
        let ending = Bench.real(["rows.scenario": Self.rows]).run(line)
        #expect(ending.status == status && ending.errors.contains("rows.scenario has 10 lines, and no line "), "\(ending.errors)")
    }

    @Test func theLastLineIsThere() {
        #expect(Bench.real(["rows.scenario": Self.rows]).run("run rows.scenario:10").errors.isEmpty)
        #expect(Bench.real(["a.scenario": NewScenario.text(title: "A")]).run("run a.scenario:15").status == .passed)
    }

    @Test func aRowThatIsNotThereIsSaid() {
        let ending = Bench.real(["rows.scenario": Self.rows]).run("run rows.scenario[3]")
        #expect(ending.status == .cannotRun && ending.errors.contains("has 2 rows, and no row 3"))
        let plain = Bench.real(["a.scenario": NewScenario.text(title: "A")]).run("run a.scenario[1]")
        #expect(plain.status == .passed)
        #expect(
            Bench.real(["a.scenario": NewScenario.text(title: "A")]).run("run a.scenario[2]").errors.contains("has no table of examples"))
    }

    @Test func standardInputIsAFile() {
        let text = NewScenario.text(title: "From a pipe").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let bench = Bench.real([:], input: text)
        #expect(bench.run("run -").output.contains("1 passed"))
        #expect(bench.run("check -").output == "1 file checked, 1 scenario, no problems\n")
        #expect(Bench.real([:], input: ["phone sing"]).run("check -").output.hasPrefix("-:1:7: error:"))
        let untidy = Bench.real([:], input: ["# A.", "link   up"]).run("fmt -")
        #expect(untidy.output == "# A.\n\nlink up\n", "\(untidy.output)")
        #expect(Bench.real([:], input: ["# A.", "link   up"]).run("fmt --check -").status == .failed)
        let answer = Bench.real([:], input: ["# A.", "link   up"]).run("fmt --json -").output
        #expect(answer.contains("\"written\": false") && answer.contains("\"changed\": [\n      \"-\"\n    ]"), "\(answer)")
    }
}
