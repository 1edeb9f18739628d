/// The commands that help to write scenarios and to look into them.
extension CommandTable {
    static let explain = CommandSpec(
        name: .explain,
        summary: "say what a word means",
        operands: .words("WORD"),
        options: [],
        notes: [
            "WORD is a word or a whole line of a scenario file, an error, an event, a knob, a rule such as W48, a trouble such as P5, an exit status, a command or "
                + "an option. What is said is made from the tables that the grammar, the help and the catalogue are made of; no network is asked."
        ],
        examples: [
            .init("pairsim explain W48", "a rule: what is known, from where, and what is simulated of it"),
            .init("pairsim explain link down", "a step"),
            .init("pairsim explain notReachable", "an error"),
            .init("pairsim explain context.latency", "a knob"),
            .init("pairsim explain 5", "an exit status"),
        ])
}
