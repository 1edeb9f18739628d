import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// `pairsim explain`, and the tables that it is made of.
struct ExplainTests {
    @Test(arguments: [
        ("W48", "W48", "rule"), ("w48", "W48", "rule"), ("P5", "P5", "trouble"), ("link down", "link down", "step"),
        ("notReachable", "notReachable", "error"), ("7007", "notReachable", "error"), ("undeclaredPolicy", "undeclaredPolicy", "error"),
        ("conflictingSources", "conflictingSources", "error"), ("link.latency", "link.latency", "knob"),
        ("context.delivered", "context.delivered", "event"), ("5", "5", "status"), ("run", "run", "command"),
        ("--seeds", "--seeds", "option"),
        ("DEVICE", "DEVICE", "slot"), ("OUTCOME", "OUTCOME", "group"), ("base64", "base64", "notation"), ("EIO", "EIO", "word"),
        ("wrongSide", "wrongSide", "word"), ("offload", "offload", "word"), ("permission", "permission", "word"),
        ("charger", "charger", "word"), ("sign out", "sign out", "word"), ("logout", "logout", "word"),
        ("resends-its-context", "resends-its-context", "app"), ("settle", "settle [within TIME]", "step"),
        ("knob", "knob KNOB SETTING", "structure"),
        (#"phone set theme "dark""#, "DEVICE [widget] set KEY VALUE [OUTCOME]", "step"),
        (#"phone widget set theme "dark" fails locked"#, "DEVICE [widget] set KEY VALUE [OUTCOME]", "step"),
        ("watch power loss", "DEVICE power loss", "step"),
    ])
    func aWordIsKnown(_ query: String, _ name: String, _ kind: String) throws {
        let ending = Bench().run(["explain", "--json", "--", query])
        #expect(ending.status == .passed)
        let answer = try JSONValue(reading: Data(ending.output.utf8)).members("the answer")
        let first = try #require(try answer.list("result").first).members("the first")
        #expect(try first.text("name") == name)
        #expect(try first.text("kind") == kind)
    }

    /// Nothing is there that has nothing to say, and every word of a file can be asked for.
    @Test func everythingHasAMeaning() {
        for explanation in Explanations.all {
            #expect(!explanation.meaning.isEmpty && !explanation.meaning.hasSuffix("."), "\(explanation.name)")
            #expect(!explanation.details.contains { $0.text.isEmpty }, "\(explanation.name)")
        }
        for kind in TraceEvent.Kind.allCases { #expect(!kind.meaning.isEmpty, "no meaning of \(kind.rawValue)") }
        for form in Vocabulary.forms {
            #expect(!Explanations.find(form.example).isEmpty, "\(form.example)")
            for word in form.fixedWords where word.first?.isLetter == true { #expect(!Explanations.find(word).isEmpty, "\(word)") }
        }
    }

    /// Of the examples in the grammar each is known for what it is an example of.
    @Test(
        arguments: Vocabulary.forms.filter { [.device, .link, .session, .transfer, .data, .fault, .expect].contains($0.topic) }.map(
            \.example))
    func anExampleIsOfItsForm(_ example: String) throws {
        let form = try #require(Vocabulary.forms.first { $0.example == example })
        let found = try #require(Explanations.line(example))
        #expect(found.name == form.pattern.text || Explanation(form).meaning == found.meaning, "\(example)")
    }

    @Test func whatNobodyKnowsIsSuggested() {
        let ending = Bench().run("explain notRechable")
        #expect(ending.status == .nothingSelected && ending.output.isEmpty)
        #expect(ending.errors == "pairsim: nothing selected: nothing is known of \"notRechable\"; did you mean notReachable?\n")
        #expect(Bench().run("explain kill").errors.contains("the system ends an app with `phone terminate`"))
        #expect(Bench().run("explain").status == .usage)
        #expect(Bench().run(["explain", ""]).status == .usage)
        #expect(Bench().run(["explain", String(repeating: "x ", count: 4_000)]).status == .nothingSelected)
        #expect(!Bench().run(["explain", "\u{1B}[31mred\u{202E}"]).errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test func asPeopleReadIt() {
        Golden.check(Bench().run("explain notFound").output + Bench().run("explain link.latency").output, "explain.txt")
    }
}
