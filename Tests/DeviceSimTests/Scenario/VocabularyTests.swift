import DeviceSim
import Testing

@testable import DeviceSimLanguage

@Suite struct VocabularyTests {
    @Test(arguments: Vocabulary.forms.indices)
    func everyExampleFitsItsOwnFormAndNoOther(_ index: Int) throws {
        let form = Vocabulary.forms[index]
        let source = try SourceText(path: "example", bytes: Array(form.example.utf8))
        var lexer = Lexer(source, line: 1)
        let tokens = lexer.lex().tokens
        let context = Self.context()
        let fitting = Vocabulary.forms.filter { other in
            guard other.topic == form.topic else { return false }
            var matcher = FormMatcher(tokens, in: context)
            return matcher.match([other]) != nil
        }
        #expect(fitting.map(\.pattern.text) == [form.pattern.text])
        #expect(fitting.first?.build(try #require(Self.match(tokens, form))) != nil)
    }

    @Test func patternsAndHelpAreDistinctAndComplete() {
        let patterns = Vocabulary.forms.map { "\($0.topic) \($0.pattern.text)" }
        #expect(Set(patterns).count == patterns.count)
        for form in Vocabulary.forms {
            #expect(!form.help.isEmpty && !form.help.hasSuffix("."))
            #expect(!form.pattern.elements.isEmpty)
        }
    }

    /// A word in capitals that is neither a slot nor a group would be taken for a word of the language.
    @Test(arguments: Vocabulary.forms.indices)
    func capitalsAreSlots(_ index: Int) {
        for word in Self.words(in: Vocabulary.forms[index].pattern.elements) {
            #expect(word.contains(where: \.isLowercase) || word == ":" || word == "=", "\(word)")
        }
    }

    @Test func wordsThatMayStandWhereAKeyMayAreReserved() {
        #expect(
            Vocabulary.reservedWords.isSuperset(of: [
                "session", "file", "disk", "app", "sent", "received", "delivered", "pending", "all", "nothing",
            ]))
        #expect(Vocabulary.reservedWords.isDisjoint(with: ["theme", "token", "name", "count", "context", "message"]))
    }

    @Test func errorNamesOfTheThreeGroupsDoNotOverlap() {
        let names = ScenarioErrorName.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        for error in ScenarioErrorName.allCases { #expect(ScenarioErrorName(name: error.name) == error) }
    }

    private static func words(in elements: [Pattern.Element]) -> [String] {
        elements.flatMap { element -> [String] in
            switch element {
            case .word(let word): [word]
            case .slot: []
            case .optional(let groups), .choice(let groups): groups.flatMap { words(in: $0) }
            }
        }
    }

    private static func match(_ tokens: [Token], _ form: Form) -> Match? {
        var matcher = FormMatcher(tokens, in: context())
        return matcher.match([form])?.match
    }

    private static func context() -> LineContext {
        let context = LineContext { _, _, _ in }
        for (index, name) in ["theme", "oldTheme", "token", "secret"].enumerated() {
            context.keys[name] = LineContext.Key(reference: KeyReference(index: index, identifier: name), type: .string)
            context.storedNames[name] = name
        }
        context.devices.append(.watch2)
        context.messages = ["m1"]
        context.transfers = ["t1"]
        context.snapshots = ["old"]
        context.backups = ["monday"]
        context.marks = ["reconnected"]
        context.catalogs = ["Scenario"]
        return context
    }
}
