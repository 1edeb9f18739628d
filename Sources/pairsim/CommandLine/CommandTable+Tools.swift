/// The commands that help to write scenarios and to look into them.
extension CommandTable {
    static let explain = CommandSpec(
        name: .explain,
        summary: "say what a word means",
        operands: .words("WORD"),
        options: [],
        notes: [
            "WORD is a word or a whole line of a scenario file, an error, an event, a knob, a rule such as W48, a trouble such as P5, an exit status, a command or "
                + "an option without its dashes. What is said is made from the tables that the grammar, the help and the catalogue are made of; no network is asked."
        ],
        examples: [
            .init("pairsim explain W48", "a rule: what is known, from where, and what is simulated of it"),
            .init("pairsim explain link down", "a step"),
            .init("pairsim explain notReachable", "an error"),
            .init("pairsim explain link.latency", "a knob"),
            .init("pairsim explain 5", "an exit status"),
        ])

    static let observe = CommandSpec(
        name: .observe,
        summary: "hold logs of devices against the rules, and write the scenario that they tell",
        operands: .files("LOG"),
        options: [
            OptionSpec(.scenario, .path("FILE"), help: "write a scenario that does what the logs tell, and try it; - is standard output"),
            OptionSpec(.verbose, short: "v", help: "show lines for every rule, and those that were not seen"),
        ],
        notes: [
            "LOG is what the recorder or the app DeviceLab wrote on a device (see Examples/DeviceLab), or what run wrote with --trace. Several are joined: each "
                + "may have a clock of its own, one side may be missing, and lines may be lost or damaged.",
            "A rule is contradicted only by lines that no device writes that keeps it, never by what is missing. What a knob varies is a setting. Status 1 when "
                + "a rule is contradicted.",
        ],
        examples: [
            .init("pairsim observe phone.log watch.log", "what both sides say of the rules"),
            .init("pairsim observe phone.log --scenario seen.scenario", "a log from the field, as a scenario"),
        ])

    static let watch = CommandSpec(
        name: .watch,
        summary: "run scenarios whenever they change",
        operands: .paths,
        options: selection + variations + [
            OptionSpec(
                .crashPoints, .number(1...1_000_000_000), help: "run no scenario with more than N crash points (default: 10000)"),
            StuckAfter.option,
        ],
        notes: [
            "Runs everything once, then the files that change; all of them when a file changes that others include. Failures stand first until they pass. "
                + "Ctrl-C ends it."
        ],
        examples: [
            .init("pairsim watch", "everything in the folder Scenarios"),
            .init("pairsim watch Scenarios/sync/no-echo.scenario", "one file, while it is written"),
        ])

    static let debug = CommandSpec(
        name: .debug,
        summary: "step through a scenario, forwards and backwards",
        operands: .file("FILE[:LINE]"),
        options: [
            OptionSpec(
                .do, .text("COMMAND"), repeatable: true, help: "do this instead of reading commands (repeated: one after the other)"),
            OptionSpec(.seed, .number(0...UInt64.max), help: "the seed of every random draw (default: 1, or the scenario's own)"),
            OptionSpec(.order, .number(0...UInt64.max), help: "run ready work in order N (0: first in, first out; the default)"),
            StuckAfter.option,
        ],
        notes: [
            "Commands: " + DebugVerb.allCases.map(\.rawValue).joined(separator: ", ")
                + "; help says what each does. They are read from the terminal, with "
                + "completion by Tab and history, from a pipe, or from --do. In a pipe the first that cannot be done ends it, with status 64.",
            "Values of plain keys are shown, those of secrets never: a number tells them apart. A scenario with steps that crash at every operation is shown in "
                + "the run that failed, or the last.",
        ],
        examples: [
            .init("pairsim debug Scenarios/sync/no-echo.scenario", "look around"),
            .init("pairsim debug Scenarios/sync/no-echo.scenario:12 --do show --do events", "what is there before line 12"),
        ])

    static let account = CommandSpec(
        name: .account,
        summary: "say what scenarios come to, to another build (explore --against)",
        operands: .none,
        options: [StuckAfter.option],
        notes: [
            "Reads one question a line from standard input, and answers with a line each: JSON objects, which explore --against of another build writes and reads. "
                + "Ends with its input."
        ],
        examples: [.init("pairsim account", "what explore --against starts")])

    static let lsp = CommandSpec(
        name: .lsp,
        summary: "serve an editor by the Language Server Protocol",
        operands: .none,
        options: [],
        notes: [
            "Speaks over standard input and output: problems as one types, completion, what words mean, going to keys, labels, variables and included files, "
                + "layout, and running a scenario, with what came of it at the line. Examples/Editors says how editors are told of it."
        ],
        examples: [.init("pairsim lsp", "what an editor starts")])
}
