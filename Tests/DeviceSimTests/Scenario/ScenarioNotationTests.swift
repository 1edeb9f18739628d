import DeviceSim
import Testing

@testable import DeviceSimLanguage

/// Steps can be written out, so that a search can save what it found and a report can show what to paste.
@Suite struct ScenarioNotationTests {
    @Test(arguments: Vocabulary.forms.indices)
    func everyExampleIsWrittenAsItStands(_ index: Int) throws {
        let form = Vocabulary.forms[index]
        guard Form.Topic.topLevel.subtracting([.structure, .start]).contains(form.topic), !Self.isBlock(form) else { return }
        let action = try action(Self.relabelled(form.example))
        #expect(action.notation == Self.relabelled(form.example))
    }

    @Test func whateverIsWrittenOutReadsBackEqual() throws {
        var generator = DocumentGenerator(seed: 11)
        let forms = Vocabulary.forms.filter { form in
            Form.Topic.topLevel.subtracting([.structure, .start]).contains(form.topic) && !Self.isBlock(form)
        }
        var count = 0
        for _ in 0..<20 {
            for form in forms {
                let line = generator.line(of: form)
                guard let step = compile(Vocabulary.testPreamble + line).scenarios.first?.steps.last else { continue }
                count += 1
                #expect(try action(step.action.notation) == step.action, "\(line)\n\(step.action.notation)")
            }
        }
        #expect(count > 1_500, "most of the lines have a meaning: \(count)")
    }

    @Test func blocksAreWrittenWithTheirLines() throws {
        for text in [
            "together\n    phone set theme \"a\"\n    link down",
            "expect in order since reconnected within 5s\n    watch context.delivered with keys \"x\", sequence 2\n    link.up",
            "expect in any order for 2s\n    phone storage.set",
        ] {
            #expect(try action(text).notation == text)
        }
    }

    private static func isBlock(_ form: Form) -> Bool {
        ["together", "expect in order", "expect in any order"].contains { form.example.hasPrefix($0) }
    }

    /// The preamble has taken these labels.
    private static func relabelled(_ line: String) -> String {
        line.hasSuffix("as m1") ? String(line.dropLast(2)) + "m2" : line
    }
}
