import DeviceSim
import Testing

@testable import DeviceSimLanguage

/// The words of lines that are being written, and what may follow them.
struct LineWordsTests {
    @Test(arguments: [
        ("phone set theme \"a # b\" # c", ["phone", "set", "theme", "\"a # b\""]), ("key theme: String", ["key", "theme", ":", "String"]),
        ("phone send message {\"a\": [1, 2]} as m", ["phone", "send", "message", "{\"a\": [1, 2]}", "as", "m"]),
        ("phone set d date(\"2026-01-01\")", ["phone", "set", "d", "date(\"2026-01-01\")"]), ("", []), ("\"a\\\"b", ["\"a\\\"b"]),
        ("]] a", ["]]", "a"]),
    ])
    func words(_ line: String, _ words: [String]) {
        #expect(LineWords.split(line) == words)
    }

    @Test func theWordBeingWritten() {
        #expect(LineWords.unfinished("phone se")?.word == "se")
        #expect(LineWords.unfinished("phone se")?.before == ["phone"])
        #expect(LineWords.unfinished("phone ")?.word == "")
        #expect(LineWords.unfinished("") ?? ([], "x") == ([], ""))
        #expect(LineWords.unfinished("phone set theme \"da") == nil)
        #expect(LineWords.unfinished("phone # se") == nil)
        #expect(LineWords.unfinished("phone send message {") == nil)
    }

    /// What an example has next is among what may come next, word by word.
    @Test(arguments: Vocabulary.forms.map(\.example))
    func examplesCanBeWritten(_ example: String) throws {
        let form = try #require(Vocabulary.forms.first { $0.example == example })
        let words = LineWords.split(example)
        for count in words.indices {
            let next = form.continuations(after: Array(words[..<count]))
            let isOffered = next.contains { continuation in
                switch continuation {
                case .word(let word): word == words[count]
                case .slot(let slot): slot.has(words[count]) ?? true
                }
            }
            #expect(isOffered, "\(words[count]) in \(example)")
        }
    }
}
