/// `pairsim account`: says what scenarios come to in this build, until standard input ends. The other side of `explore --against`.
struct AccountCommand {
    let command: ParsedCommand
    let host: Host
    let engine: ScenarioEngine

    func run() throws(UsageError) -> ExitStatus {
        // Its output is JSON already, and any other would break the conversation.
        guard host.answer == nil else {
            throw UsageError("account answers in JSON; call it without --json", command: .account)
        }
        var options = engine.search
        options.stuckAfter = try StuckAfter.seconds(of: command)
        say(AccountTalk.Greeting(pairsim: HelpText.versionNumber))
        var lines = LineFraming()
        while !host.interruption.isRequested, let bytes = host.input.readBytes() {
            lines.take(bytes)
            while let line = lines.next() {
                let question = AccountTalk.message(AccountTalk.Question.self, in: line)
                CrashGuard.setName("pairsim account")
                say(
                    AccountTalk.Answer(account: question.flatMap { RunAccount(ofText: $0.scenario, options: options, isWhole: $0.isWhole) })
                )
            }
            guard lines.byteCount <= AccountTalk.lineLimit else { return .unparsable }
        }
        return host.interruption.isRequested ? .interrupted : .passed
    }

    private func say(_ message: some Encodable) {
        guard let line = AccountTalk.line(message) else { return }
        host.output.write(String(decoding: line, as: UTF8.self))
    }
}
