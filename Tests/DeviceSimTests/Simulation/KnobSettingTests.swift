import DeviceSim
import Foundation
import Testing

@testable import DeviceSimCatalogue
@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import documents

/// Whatever devices may do, as far as nobody knows: under each setting of each knob the reference app brings both devices to the same values, and what the
/// catalogue of troubles recommends holds.
@Suite struct KnobSettingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let knob: Knobs.Descriptor
        let setting: Knobs.Setting
        /// As a scenario file has it.
        var line: String { "knob \(knob.name) \(setting)\n" }
        var testDescription: String { "\(knob.name) \(setting)" }
    }

    /// What is far from the default, for each knob; of numbers one that is smaller and one that is larger.
    static let cases: [Case] = Knobs.table.flatMap { knob in
        settings(of: knob).filter { $0 != Knobs()[knob] }.map { Case(knob: knob, setting: $0) }
    }

    private static func settings(of knob: Knobs.Descriptor) -> [Knobs.Setting] {
        switch (knob.field, Knobs()[knob]) {
        case (.flag, _): [.flag(true), .flag(false)]
        case (.choice(let names, _, _), _): names.map { .choice($0) }
        case (.status(_, let statuses), _): statuses.map { .status($0) }
        case (.duration(_, let range), .duration(let value)):
            [value.microseconds / 3_000, value == .zero ? 2_000 : min(value.microseconds * 3, range.upperBound.microseconds) / 1_000]
                .map { .duration(.milliseconds($0)) }
        case (.bytes(_, let range), .bytes(let value)):
            [.bytes(max(value / 16, range.lowerBound)), .bytes(min(value * 16, range.upperBound))]
        case (.count(_, let range), .count(let value)): [.count(value == 0 ? 1 : 0), .count(min(value + 2, range.upperBound))]
        default: []
        }
    }

    private static let keys = """
        key theme: String
            domain    userDefaults
            security  none
            sync      automaticSmall

        key goal: Int
            domain    encryptedFileSystem documents
            sync      automaticSmall

        """

    private static let story = """

        phone set theme "light"
        watch set goal 5000
        settle
        expect watch theme "light"
        expect phone goal 5000

        # Out of range, on both sides
        link down
        phone set theme "dark"
        watch set theme "sepia"
        watch set goal 8000
        link up
        settle
        phone relaunch
        watch relaunch
        settle
        expect devices agree on theme
        expect phone goal 8000

        # To an app that does not run, and one that is new
        watch background
        phone set theme "last"
        settle
        watch launch
        settle
        expect watch theme "last"
        watch uninstall
        watch install
        watch launch
        settle
        expect watch theme "last"
        expect watch goal 8000

        # With the wrist down, a session under way, and the phone asleep
        watch wrist down
        phone set goal 9000
        settle
        watch wrist up
        watch foreground
        settle
        expect watch goal 9000
        phone terminate
        watch set goal 10000
        settle
        phone launch
        settle
        expect phone goal 10000

        """

    @Test(arguments: cases) func devicesAgree(_ setting: Case) throws {
        let result = ScenarioRunner.run(try scenario(setting.line + "\n" + Self.keys + Self.story))
        guard case .passed = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
    }

    /// Settings under which a remedy does not help, or its file asks for what then cannot be, with the reason.
    private static let exceptions: [String: String] = [
        "p20-outstanding-for-ever/remedy.scenario transfer.sticksAfter 1": "every transfer gets stuck, so the second attempt does, too",
        "p20-outstanding-for-ever/remedy.scenario transfer.sticksAfter 2": "the second attempt of one of the two notes gets stuck again",
        "p26-looks-not-installed/remedy.scenario watchApp.unnoticedIsCutOff true": "nothing gets through until the phone restarts",
        "p26-looks-not-installed/remedy.scenario watchApp.unnoticedIsRefused true": "everything is refused until the phone restarts",
        "p28-the-face-is-old/remedy.scenario wake.watch false": "nothing that is sent wakes the watch app",
        "p34-erased-with-the-watch/remedy.scenario unpair.erasesWatch false": "a watch that was not erased takes no backup",
    ]

    struct Remedy: Sendable, CustomTestStringConvertible {
        let path: String
        var testDescription: String { path }
    }

    static let remedies = TroubleCatalogueTests.entries.filter(\.isRemedy).map { Remedy(path: $0.path) }

    /// Each remedy under the settings of the knobs of those rules that it names.
    @Test(arguments: remedies) func remediesHold(_ remedy: Remedy) throws {
        let text = try String(contentsOf: TroubleIndex.folder.appendingPathComponent(remedy.path), encoding: .utf8)
        let rules = compile(text).header.rules
        for setting in Self.cases where setting.knob.rule.map(rules.contains) == true && !text.contains("knob \(setting.knob.name) ") {
            let exception = Self.exceptions["\(remedy.path) \(setting.testDescription)"]
            // Below the header, which ends with the first empty line.
            let end = try #require(text.firstRange(of: "\n\n")).upperBound
            let compilation = compile(String(text[..<end]) + setting.line + "\n" + String(text[end...]))
            #expect(compilation.diagnostics.isEmpty && !compilation.scenarios.isEmpty)
            for scenario in compilation.scenarios {
                let result = ScenarioRunner.run(scenario)
                let passed = if case .passed = result.outcome { true } else { false }
                #expect(passed == (exception == nil), "\(setting.testDescription): \(exception ?? "") \(result.outcome)")
            }
        }
    }
}
