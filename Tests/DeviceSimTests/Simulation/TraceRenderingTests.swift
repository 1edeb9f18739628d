import DeviceSim
import Foundation
import Testing

struct TraceRenderingTests {
    @Test func oneCanonicalObjectALine() {
        let trace = Self.sample
        let text = String(decoding: trace.json(), as: UTF8.self)
        #expect(
            text == """
                {"device":"phone","kind":"app.launch","process":1,"time":0}
                {"device":"phone","facts":{"zone":"theme","bytes":212,"keys":["a","b"],"first":true},"kind":"context.sent","process":1,"time":20000}
                {"kind":"link.down","time":1000001}

                """)
    }

    @Test func everyLineIsReadByAnIndependentParser() throws {
        let hostile = "q\" b\\ nl\n cr\r tab\t nul\u{0} esc\u{1B}[31m del\u{7F} c1\u{9B} é 🎧 \u{2028}"
        var trace = Trace()
        trace.record(
            TraceEvent(
                time: .start, device: .init(index: 2), process: 12, kind: .log,
                facts: [.init(hostile, .text(hostile)), .init("list", .list([hostile, ""])), .init("n", .number(.min))]))
        let line = trace.json().dropLast()
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let facts = try #require(object["facts"] as? [String: Any])
        #expect(object["device"] as? String == "watch2")
        #expect(object["process"] as? Int == 12)
        #expect(facts[hostile] as? String == hostile)
        #expect(facts["list"] as? [String] == [hostile, ""])
        #expect(facts["n"] as? Int == .min)
        #expect(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }

    @Test func aNameThatOccursTwiceStaysReadable() {
        let event = TraceEvent(
            time: .start, device: nil, process: nil, kind: .step, facts: [.init("key", .text("a")), .init("key", .text("b"))])
        #expect(event.json == #"{"facts":{"key":"a","key#2":"b"},"kind":"scenario.step","time":0}"#)
    }

    @Test func fingerprintIsThePublishedHash() {
        // Vectors of the FNV authors for FNV-1a, 64 bits.
        #expect(TraceFingerprint(of: []).description == "cbf29ce484222325")
        #expect(TraceFingerprint(of: Array("a".utf8)).description == "af63dc4c8601ec8c")
        #expect(TraceFingerprint(of: Array("foobar".utf8)).description == "85944171f73967e8")
        #expect(Trace().fingerprint == TraceFingerprint(of: []))
        #expect(Self.sample.fingerprint != Trace().fingerprint)
    }

    @Test func theLogStandsInColumns() {
        #expect(
            Self.sample.log() == [
                "0.000000  phone  #1  app.launch",
                "0.020000  phone  #1  context.sent zone=theme bytes=212 keys=[a b] first=true",
                "1.000001  -          link.down",
            ])
    }

    @Test func theLogShowsNoControlCharacter() {
        let event = TraceEvent(time: .start, device: .watch, process: nil, kind: .log, facts: [.init("text", .text("\u{1B}[2J x"))])
        #expect(TraceEvent.log(of: [event]) == [#"0.000000  watch      app.log text="\u001b[2J x""#])
    }

    @Test func theLastEventsOfEachDeviceAreKept() {
        var trace = Trace()
        trace.record(TraceEvent(time: .start, device: .watch, process: 1, kind: .launch))
        for index in 1...9 {
            trace.record(TraceEvent(time: VirtualTime(microseconds: Int64(index)), device: .phone, process: 1, kind: .set))
        }
        #expect(
            trace.lastEvents(perDevice: 2) == [
                "0.000000  watch  #1  app.launch",
                "…",
                "0.000008  phone  #1  storage.set",
                "0.000009  phone  #1  storage.set",
            ])
    }

    /// A line stands for what is left out, and none where nothing is.
    @Test func whatIsLeftOutIsSeen() {
        var trace = Trace()
        for index in Int64(0)..<4 {
            trace.record(TraceEvent(time: VirtualTime(microseconds: index), device: .phone, process: 1, kind: .set))
        }
        #expect(trace.lastEvents(perDevice: 4) == trace.log())
        #expect(trace.lastEvents(perDevice: 3) == ["…"] + trace.log().suffix(3))
        #expect(trace.lastEvents(4) == trace.log() && trace.lastEvents(9) == trace.log() && trace.lastEvents(0).isEmpty)
        #expect(trace.lastEvents(1) == ["…"] + trace.log().suffix(1))
    }

    @Test(arguments: [
        (0, "0ms"), (250, "250us"), (1_000, "1ms"), (34_950, "34.95ms"), (1_000_000, "1s"), (1_500_000, "1.5s"),
        (15_053_538, "15.053538s"),
        (60_000_000, "1min"), (61_000_000, "61s"), (3_600_000_001, "3600.000001s"), (-1_500, "-1.5ms"),
    ])
    func aTimeIsReadable(_ microseconds: Int64, _ text: String) {
        #expect(VirtualDuration(microseconds: microseconds).readable == text)
    }

    /// Without its catalog an app has no keys: what comes of that looks like anything else.
    @Test func aRefusedCatalogIsToldHoweverLongAgoItWas() {
        var trace = Trace()
        for process in 1...2 {
            trace.record(
                TraceEvent(
                    time: .start, device: .phone, process: process, kind: .log,
                    facts: [.init("while", .text("register Notes")), .init("error", .text("invalidCatalog"))]))
            for _ in 1...9 { trace.record(TraceEvent(time: .start, device: .phone, process: process, kind: .set)) }
        }
        let told = trace.lastEvents(perDevice: 2)
        #expect(told.count == 5)
        #expect(told[0] == "…" && told[2] == "…")
        #expect(told[1] == #"0.000000  phone  #2  app.log     while="register Notes" error=invalidCatalog"#)
    }

    private static var sample: Trace {
        var trace = Trace()
        trace.record(TraceEvent(time: .start, device: .phone, process: 1, kind: .launch))
        trace.record(
            TraceEvent(
                time: VirtualTime(microseconds: 20_000), device: .phone, process: 1, kind: .contextSent,
                facts: [
                    .init("zone", .text("theme")), .init("bytes", .number(212)), .init("keys", .list(["a", "b"])),
                    .init("first", .flag(true)),
                ]))
        trace.record(TraceEvent(time: VirtualTime(microseconds: 1_000_001), device: nil, process: nil, kind: .linkDown))
        return trace
    }
}
