import Testing

@testable import PairsimTool

/// Keys in, lines out: what is pure of the terminal.
struct LineEditorTests {
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.take($0) }
    }

    private func type(_ text: String, into editor: inout LineEditor) -> [LineEditor.Effect] {
        keys(Array(text.utf8)).map { editor.take($0) }
    }

    @Test func keysAreRead() {
        #expect(keys(Array("aé€😀".utf8)) == [.character("a"), .character("é"), .character("€"), .character("😀")])
        #expect(
            keys(Array("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D\u{1B}[3~\u{1B}[1~\u{1B}[F\u{1B}[1;5C".utf8)) == [
                .up, .down, .right, .left, .delete, .home, .end, .right,
            ])
        #expect(
            keys([0x03, 0x04, 0x7F, 0x09, 0x0D, 0x15, 0x17, 0x0C]) == [
                .interrupt, .endOfFile, .backspace, .tab, .enter, .clearBefore, .clearWord, .redraw,
            ])
    }

    @Test func whatIsNoKeyIsPassedOver() {
        #expect(keys([0xC3, 0x61]) == [.character("a")])
        #expect(keys([0xFF, 0x62]) == [.other, .character("b")] || keys([0xFF, 0x62]) == [.character("b")])
        #expect(keys(Array("\u{1B}[99999999999999999999x".utf8)).contains(.other))
        #expect(keys([0x80, 0x80, 0x1B, 0x63]).allSatisfy { $0 == .other })
        // Any bytes at all leave it able to read on.
        var decoder = KeyDecoder()
        for number in UInt8.min...UInt8.max {
            for byte in [number, 255 - number, 0x1B, number] { _ = decoder.take(byte) }
        }
        for byte in Array("~~~~qqqq".utf8) { _ = decoder.take(byte) }
        #expect(decoder.take(UInt8(ascii: "z")) == .character("z"))
    }

    @Test func aLineIsEdited() {
        var editor = LineEditor()
        #expect(type("stap", into: &editor).last == .redraw)
        _ = type("\u{1B}[D\u{7F}e", into: &editor)
        #expect(editor.line == "step" && editor.cursor == 3)
        _ = type("\u{05} 2\u{17}", into: &editor)
        #expect(editor.line == "step ")
        _ = type("\u{01}\u{0B}next", into: &editor)
        #expect(type("\r", into: &editor) == [.line("next")])
        #expect(editor.line.isEmpty)
        #expect(type("ab\u{03}", into: &editor).last == .dropped)
        #expect(type("\u{04}", into: &editor) == [.ended])
    }

    @Test func linesComeBack() {
        var editor = LineEditor()
        for line in ["step", "step", "back", "  "] { _ = type(line + "\r", into: &editor) }
        #expect(editor.history == ["step", "back"])
        _ = type("dra\u{1B}[A", into: &editor)
        #expect(editor.line == "back")
        _ = type("\u{1B}[A\u{1B}[A", into: &editor)
        #expect(editor.line == "step")
        _ = type("\u{1B}[B\u{1B}[B\u{1B}[B", into: &editor)
        #expect(editor.line == "dra")
    }

    @Test func wordsAreCompleted() {
        let words = ["session", "set", "settle"]
        var editor = LineEditor { text in words.filter { $0.hasPrefix(text.split(separator: " ").last.map(String.init) ?? "") } }
        #expect(type("try s\t", into: &editor).last == .redraw)
        #expect(editor.line == "try se")
        #expect(type("\t", into: &editor) == [.candidates(words)])
        #expect(type("tt\t", into: &editor).last == .redraw)
        #expect(editor.line == "try settle ")
        #expect(type("x\t", into: &editor).last == .nothing)
    }

    @Test(arguments: [1, 2, 5, 10, 40, 200])
    func theCursorIsAlwaysSeen(_ columns: Int) {
        let text = Array("try phone set theme \"日本語 \u{1B} e\u{301}\" and so on, for quite a while, until it does not fit")
        for cursor in 0...text.count {
            let view = LineView(prompt: "Scenarios/a.scenario:12 0ms> ", text: text, cursor: cursor, columns: columns)
            #expect(view.column <= max(columns, 4) && !view.text.contains("\u{1B}"))
            if columns > 10 { #expect(SafeText.cells(view.text) < columns) }
        }
    }

    @Test func candidatesStandInColumns() {
        #expect(TextColumns.lines(["a", "bb", "c"], width: 9) == ["a   bb", "c"])
        #expect(TextColumns.lines(["long word"], width: 3) == ["long word"])
        #expect(TextColumns.lines((0..<300).map(String.init), width: 80).last == "… and 100 more")
    }
}
