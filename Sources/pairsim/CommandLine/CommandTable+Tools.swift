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
}
