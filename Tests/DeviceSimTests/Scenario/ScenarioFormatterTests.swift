import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage

@Suite struct ScenarioFormatterTests {
    @Test func theLayoutIsThatOfTheSpecification() throws {
        let text = """
            #A theme.
            #Rules: W1


            key   theme :String
              domain userDefaults
            \tavailability   all # both
              # it travels
              sync automaticSmall
            examples
              |a|long name is not allowed but cells align|
              | {"x":1,"y":[1,2]} | data( 5 bytes )|
            together
             phone set theme "x"
                 watch set theme "y"



            # back
            wait   5s   #pause

            """
        #expect(
            try format(text) == """
                # A theme.
                # Rules: W1

                key theme: String
                    domain        userDefaults
                    availability  all  # both
                    # it travels
                    sync          automaticSmall
                examples
                    | a                     | long name is not allowed but cells align |
                    | {"x": 1, "y": [1, 2]} | data(5 bytes)                            |
                together
                    phone set theme "x"
                    watch set theme "y"

                # back
                wait 5s  # pause

                """)
    }

    @Test func aFileThatCannotBeReadIsNotFormatted() throws {
        let source = try SourceText(path: "x", bytes: Array("phone set theme \"dark".utf8))
        guard case .failure(let failure) = ScenarioFormatter.format(source) else { return #expect(Bool(false), "formatted") }
        #expect(failure.diagnostics.map(\.message) == ["the string does not end on this line"])
    }

    @Test func formattingChangesNoMeaningAndSettlesAtOnce() throws {
        var generator = DocumentGenerator(seed: 7)
        for _ in 0..<1_500 {
            let text = generator.document()
            let source = try SourceText(path: "x", bytes: Array(text.utf8))
            let (document, diagnostics) = ScenarioParser.parse(source)
            #expect(diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(diagnostics))\n\(text)")
            let formatted = ScenarioFormatter.format(document)
            let again = ScenarioParser.parse(try SourceText(path: "x", bytes: Array(formatted.utf8))).document
            #expect(again == document, "\(text)\n----\n\(formatted)")
            #expect(ScenarioFormatter.format(again) == formatted)
            #expect(!formatted.contains("\r") && !formatted.contains("\n\n\n") && !formatted.contains(" \n"))
        }
    }

    @Test(arguments: Vocabulary.forms.indices)
    func everyExampleIsCanonical(_ index: Int) throws {
        let form = Vocabulary.forms[index]
        guard form.topic != .attribute else { return }
        #expect(try format(form.example + "\n") == form.example + "\n")
    }

    private func format(_ text: String) throws -> String {
        try ScenarioFormatter.format(SourceText(path: "x", bytes: Array(text.utf8))).get()
    }
}
