import DeviceSim
import Foundation
import Testing

/// Logs as they come from the field: of one side, by two clocks, with lines lost and damaged.
@Suite struct ObservationDamageTests {
    static let runs = ObservationRoundTripTests.runs

    /// Whatever is lost of a log, no rule is contradicted that was kept, and what is left makes a scenario.
    @Test(arguments: runs) func lostLinesContradictNothing(_ path: String) throws {
        let lines = try SeenRun(path).lines
        for seed in 1...25 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let kept = lines.filter { _ in random.below(100) >= Int(seed) * 3 }
            let observation = Observation(["run.jsonl": kept])
            #expect(observation.contradicted == [], "seed \(seed)")
            guard seed % 12 == 0, !observation.log.events.isEmpty else { continue }
            #expect(observation.scenario().trouble == nil, "seed \(seed)")
        }
    }

    @Test(arguments: runs) func damagedLinesArePassedOver(_ path: String) throws {
        let lines = try SeenRun(path).lines
        for seed in 1...10 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var damaged = 0
            let torn = lines.map { line -> String in
                guard random.below(5) == 0 else { return line }
                damaged += 1
                // The last brace goes at least: what is left is no object.
                return String(line.prefix(random.below(line.count)))
            }
            let observation = Observation(["run.jsonl": torn])
            #expect(observation.contradicted == [], "seed \(seed)")
            let blank = torn.count { $0.isEmpty }
            #expect(observation.log.logs[0].damagedLines.count == damaged - blank)
            #expect(observation.log.events.count == lines.count - damaged)
        }
    }

    /// Runs as people make them, with seconds in between.
    static let fieldRuns = [
        """
        phone send message {"n": 1} as m1
        wait 3s
        link down
        wait 5s
        phone update context {"a": 1}
        phone transfer user info {"n": 2} as t1
        wait 20s
        link up
        wait 5s
        watch send message {"q": 1} expecting reply as m2
        wait 3s
        """,
        """
        phone send message {"n": 1} expecting reply as m1
        wait 2s
        watch background
        wait 3s
        phone update context {"a": "one", "b": 2}
        wait 2s
        phone send message {"n": 2} as m2
        wait 4s
        watch foreground
        wait 5s
        watch update context {"c": 3}
        wait 2s
        """,
        """
        phone write file "Documents/photo.jpg" data(300000 bytes)
        phone transfer file "Documents/photo.jpg" as f1
        wait 10s
        watch write file "Documents/track" data(5000 bytes)
        watch transfer file "Documents/track" with metadata {"kind": 1} as f2
        wait 10s
        phone send data data(100 bytes) expecting reply as d1
        wait 5s
        """,
        """
        watch replies {"answer": 42} after 2s
        phone send message {"ask": "what"} expecting reply as m1
        wait 10s
        watch never replies
        phone send message {"ask": "why"} expecting reply as m2
        wait 6min
        watch send message {"n": 1} as m3
        wait 2s
        """,
    ]

    static let seenRuns =
        [
            "session/sent-and-received-contexts", "messages/both-ways-at-once", "messages/late-reply", "messages/watch-wakes-phone",
            "wrist/glance", "messages/never-replies", "messages/data-message",
        ].map { RunSource.file($0) } + fieldRuns.map { .text($0) }

    enum RunSource: Sendable, CustomTestStringConvertible {
        case file(String)
        case text(String)

        var testDescription: String { if case .file(let path) = self { path } else { "steps" } }

        func run() throws -> SeenRun {
            switch self {
            case .file(let path): try SeenRun(path)
            case .text(let steps): try SeenRun(text: "# A run.\n\n\(steps)\n")
            }
        }
    }

    /// Each device by a clock of its own: the clocks are put right, and the scenario does the same.
    @Test(arguments: seenRuns) func twoClocks(_ source: RunSource) throws {
        let run = try source.run()
        for skew in [3_700_000, -86_400_000_000, 12] as [Int64] {
            let observation = Observation(["phone.log": run.lines(of: .phone), "watch.log": run.lines(of: .watch, skew: skew)])
            #expect(observation.contradicted == [])
            let clock = observation.log.clocks[1]
            let limit: Int64
            switch clock.basis {
            case .bothWays(let uncertainty): limit = uncertainty / 2
            case .oneWay: limit = 60_000_000
            default: limit = -1
            }
            #expect(abs(clock.microseconds - skew) <= limit, "\(clock)")
            let scenario = observation.scenario()
            #expect(scenario.trouble == nil)
            #expect(scenario.missed == [], "\(scenario.text)")
        }
    }

    /// Nothing is given before it was handed over, whatever the clocks say.
    @Test func theOrderIsCausal() throws {
        let run = try SeenRun("messages/both-ways-at-once")
        let observation = Observation(["phone.log": run.lines(of: .phone), "watch.log": run.lines(of: .watch, skew: -5_000_000)])
        for exchange in observation.log.exchanges {
            guard let sent = exchange.sent, let delivery = exchange.deliveries.first else { continue }
            #expect(sent < delivery)
        }
    }

    /// What was exchanged comes again on the device of which there is a log.
    @Test(arguments: seenRuns) func oneSideIsMissing(_ source: RunSource) throws {
        let run = try source.run()
        func exchanged(_ trace: Trace, _ device: DeviceID) -> [String] {
            SeenRun.told(trace).filter { $0.hasPrefix("\(device) ") && !$0.contains("session.") }.sorted()
        }
        for device in [DeviceID.phone, .watch] {
            let observation = Observation(["only.log": run.lines(of: device)])
            #expect(observation.contradicted == [])
            let scenario = observation.scenario()
            #expect(scenario.trouble == nil)
            #expect(scenario.text.contains("# Assumed: "))
            #expect(exchanged(try #require(scenario.trace), device) == exchanged(run.result.trace, device), "\(scenario.text)")
        }
    }

    @Test func linesThatAreNumberedAreMissed() {
        func line(_ number: Int) -> String {
            #"{"device":"phone","kind":"session.activate","line":\#(number),"process":1,"time":\#(number)}"#
        }
        let observation = Observation(["phone.log": [1, 2, 5, 6].map(line)])
        #expect(observation.log.logs[0].missingCount == 2)
        #expect(!observation.log.logs[0].seemsWhole)
    }

    /// A name that turns the direction of writing would show a reader another scenario than the one that runs.
    @Test func namesThatDeceiveAreWrittenAsNumbers() throws {
        let observation = Observation([
            "phone\u{202E}.log": [
                #"{"device":"phone","facts":{"bytes":60,"digest":"a","keys":["a\#u{202E}b","\#u{FEFF}c"],"sequence":1},"kind":"userInfo.queued","line":1,"process":1,"time":1}"#
            ]
        ])
        let scenario = observation.scenario()
        #expect(
            scenario.trouble == nil && scenario.text.contains(#""a\u202eb""#) && scenario.text.contains(#""\ufeffc""#), "\(scenario.text)")
        #expect(!scenario.text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{FEFF}" })
    }

    /// Numbers that nobody counted to end nothing.
    @Test func impossibleLineNumbersAreTolerated() {
        let numbers = (0..<1_100).map { $0 % 2 == 0 ? -9_007_199_254_740_991 : 9_007_199_254_740_991 }
        let lines = numbers.map { #"{"device":"phone","kind":"session.activate","line":\#($0),"process":1,"time":1}"# }
        #expect(Observation(["phone.log": lines]).log.logs[0].missingCount == .max)
    }

    /// What this version does not know is passed over: other kinds, other facts, other members.
    @Test func unknownLinesAreTolerated() {
        let observation = Observation([
            "phone.log": [
                #"{"device":"phone","facts":{"odd":[1,2],"deep":{"a":1}},"kind":"session.levitated","cause":[7],"time":5}"#,
                #"{"device":"phone","kind":"session.activate","process":1,"time":7,"cause":{"event":1}}"#,
                #"{"device":"toaster","kind":"session.activate","time":8}"#, #"[1]"#, "", "\u{0}",
                #"{"device":"phone","kind":"session.activate","time":9223372036854775807}"#,
            ]
        ])
        #expect(observation.log.events.map(\.name) == ["session.levitated", "session.activate"])
        #expect(observation.log.logs[0].damagedLines == [3, 4, 6, 7])
        #expect(observation.contradicted == [])
    }

    /// Whatever a log says, it is read, judged and told, and the scenario is one.
    @Test(arguments: ["messages/late-reply", "transfers/crash-while-receiving", "wrist/glance", "switching/callbacks-in-order"])
    func anyBytes(_ path: String) throws {
        let bytes = Array(try SeenRun(path).lines.joined(separator: "\n").utf8)
        let digits = Array("0123456789".utf8)
        for seed in 1...120 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var mutated = bytes
            for _ in 0..<(1 + random.below(40)) {
                let place = random.below(mutated.count)
                switch random.below(4) {
                // Mostly what leaves it JSON: other numbers, longer ones, lines twice and in another place.
                case 0 where digits.contains(mutated[place]): mutated[place] = digits[random.below(10)]
                case 1 where digits.contains(mutated[place]):
                    mutated.insert(contentsOf: digits.prefix(1 + random.below(9)).reversed(), at: place)
                case 2:
                    var lines = mutated.split(separator: UInt8(ascii: "\n"))
                    lines.insert(lines[random.below(lines.count)], at: random.below(lines.count))
                    mutated = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
                default: if seed % 4 == 0 { mutated[place] = UInt8(random.below(256)) }
                }
            }
            let observation = Observation([("any.log", mutated)])
            #expect(observation.verdicts.count == SessionRule.table.count)
            guard seed % 10 == 0 else { continue }
            let text = observation.scenario().text
            let formatted = try ScenarioFormatter.format(SourceText(path: "any.scenario", bytes: Array(text.utf8))).get()
            #expect(formatted == text, "seed \(seed)")
        }
    }

    /// A clock that is set back in the middle changes no order, and makes no step early.
    @Test func aClockThatIsSetBack() throws {
        let run = try SeenRun(text: "# A run.\n\n\(Self.fieldRuns[0])\n")
        var lines = run.lines(of: .phone)
        let middle = lines.count / 2
        lines.replaceSubrange(middle..., with: run.lines(of: .phone, skew: -3_600_000_000)[middle...])
        let observation = Observation(["phone.log": lines])
        #expect(observation.contradicted == [])
        #expect(zip(observation.log.times, observation.log.times.dropFirst()).allSatisfy { $0 <= $1 })
        let scenario = observation.scenario()
        #expect(scenario.trouble == nil)
        #expect(scenario.missed == [], "\(scenario.text)")
    }
}
