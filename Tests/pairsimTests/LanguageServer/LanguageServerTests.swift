import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim lsp`, with messages as editors send them.
struct LanguageServerTests {
    private static let text = """
        # A theme.
        # Rules: W48

        include "shared/keys.inc"
        key theme: String
            security  none
            sync      automaticSmall
        let dark = "dark"

        link down
        phone set theme $dark
        mark here
        phone send message {"a": "😀"} as ping
        expect watch theme missing
        link up
        expect watch theme "light" within 5s

        """
    private static let uri = "file:///home/me/a%20b.scenario"
    private static let path = "/home/me/a b.scenario"
    private static let run = ",\"command\":\"pairsim.run\",\"arguments\":[\"\(uri)\"]"
    private static let other = ",\"command\":\"rm\""

    /// A server with the text open.
    private func server(_ text: String = text) -> LanguageServer {
        let bench = Bench.real([Self.path: text, "/home/me/shared/keys.inc": "key count: Int\n    security  none\n"])
        let server = LanguageServer(engine: bench.realEngine ?? .deviceSim(), files: bench.files)
        _ = send(
            server,
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}}}}}"#)
        let open = JSONValue.object([
            "method": .text("textDocument/didOpen"),
            "params": .object([
                "textDocument": .object([
                    "uri": .text(Self.uri), "languageId": .text("scenario"), "version": .number(1), "text": .text(text),
                ])
            ]),
        ])
        _ = send(server, open.renderedLine())
        return server
    }

    private func send(_ server: LanguageServer, _ message: String) -> [JSONValue] { server.take(Array(message.utf8)) }

    /// The answer to a request about a place.
    private func ask(_ server: LanguageServer, _ method: String, line: Int = 0, column: Int = 0, _ extra: String = "")
        -> String
    {
        let message =
            #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":{"textDocument":{"uri":"\#(Self.uri)"},"position":{"line":\#(line),"character":\#(column)}\#(extra)}}"#
        return send(server, message).map { $0.renderedLine() }.joined()
    }

    private func line(_ start: String) -> Int {
        Self.text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix(start) } ?? -1
    }

    // MARK: What it can

    /// Lines end as they end on any system.
    @Test(arguments: ["\r\n", "\r"]) func linesEndAsOnAnySystem(_ end: String) {
        let text = "# A.\n\nkey theme: String\n  security none\nphone set thme \"b\"\n"
        let server = server(text.replacing("\n", with: end))
        let told = server.outgoing.map { $0.renderedLine() }.joined()
        #expect(told.contains(#""range":{"end":{"character":14,"line":4},"start":{"character":10,"line":4}}"#), "\(told)")
        // The whole text is replaced, and not its first line by all of it.
        let edit = ask(self.server(text.replacing("thme", with: "theme").replacing("\n", with: end)), "textDocument/formatting")
        #expect(edit.contains(#""range":{"end":{"character":0,"line":6},"start":{"character":0,"line":0}}"#), "\(edit)")
    }

    /// The line stands in the editor, so nothing is left out of what is said of it.
    @Test func mistakesAreQuotedAsWritten() {
        let server = server("# A.\n\nkey token: String\n\nexpect phone token darkk\n")
        #expect(server.outgoing.map { $0.renderedLine() }.joined().contains("`darkk` is unknown"))
    }

    @Test func problemsAreToldAsOneTypes() throws {
        let server = server()
        #expect(server.outgoing.map { $0.renderedLine() }.joined().contains(#""diagnostics":[]"#))
        func change(_ text: String) -> String {
            let message = JSONValue.object([
                "method": .text("textDocument/didChange"),
                "params": .object([
                    "textDocument": .object(["uri": .text(Self.uri), "version": .number(2)]),
                    "contentChanges": .list([.object(["text": .text(text)])]),
                ]),
            ])
            return send(server, message.renderedLine()).map { $0.renderedLine() }.joined()
        }
        let wrong = change("# A.\n\nphone send message {\"a\": \"😀\"} sa x\nphone sing\n")
        #expect(wrong.contains(#""uri":"file:///home/me/a%20b.scenario""#))
        // Columns are of UTF-16: the face is two of them.
        #expect(wrong.contains(#""range":{"end":{"character":33,"line":2},"start":{"character":31,"line":2}}"#), "\(wrong)")
        #expect(
            wrong.contains(#""range":{"end":{"character":10,"line":3},"start":{"character":6,"line":3}},"severity":1,"source":"pairsim""#),
            "\(wrong)")
        #expect(change("# A.\n\nlink up\n").contains(#""diagnostics":[]"#))
        let closed = send(server, #"{"method":"textDocument/didClose","params":{"textDocument":{"uri":"\#(Self.uri)"}}}"#)
        #expect(closed.count == 1)
    }

    @Test(arguments: [
        (10, "phone s", "set"), (10, "phone set ", "theme"), (10, "phone set ", "count"), (10, "", "expect"), (5, "    sec", "security"),
        (5, "    sync ", "automaticSmall"),
        (13, "expect event context.d", "context.delivered"), (13, "expect message ", "ping"),
        (13, "expect no event context.delivered since ", "here"), (10, "knob link.", "link.latency"),
    ])
    func wordsAreCompleted(_ number: Int, _ prefix: String, _ expected: String) {
        var lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[number] = prefix
        let answer = ask(server(lines.joined(separator: "\n")), "textDocument/completion", line: number, column: prefix.utf16.count)
        #expect(answer.contains("\"label\":\"\(expected)\""), "\(answer.prefix(600))")
    }

    @Test func nothingIsOfferedWithinATextOrAComment() {
        let server = server()
        #expect(ask(server, "textDocument/completion", line: 1, column: 5).contains(#""result":[]"#))
        #expect(ask(server, "textDocument/completion", line: line("let"), column: 13).contains(#""result":[]"#))
        #expect(ask(server, "textDocument/completion", line: 900, column: 900).contains(#""id":7"#))
    }

    @Test func wordsAreExplained() {
        let server = server()
        #expect(ask(server, "textDocument/hover", line: 1, column: 10).contains("An update equal to the current"))
        #expect(ask(server, "textDocument/hover", line: line("link down"), column: 6).contains("out of range of each other"))
        let key = ask(server, "textDocument/hover", line: line("phone set"), column: 12)
        #expect(key.contains("key theme: String\\n    security  none") && key.contains("the app stores a value"))
        #expect(ask(server, "textDocument/hover", line: 2, column: 0).contains(#""result":null"#))
    }

    @Test func namesLeadToWhereTheyComeFrom() {
        let server = server()
        #expect(ask(server, "textDocument/definition", line: line("phone set"), column: 12).contains(#""start":{"character":0,"line":4}"#))
        #expect(ask(server, "textDocument/definition", line: line("phone set"), column: 18).contains("\"line\":\(line("let"))}"))
        #expect(ask(server, "textDocument/definition", line: 3, column: 2).contains("file:///home/me/shared/keys.inc"))
        #expect(ask(server, "textDocument/definition", line: line("link up"), column: 1).contains(#""result":null"#))
    }

    @Test func theLayoutIsPutRight() {
        #expect(ask(server("# A.\n\nlink   up\n"), "textDocument/formatting").contains("\"newText\":\"# A.\\n\\nlink up\\n\""))
        #expect(ask(server("phone   sing \"\n"), "textDocument/formatting").contains(#""result":null"#))
        #expect(ask(server(NewScenario.text(title: "A")), "textDocument/formatting").contains(#""result":[]"#))
    }

    @Test func aScenarioIsRunAndItsResultStandsAtTheLine() {
        let server = server()
        #expect(ask(server, "textDocument/codeLens").contains(#""title":"run this scenario""#))
        let run = Self.run
        let answer = ask(server, "workspace/executeCommand", run)
        #expect(
            answer.contains(#""line":16,"passed":false"#) && answer.contains(#""source":"pairsim run""#)
                && answer.contains("actual:   expect watch theme"), "\(answer)")
        #expect(answer.contains("workspace/codeLens/refresh"))
        #expect(ask(server, "textDocument/codeLens").contains("✗ failed at line 16, run again"))
        #expect(ask(self.server(NewScenario.text(title: "A")), "workspace/executeCommand", run).contains(#""passed":true"#))
        #expect(ask(self.server("phone sing\n"), "workspace/executeCommand", run).contains(#""passed":false,"text":"does not parse""#))
        #expect(ask(server, "workspace/executeCommand", Self.other).contains("-32602"))
    }

    @Test func secretsAreNotToldOfARun() {
        let text = "# A.\n\nkey token: String\n\nphone set token \"the secret\"\nexpect phone token \"other\"\n"
        let answer = ask(server(text), "workspace/executeCommand", Self.run)
        #expect(answer.contains(#""passed":false"#) && !answer.contains("the secret"), "\(answer)")
    }

    // MARK: What clients send

    @Test(arguments: [
        ("{", "-32700"), ("[]", "-32700"), ("{}", "-32600"), (#"{"id":1,"method":"nonsense"}"#, "-32601"),
        (#"{"id":1,"method":"textDocument/hover"}"#, "-32602"),
        (#"{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///other"}}}"#, "-32602"),
        (
            #"{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"\#(uri)"},"position":{"line":-1,"character":0}}}"#,
            "-32602"
        ),
        (#"{"id":1,"method":"workspace/executeCommand","params":[]}"#, "-32602"),
    ])
    func garbageIsAnswered(_ message: String, _ code: String) {
        let server = server()
        #expect(send(server, message).map { $0.renderedLine() }.joined().contains("\"code\":\(code)"))
        #expect(ask(server, "textDocument/hover", line: 1, column: 10).contains("result"))
    }

    @Test(arguments: [
        #"{"method":"nonsense"}"#,
        #"{"method":"textDocument/didChange","params":{"textDocument":{"uri":"\#(uri)"},"contentChanges":[{"range":{},"text":"x"}]}}"#,
        #"{"method":"textDocument/didOpen","params":{}}"#, #"{"id":"pairsim-1","result":null}"#,
        #"{"method":"textDocument/didChange","params":7}"#,
    ])
    func whatNobodyWaitsForIsPassedOver(_ message: String) {
        #expect(send(server(), message).isEmpty)
    }

    @Test func filesThatIncludeThemselvesAreReadOnce() {
        let lines = (0..<200).map { _ in "include \"a b.scenario\"\ninclude \"shared/keys.inc\"" }.joined(separator: "\n")
        let answer = ask(server(lines + "\nphone set count 1\n"), "textDocument/definition", line: 400, column: 11)
        #expect(answer.contains("shared/keys.inc"), "\(answer)")
    }

    @Test(arguments: ["-1", "7", "-9223372036854775808", "9223372036854775807"])
    func aRowThatIsNotThereIsRefused(_ row: String) {
        let answer = ask(
            server(NewScenario.text(title: "A")), "workspace/executeCommand", String(Self.run.dropLast()) + ",\(row)]")
        #expect(answer.contains("there is no row"), "\(answer)")
    }

    @Test func nothingIsDoneBeforeTheBeginning() {
        let server = LanguageServer(engine: .deviceSim(), files: MemoryFiles())
        #expect(send(server, #"{"id":1,"method":"textDocument/hover"}"#)[0].renderedLine().contains("-32002"))
        #expect(send(server, #"{"method":"textDocument/didOpen","params":{}}"#).isEmpty)
    }

    @Test func aWholeConversation() {
        func framed(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }
        let messages = [
            framed(#"{"id":1,"method":"initialize","params":{}}"#), "nonsense\r\n\r\n", framed("{"),
            framed(#"{"id":2,"method":"shutdown"}"#) + framed(#"{"method":"exit"}"#),
        ]
        var bench = Bench()
        bench.input = messages
        let ending = bench.run("lsp")
        #expect(ending.status == .passed && ending.errors.isEmpty)
        #expect(ending.output.hasPrefix("Content-Length: ") && ending.output.contains("\"hoverProvider\":true"))
        #expect(ending.output.components(separatedBy: "-32700").count == 3, "\(ending.output)")
        bench.input = Array(messages.prefix(1))
        #expect(bench.run("lsp").status == .failed)
        #expect(bench.run("lsp --json").output.contains("\"status\": 64"))
    }

    @Test func messagesComeInPieces() {
        var framing = MessageFraming()
        let bytes = Array("Content-Type: x\r\nContent-Length: 2\r\n\r\n{}Content-Length: 3\n\nabc".utf8)
        var frames: [MessageFraming.Frame] = []
        for byte in bytes { frames += framing.take([byte]) }
        #expect(frames == [.body(Array("{}".utf8)), .body(Array("abc".utf8))])
        #expect(framing.take(Array("Content-Length: -3\r\n\r\n".utf8)) == [.garbage("a message without Content-Length")])
        #expect(framing.take(Array("Content-Length: 99999999999\r\n\r\n".utf8)) == [.garbage("a message of 99999999999 bytes")])
        #expect(framing.take([UInt8](repeating: 7, count: 9_000)) == [.garbage("the headers have no end")])
        #expect(framing.take(Array("Content-Length: 1\r\n\r\nx".utf8)) == [.body([UInt8(ascii: "x")])])
    }
}
