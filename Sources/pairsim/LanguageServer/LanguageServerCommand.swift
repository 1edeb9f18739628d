/// `pairsim lsp`: serves an editor over standard input and output, until it says that it is over.
struct LanguageServerCommand {
    let host: Host
    let engine: ScenarioEngine

    /// - Returns: Passed where the client has shut the server down before it ended it, as the protocol wants; else failed.
    func run() throws(UsageError) -> ExitStatus {
        // Its output is JSON already, and any other would break the conversation.
        guard host.answer == nil else {
            throw UsageError("lsp speaks the Language Server Protocol, which is JSON; call it without --json", command: .lsp)
        }
        let server = LanguageServer(engine: engine, files: host.files)
        var framing = MessageFraming()
        while !host.interruption.isRequested, let bytes = host.input.readBytes() {
            for frame in framing.take(bytes) {
                switch frame {
                case .garbage(let reason): host.output.write(MessageFraming.framed(server.complain(reason)))
                case .body(let body):
                    for message in server.take(body) { host.output.write(MessageFraming.framed(message)) }
                    if server.isOver { return server.isShutDown ? .passed : .failed }
                }
            }
        }
        return host.interruption.isRequested ? .interrupted : server.isShutDown ? .passed : .failed
    }
}
