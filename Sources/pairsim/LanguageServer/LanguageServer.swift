import Foundation

/// A server of the Language Server Protocol for scenario files: messages in, messages out. It knows neither pipes nor framing.
///
/// What a client sends that is wrong is answered with an error, or passed over where nobody waits for an answer. Confined to the thread of the command.
final class LanguageServer {
    let engine: ScenarioEngine
    let files: any FileAccess
    var documents: [String: ServedDocument] = [:]
    private var isInitialized = false
    private(set) var isShutDown = false
    /// The client has said that it is over.
    private(set) var isOver = false
    private var canRefresh = false
    private var requestCount = 0
    var outgoing: [JSONValue] = []

    static let runCommand = "pairsim.run"

    /// Why a request is not carried out, by the protocol's numbers.
    struct Refusal: Error {
        let code: Int64
        let message: String

        static func wrongParameters(_ message: String) -> Refusal { Refusal(code: -32602, message: message) }
    }

    init(engine: ScenarioEngine, files: any FileAccess) {
        self.engine = engine
        self.files = files
    }

    /// - Returns: What is to be sent because of the message.
    func take(_ body: [UInt8]) -> [JSONValue] {
        outgoing = []
        guard let value = try? JSONValue(reading: Data(body)), case .object(let message) = value else {
            fail(id: .null, Refusal(code: -32700, message: "this is no JSON object"))
            return outgoing
        }
        // An answer of the client needs nothing.
        guard case .text(let method)? = message["method"] else {
            if message["result"] == nil, message["error"] == nil {
                fail(id: message["id"] ?? .null, Refusal(code: -32600, message: "no method"))
            }
            return outgoing
        }
        let parameters: [String: JSONValue] = if case .object(let members)? = message["params"] { members } else { [:] }
        if let id = message["id"] {
            answer(id, method, parameters)
        } else {
            note(method, parameters)
        }
        return outgoing
    }

    /// What could not even be cut into messages.
    func complain(_ reason: String) -> JSONValue {
        Self.message(["id": .null, "error": .object(["code": .number(-32700), "message": .text(reason)])])
    }

    // MARK: Messages

    private static func message(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.merging(["jsonrpc": .text("2.0")]) { first, _ in first })
    }

    private func fail(id: JSONValue, _ refusal: Refusal) {
        outgoing.append(Self.message(["id": id, "error": .object(["code": .number(refusal.code), "message": .text(refusal.message)])]))
    }

    func notify(_ method: String, _ parameters: [String: JSONValue]) {
        outgoing.append(Self.message(["method": .text(method), "params": .object(parameters)]))
    }

    private func request(_ method: String) {
        requestCount += 1
        outgoing.append(Self.message(["id": .text("pairsim-\(requestCount)"), "method": .text(method)]))
    }

    private func answer(_ id: JSONValue, _ method: String, _ parameters: [String: JSONValue]) {
        do throws(Refusal) {
            guard isInitialized || method == "initialize" else { throw Refusal(code: -32002, message: "the server is not initialized") }
            guard !isShutDown else { throw Refusal(code: -32600, message: "the server was shut down") }
            let result = try result(of: method, parameters)
            outgoing.append(Self.message(["id": id, "result": result]))
        } catch {
            fail(id: id, error)
        }
    }

    private func result(of method: String, _ parameters: [String: JSONValue]) throws(Refusal) -> JSONValue {
        switch method {
        case "initialize": return initialize(parameters)
        case "shutdown":
            isShutDown = true
            return .null
        case "textDocument/completion":
            let (document, line, column) = try place(parameters)
            return .list(completions(in: document, line: line, column: column))
        case "textDocument/hover":
            let (document, line, column) = try place(parameters)
            return hover(in: document, line: line, column: column)
        case "textDocument/definition":
            let (document, line, column) = try place(parameters)
            return definition(in: document, line: line, column: column)
        case "textDocument/formatting": return formatting(of: try document(parameters))
        case "textDocument/codeLens": return .list(lenses(of: try document(parameters)))
        case "workspace/executeCommand": return try execute(parameters)
        default: throw Refusal(code: -32601, message: "there is no method \(method.prefix(100))")
        }
    }

    private func note(_ method: String, _ parameters: [String: JSONValue]) {
        switch method {
        case "exit": isOver = true
        case "textDocument/didOpen":
            guard isInitialized, let (uri, item) = item(parameters), case .text(let text)? = item["text"] else { return }
            documents[uri] = ServedDocument(uri: uri, text: text)
            publishAll()
        case "textDocument/didChange":
            guard let (uri, _) = item(parameters), documents[uri] != nil, case .list(let changes)? = parameters["contentChanges"],
                case .object(let last)? = changes.last, last["range"] == nil, case .text(let text)? = last["text"]
            else { return }
            documents[uri]?.replace(text)
            publishAll()
        case "textDocument/didClose":
            guard let (uri, _) = item(parameters), documents.removeValue(forKey: uri) != nil else { return }
            notify("textDocument/publishDiagnostics", ["uri": .text(uri), "diagnostics": .list([])])
            publishAll()
        default: return
        }
    }

    private func initialize(_ parameters: [String: JSONValue]) -> JSONValue {
        isInitialized = true
        canRefresh = parameters.flag("capabilities", "workspace", "codeLens", "refreshSupport")
        return .object([
            "serverInfo": .object(["name": .text("pairsim"), "version": .text(HelpText.versionNumber)]),
            "capabilities": .object([
                // Each change brings the whole text.
                "textDocumentSync": .object(["openClose": .flag(true), "change": .number(1)]),
                "completionProvider": .object(["triggerCharacters": .texts([" "])]), "hoverProvider": .flag(true),
                "definitionProvider": .flag(true),
                "documentFormattingProvider": .flag(true), "codeLensProvider": .object(["resolveProvider": .flag(false)]),
                "executeCommandProvider": .object(["commands": .texts([Self.runCommand])]),
            ]),
        ])
    }

    func refreshLenses() {
        if canRefresh { request("workspace/codeLens/refresh") }
    }

    // MARK: Parameters

    private func item(_ parameters: [String: JSONValue]) -> (uri: String, members: [String: JSONValue])? {
        guard case .object(let item)? = parameters["textDocument"], case .text(let uri)? = item["uri"] else { return nil }
        return (uri, item)
    }

    private func document(_ parameters: [String: JSONValue]) throws(Refusal) -> ServedDocument {
        guard let (uri, _) = item(parameters) else { throw .wrongParameters("no textDocument") }
        guard let document = documents[uri] else { throw .wrongParameters("the file is not open") }
        return document
    }

    private func place(_ parameters: [String: JSONValue]) throws(Refusal) -> (ServedDocument, line: Int, column: Int) {
        let document = try document(parameters)
        guard case .object(let position)? = parameters["position"], case .number(let line)? = position["line"],
            case .number(let column)? = position["character"], line >= 0, column >= 0
        else { throw .wrongParameters("no position") }
        return (document, Int(clamping: line), Int(clamping: column))
    }

    /// The texts of all open files, by path.
    var texts: [String: String] {
        Dictionary(documents.values.map { ($0.path, $0.text) }, uniquingKeysWith: { first, _ in first })
    }
}

extension [String: JSONValue] {
    /// Whether a member of members is true.
    fileprivate func flag(_ names: String...) -> Bool {
        var members = self
        for name in names.dropLast() {
            guard case .object(let next)? = members[name] else { return false }
            members = next
        }
        if let last = names.last, case .flag(let flag)? = members[last] { return flag }
        return false
    }
}
