import DeviceSim
import Foundation
import Testing

/// A device that does not keep a rule: the log of a run, changed in one place, contradicts that rule, in that line.
@Suite struct ObservationDeviationTests {
    struct Deviation: Sendable, CustomTestStringConvertible {
        let rule: String
        let run: String
        /// Changes the lines.
        /// - Returns: the line that contradicts, from 0.
        let plant: @Sendable (inout [String]) throws -> Int
        var testDescription: String { "\(rule) \(run)" }
    }

    static let deviations = [
        Deviation(rule: "W61", run: "messages/order-is-kept") { lines in
            try swap(&lines, "message.delivered", 0, 1)
        },
        Deviation(rule: "W80", run: "transfers/queued-in-order") { lines in
            try swap(&lines, "userInfo.delivered", 0, 1)
        },
        Deviation(rule: "W42", run: "session/cleared-context") { lines in
            try swap(&lines, "context.delivered", 0, 1)
        },
        Deviation(rule: "W65", run: "messages/late-reply") { lines in
            let failed = try index(of: "message.failed", in: lines)
            lines.insert(lines[failed], at: failed + 1)
            return failed + 1
        },
        Deviation(rule: "W64", run: "messages/both-ways-at-once") { lines in
            let delivered = try index(of: "message.delivered", in: lines)
            let wants = lines[delivered].contains("\"wantsReply\":true")
            lines[delivered] = lines[delivered].replacingOccurrences(of: "\"wantsReply\":\(wants)", with: "\"wantsReply\":\(!wants)")
            return delivered
        },
        Deviation(rule: "W83", run: "transfers/queued-in-order") { lines in
            let finished = try index(of: "userInfo.finished", in: lines)
            lines.append(lines[finished])
            return lines.count - 1
        },
        Deviation(rule: "W3", run: "session/cleared-context") { lines in
            let activated = try index(of: "session.activated", in: lines)
            lines[activated] = lines[activated].replacingOccurrences(
                of: "\"kind\"", with: "\"facts\":{\"error\":\"genericError\"},\"kind\"")
            return activated
        },
        Deviation(rule: "W5", run: "session/cleared-context") { lines in
            let activated = try #require(lines.firstIndex { $0.contains("session.activated") && $0.contains("watch") })
            lines.insert(lines[activated], at: activated + 1)
            return activated + 1
        },
        Deviation(rule: "W9", run: "transfers/receiver-not-running") { lines in
            let delivered = try index(of: "userInfo.delivered", in: lines)
            let activated = try #require(lines.firstIndex { $0.contains("session.activated") && $0.contains("watch") })
            let line = lines.remove(at: delivered)
            lines.insert(line, at: activated)
            return activated
        },
        Deviation(rule: "W12", run: "switching/callbacks-in-order") { lines in
            let inactive = try index(of: "session.inactive", in: lines)
            lines[inactive] = lines[inactive].replacingOccurrences(of: "\"phone\"", with: "\"watch\"")
            return inactive
        },
    ]

    @Test(arguments: deviations) func isContradictedThere(_ deviation: Deviation) throws {
        var lines = try SeenRun(deviation.run).lines
        #expect(Observation(["run.jsonl": lines]).contradicted == [])
        let place = try deviation.plant(&lines)
        let observation = Observation(["run.jsonl": lines])
        let verdict = try #require(observation.verdicts.first { $0.rule.name == deviation.rule })
        #expect(verdict.state == .contradicted)
        #expect(verdict.contradictions.first?.place == LogPlace(file: 0, line: place + 1))
        #expect(observation.contradicted.count == 1, "\(observation.contradicted)")
    }

    /// What a probe has seen by itself counts, both ways.
    @Test func probesAreHeard() {
        let observation = Observation([
            "phone.log": [
                #"{"device":"phone","facts":{"rule":"W47","holds":true,"what":"it reads back"},"kind":"lab.saw","process":1,"time":5}"#,
                #"{"device":"phone","facts":{"rule":"W50","holds":false,"what":"it was not cleared"},"kind":"lab.saw","process":1,"time":6}"#,
            ]
        ])
        #expect(observation.state("W47") == .confirmed)
        #expect(observation.state("W50") == .contradicted)
        #expect(observation.state("W46") == .notSeen)
    }

    private static func index(of kind: String, in lines: [String]) throws -> Int {
        try #require(lines.firstIndex { $0.contains("\"kind\":\"\(kind)\"") })
    }

    /// Gives the two lines of that kind each other's content; their times stay.
    private static func swap(_ lines: inout [String], _ kind: String, _ one: Int, _ other: Int) throws -> Int {
        let places = lines.indices.filter { lines[$0].contains("\"kind\":\"\(kind)\"") }
        try #require(places.count > other)
        let (first, second) = (lines[places[one]], lines[places[other]])
        func time(_ line: String) -> String { String(line.split(separator: ",").last { $0.hasPrefix("\"time\"") } ?? "") }
        lines[places[one]] = second.replacingOccurrences(of: time(second), with: time(first))
        lines[places[other]] = first.replacingOccurrences(of: time(first), with: time(second))
        return places[other]
    }
}
