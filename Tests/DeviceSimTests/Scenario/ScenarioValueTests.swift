import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage

@Suite struct ScenarioValueTests {
    @Test(arguments: [
        ScenarioValue.null, .bool(true), .integer(.min), .integer(.max), .unsigned(.max), .double(-0.0), .double(1), .double(1e300),
        .double(.leastNonzeroMagnitude),
        .string(""), .string("é\u{2028}\"\\\n\u{1}😀\r\n"), .string(String(repeating: "x", count: 500)), .string("\u{0}"),
        .data(Data()), .data(Data([0, 1, 255])), .data(ScenarioValue.patternData(count: 65_482)),
        .date(Date(timeIntervalSince1970: 0)), .date(Date(timeIntervalSince1970: 1_767_258_000.5)),
        .array([]), .array([.integer(1), .array([.null])]), .object([:]), .object(["b": .integer(1), "a\"": .array([.bool(false)])]),
    ])
    func notationReadsBackEqual(_ value: ScenarioValue) throws {
        let run = try scenario("phone update context {\"v\": \(value.notation)}")
        #expect(run.steps.map(\.action) == [.session(SessionStep(.phone, .updateContext(.object(["v": value]))))])
    }

    @Test func notationsThatNoSessionAccepts() throws {
        let url = try #require(URL(string: "https://example.com/a?b=\"c\""))
        let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        for value in [ScenarioValue.url(url), .uuid(uuid)] {
            #expect(
                try action("phone update context {\"v\": \(value.notation)}")
                    == .session(SessionStep(.phone, .updateContext(.object(["v": value])))))
        }
        #expect(ScenarioValue.object(["n": .null, "u": .url(url)]).payload["n"] is NSNull)
    }

    @Test(arguments: [
        ("0s", 0), ("250us", 250), ("200ms", 200_000), ("1.5s", 1_500_000), ("2min", 120_000_000), ("1h", 3_600_000_000),
        ("7d", 604_800_000_000),
        ("0.000001s", 1),
    ])
    func times(_ text: String, _ microseconds: Int64) throws {
        #expect(try action("wait \(text)") == .time(.wait(VirtualDuration(microseconds: microseconds))))
    }

    @Test(arguments: ["5", "5m", "5S", "-5s", "1.s", "1e3s", "1.2.3s", "0.0000001s", "99999999999999999999s", "11000d", "5 s"])
    func notTimes(_ text: String) {
        #expect(compile("wait \(text)").diagnostics.count == 1)
    }

    @Test(arguments: [
        ("1", "1.0", true), ("2", "1.9.9", false), ("1.10", "1.9", false), ("0", "0.0.0", true), ("1.2.3.4", "1.2.3.3", false),
    ])
    func versionsAreComparedByNumber(_ first: String, _ second: String, _ areEqual: Bool) throws {
        let (left, right) = (try #require(AppVersion(first)), try #require(AppVersion(second)))
        #expect((left == right) == areEqual)
        #expect((left.hashValue == right.hashValue) == areEqual)
        if !areEqual { #expect(right < left) }
    }

    @Test(arguments: ["", "1.", ".1", "a", "1.2.3.4.5", "-1", "1. 2", "99999999999999999999"])
    func notVersions(_ text: String) { #expect(AppVersion(text) == nil) }

    @Test func deepNestingIsRefused() {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(compile("key a: Any\nphone set a \(deep)").diagnostics.map(\.message) == ["the value is nested deeper than 64 levels"])
        let allowed = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(compile("key a: Any\nphone set a \(allowed)").diagnostics.isEmpty)
    }

    @Test func valuesOfAFileHaveALimitTogether() {
        let line = "phone set a repeat(\"x\", 40000000)\n"
        #expect(compile("key a: String\n" + line + line).diagnostics.map(\.range.line) == [3])
    }
}
