import Foundation
import Testing

@testable import PairsimTool

/// `pairsim observe` on logs in files.
@Suite struct ObserveCommandTests {
    private static let phone = [
        #"{"device":"phone","facts":{"model":"iPhone15,2","system":"iOS 17.5"},"kind":"log.header","line":1,"process":1,"time":0}"#,
        #"{"device":"phone","kind":"app.launch","line":2,"process":1,"time":0}"#,
        #"{"device":"phone","kind":"session.activate","line":3,"process":1,"time":10}"#,
        #"{"device":"phone","kind":"session.activated","line":4,"process":1,"time":40010}"#,
        #"{"device":"phone","facts":{"sequence":1,"wantsReply":true,"bytes":52,"keys":["ask"],"digest":"d1"},"kind":"message.sent","line":5,"process":1,"time":2000000}"#,
        #"{"device":"phone","facts":{"sequence":1,"bytes":55,"keys":["answer"],"digest":"d2"},"kind":"message.replyDelivered","line":6,"process":1,"time":2300000}"#,
    ]
    private static let watch = [
        #"{"device":"watch","facts":{"model":"Watch6,1","system":"watchOS 10.4"},"kind":"log.header","process":1,"time":7000000}"#,
        #"{"device":"watch","kind":"app.launch","process":1,"time":7000000}"#,
        #"{"device":"watch","kind":"session.activate","process":1,"time":7000010}"#, #"{"device":"watch","kind":"#,
        #"{"device":"watch","kind":"session.activated","process":1,"time":7040010}"#,
        #"{"device":"watch","facts":{"wantsReply":true,"bytes":52,"keys":["ask"],"digest":"d1"},"kind":"message.delivered","process":1,"time":9050000}"#,
        #"{"device":"watch","facts":{"bytes":55,"keys":["answer"],"digest":"d2","to":"d1"},"kind":"message.replied","process":1,"time":9150000}"#,
    ]

    private func bench(phone: [String] = phone, watch: [String] = watch) throws -> Bench {
        var bench = Bench()
        bench.realEngine = .deviceSim()
        try bench.files.write(Data(phone.joined(separator: "\n").utf8), to: "phone.log")
        try bench.files.write(Data(watch.joined(separator: "\n").utf8), to: "watch.log")
        return bench
    }

    @Test func itJoinsTwoSides() throws {
        let ending = try bench().run("observe phone.log watch.log")
        #expect(ending.status == .passed && ending.errors.isEmpty)
        #expect(ending.output.contains("phone.log: 6 events\n  phone: iPhone15,2, iOS 17.5\n"))
        #expect(ending.output.contains("watch.log: 6 events, 1 damaged line, its clock is "))
        #expect(ending.output.contains("W64"))
        #expect(!ending.output.contains("contradicted"))
    }

    /// Two watches, as the recorder knows them: both are `watch`.
    @Test(arguments: [("time", ["watch.log", "watch.log"], 0), ("model", ["watch.log", "other.log"], 900_000_000)])
    func twoWatchesOfOneNameAreNotTakenForOne(_ name: String, _ paths: [String], _ later: Int) throws {
        var lines = Self.watch.filter { $0.hasSuffix("}") }
        if later > 0 {
            lines = lines.map {
                $0.replacing("Watch6,1", with: "Watch7,5").replacing("\"time\":", with: "\"time\":\(later / 1_000_000)")
            }
        }
        let bench = try bench()
        try bench.files.write(Data(lines.joined(separator: "\n").utf8), to: "other.log")
        let ending = bench.run("observe phone.log \(paths.joined(separator: " "))")
        #expect(ending.status == .cannotRun && ending.output.isEmpty, "\(ending)")
        #expect(ending.errors.contains("\(paths[0]) and \(paths[1]) both say that they are of watch"))
        #expect(ending.errors.contains(#"sed 's/"device":"watch"/"device":"watch2"/' \#(paths[1]) > watch2.log"#))
        let again = bench.run("observe phone.log phone.log")
        #expect(again.status == .cannotRun && again.errors.contains("both of the phone"))
    }

    @Test func itWritesTheScenario() throws {
        let bench = try bench()
        let ending = bench.run("observe phone.log watch.log --scenario -")
        #expect(ending.status == .passed)
        #expect(ending.output.hasPrefix("# What happened, as far as logs tell.\n# Logs: phone.log, watch.log\n"))
        #expect(ending.output.contains("# Written on watch: Watch6,1, watchOS 10.4.\n"))
        #expect(
            ending.output.contains("\nphone send message {\"ask\": 2} expecting reply as m1\n")
                || ending.output.contains("expecting reply as m1"))
        #expect(ending.errors.contains("expectations from the logs hold"))
        #expect(bench.run("observe phone.log --scenario seen.scenario").status == .passed)
        #expect(bench.files.text("seen.scenario")?.contains("# Logs: phone.log\n") == true)
    }

    @Test(arguments: ["phone.log", "mine.scenario"]) func whatIsThereIsNotReplaced(path: String) throws {
        let bench = try bench()
        try bench.files.write(Data("settle\n".utf8), to: "mine.scenario")
        let before = bench.files.text(path)
        let ending = bench.run("observe phone.log watch.log --scenario \(path)")
        #expect(ending.status == .cannotRun && ending.errors.contains("\(path) is there already"), "\(ending.errors)")
        #expect(bench.files.text(path) == before && !ending.output.contains("expectation"))
    }

    @Test func theSameScenarioMayBeWrittenAgain() throws {
        let bench = try bench()
        for _ in 0..<2 { #expect(bench.run("observe phone.log --scenario seen.scenario").status == .passed) }
    }

    @Test func aContradictionIsAFailureWithItsLine() throws {
        let again = Self.phone[5].replacingOccurrences(of: "2300000", with: "2400000")
        let ending = try bench(phone: Self.phone + [again]).run("observe phone.log watch.log")
        #expect(ending.status == .failed)
        #expect(ending.output.contains("contradicted: 1 rule\n  W65   "))
        #expect(ending.output.contains("        phone.log:7: a second outcome of one message, against phone.log:6\n"))
    }

    @Test func programsGetAnObject() throws {
        let ending = try bench().run("observe phone.log watch.log --json --scenario -")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        let result = try #require(answer["result"] as? [String: Any])
        let rules = try #require(result["rules"] as? [String: [String: Any]])
        #expect(rules["W64"]?["state"] as? String == "confirmed")
        #expect(rules["W113"]?["state"] as? String == "not seen")
        #expect((result["scenario"] as? [String: Any])?["trouble"] is NSNull)
        #expect((result["settings"] as? [String: Any])?["activation.latency"] != nil)
    }

    @Test func whatIsNoLogIsSaid() throws {
        let bench = try bench(phone: ["hello"], watch: [])
        #expect(bench.run("observe nothing.log").status == .cannotRun)
        let ending = bench.run("observe phone.log")
        #expect(ending.status == .nothingSelected && ending.errors.contains("there is no event in phone.log"))
    }
}
