import Testing

@testable import DeviceSimCore
@testable import DeviceSimLanguage
@testable import DeviceSimSearch

/// What is drawn between no other steps, for each of so many seeds.
struct FocusedDraws {
    static let seeds = 0..<400
    let rows: [[ScenarioStep]]

    init<Steps: FocusedSteps>(over source: String, _ make: (Scenario, SeededGenerator) -> Steps) throws {
        let scenario = try DeviceSimTests.scenario(source + "phone lock\n")
        rows = Self.seeds.map { seed in
            var focused = make(scenario, SeededGenerator(seed: UInt64(seed)))
            return focused.over([])
        }
    }

    /// Those that are there, as texts.
    var texts: [String] { rows.filter { !$0.isEmpty }.map { $0.map { "\($0.action)" }.joined(separator: "\n") } }

    /// Whether about one run in so many has some.
    func isOneIn(_ odds: Int) -> Bool { (Self.seeds.count / (2 * odds)...Self.seeds.count * 5 / (3 * odds)).contains(texts.count) }
}

@Suite struct FocusedStepsTests {
    private static let shared = """
        key tally: Int
            domain    appGroupFileSystem "group.com.example" documents
            security  none

        key list: String
            domain        appGroupFileSystem "group.com.example" documents
            access group  "group.com.example"
            sync          automaticSmall


        """

    private func widgets(_ source: String = shared, hasWidget: Bool = true) throws -> FocusedDraws {
        try FocusedDraws(over: source) { FocusedWidgets(of: $0, hasWidget: hasWidget, $1) }
    }

    @Test func everySecondRunWithAWidgetHasThem() throws {
        let drawn = try widgets()
        #expect(drawn.isOneIn(2), "\(drawn.texts.count)")
        #expect(try widgets(hasWidget: false).texts.isEmpty)
        #expect(try widgets("key own: String\n    security none\n\n").texts.isEmpty)
    }

    /// The widget stores while keys change, and the app retires some afterwards; mostly it is about what a master key seals.
    @Test func keysChangeAroundWhatAWidgetStores() throws {
        let texts = try widgets().texts
        #expect(texts.allSatisfy { $0.contains("widget") })
        for word in ["rotateKeys", "retireKeys", "rotateAndRetireKeys", "reseal", "terminate", "crashes", "remove", "get("] {
            #expect(texts.contains { $0.contains(word) }, "\(word)")
        }
        let sealed = texts.count { $0.contains("\"list\"") }
        #expect(sealed > texts.count / 2 && texts.contains { $0.contains("\"tally\"") }, "\(sealed) of \(texts.count)")
    }

    /// A kind that may not be drawn takes all with it: half of what has to come in a row shows nothing.
    @Test func withoutAKindThereAreNone() throws {
        let scenario = try DeviceSimTests.scenario(Self.shared + "phone lock\n")
        for seed in FocusedDraws.seeds {
            var focused = FocusedWidgets(of: scenario, hasWidget: true, SeededGenerator(seed: UInt64(seed)))
            let kinds = focused.kinds
            focused.keep(within: Set(FaultKind.allCases))
            #expect(focused.kinds == kinds)
            focused.keep(within: [.widget])
            #expect(focused.kinds.isEmpty)
        }
    }
}
