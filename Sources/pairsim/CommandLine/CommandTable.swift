/// The commands and options of `pairsim`, in the order in which help lists them.
enum CommandTable {
    static let commands: [CommandSpec] = [
        run, explore, debug, watch, merge, check, list, format, explain, new, audit, observe, account, lsp, completions, help,
    ]

    /// Understood before and after every command.
    static let common: [OptionSpec] = [
        OptionSpec(.json, help: "answer with one JSON object, also of errors; JSON.md says what is in it"),
        OptionSpec(.color, .choice(["auto", "always", "never"]), help: "colour the output; auto: on a terminal, unless NO_COLOR is set"),
        OptionSpec(.help, short: "h", help: "show help"),
        OptionSpec(.version, help: "show the version"),
    ]

    static func command(_ name: CommandName) -> CommandSpec {
        // The table has every name; the test of the table says so.
        commands.first { $0.name == name } ?? help
    }

    static let selection: [OptionSpec] = [
        OptionSpec(.filter, .text("TEXT"), help: "only scenarios with TEXT in their path or title"),
        OptionSpec(.tag, .text("TAG"), repeatable: true, help: "only scenarios with this tag (repeated: with any of them)"),
        OptionSpec(.skipTag, .text("TAG"), repeatable: true, help: "no scenarios with this tag (repeated: with none of them)"),
    ]

    private static let sharding: [OptionSpec] = [
        OptionSpec(.shard, .share, help: "do part I of N only, I from 1 (default: what a CI system's variables say; 1/1: everything)"),
        OptionSpec(
            .shardCount, .number(1...UInt64(Shard.maximumCount)), help: "how many shards there are, where a variable says only which"),
    ]
    private static let shardingNote =
        "The shards do everything once between them. Which one this is, is read from --shard, or from Bazel's TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, "
        + "GitLab's CI_NODE_INDEX and CI_NODE_TOTAL, Slurm's SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, or Kubernetes' JOB_COMPLETION_INDEX with "
        + "--shard-count. XML_OUTPUT_FILE gets a JUnit report."

    private static func report(_ formats: [ReportFormat], ofRuns: Bool = false) -> OptionSpec {
        let names = formats.map(\.rawValue)
        let patterns = ofRuns ? ", one with {name} is a file for each run" : ""
        return OptionSpec(
            .report, .formattedFile(names), repeatable: true,
            help:
                "write a report: \(names.joined(separator: ", ")); a FILE of - is standard output\(patterns) (repeated: several)"
        )
    }

    /// Which runs are made of each scenario.
    static let variations: [OptionSpec] = [
        OptionSpec(.seed, .number(0...UInt64.max), help: "the seed of every random draw (default: 1, or the scenario's own)"),
        OptionSpec(.seeds, .number(1...1_000_000), help: "run each scenario under N seeds, counting up from --seed"),
        OptionSpec(.order, .number(0...UInt64.max), help: "run ready work in order N (0: first in, first out; the default)"),
        OptionSpec(.orders, .number(0...1_000_000), help: "run each scenario also under N more orders of ready work, 1 to N"),
    ]

    private static let run = CommandSpec(
        name: .run,
        summary: "run scenarios",
        operands: .paths,
        options: selection + variations + [
            OptionSpec(.repeat, help: "run everything twice and compare the traces"),
            OptionSpec(.failFast, help: "stop at the first failure"),
            OptionSpec(.failed, help: "run only the scenarios that failed when they were last run from this folder"),
            OptionSpec(.until, .number(1...10_000_000), help: "run no step behind line N of the file"),
            OptionSpec(
                .update, help: "write the values that were found into expectations that differ; secrets never; the changes are shown first"),
            OptionSpec(.slowest, .number(1...1_000), help: "name the N scenarios that took longest"),
            OptionSpec(
                .events, .number(0...100_000),
                help: "show the last N events of a failure, whatever device they are of (default: six of each)"),
            OptionSpec(.jobs, short: "j", .number(1...512), help: "how many scenarios run at once (default: one for each core)"),
            OptionSpec(
                .crashPoints, .number(1...1_000_000_000),
                help:
                    "run no scenario with more than N crash points; where several steps crash at every operation, they multiply (default: 10000)"
            ),
            StuckAfter.option,
            OptionSpec(.roots, .path("DIR"), help: "let the devices store real files under DIR, and keep them"),
            OptionSpec(
                .trace, .path("FILE|DIR/"), help: "write what happened as JSON, one event a line; a folder gets a file for each run"),
            OptionSpec(
                .values,
                help: "let traces and pictures tell the values of plain keys and of what apps send; those of secrets are never told"
            ),
            report(ReportFormat.allCases, ofRuns: true),
            OptionSpec(
                .pictures,
                help: "let reports tell every run, not only those that fail (html, mermaid, perfetto; at most \(ToldRun.runLimit))"),
        ] + sharding + [
            OptionSpec(.quiet, short: "q", help: "print failures only"),
            OptionSpec(.verbose, short: "v", help: "print a line for every run"),
        ],
        notes: [
            "A scenario that carries the header \"Canary: STATUS\" must fail with that status, at its last step: it passes when it does, and fails when it passes or its set-up fails.",
            "A report or a trace replaces one that pairsim wrote, or an empty file. Any other file stays, and the status is 3.",
            "The nearest \(ProjectFile.name) above the current folder has a project's defaults: paths, and options without their dashes, each as NAME = VALUE.",
            "A failure ends with the command that replays it alone. The same scenario, seed and order give the same trace, byte for byte.",
            shardingNote,
        ],
        examples: [
            .init("pairsim run", "run everything in the folder Scenarios"),
            .init("pairsim run Scenarios/sync --orders 20", "run one folder, also under 20 other orders of ready work"),
            .init("pairsim run Scenarios/sync/no-echo.scenario --seed 7 --trace -", "make one run, and print what happened in it"),
            .init("pairsim run --skip-tag troubles --report junit=out/junit.xml", "for CI"),
            .init("pairsim run --shard 2/4 --report json=shard-2.json", "the second of four machines; pairsim merge joins the reports"),
            .init("pairsim run --roots /tmp/devices --filter migration", "look into the devices' files afterwards"),
        ])

    private static let explore = CommandSpec(
        name: .explore,
        summary: "search for failures that nobody wrote a scenario for",
        operands: .optionalPaths,
        options: selection + [
            OptionSpec(.seed, .number(0...UInt64.max), help: "the seed of the search (default: 1); same seed, same runs"),
            OptionSpec(.runs, .number(1...1_000_000_000_000), help: "how many runs to make (default: 10000, or without end with --for)"),
            OptionSpec(.for, .text("TIME"), help: "stop after this long, such as 60s, 10min or 2h"),
            OptionSpec(.jobs, short: "j", .number(1...512), help: "how many runs at once (default: one for each core)"),
            OptionSpec(
                .strategy, .choice(OrderStrategy.allCases.map(\.rawValue)), repeatable: true,
                help: "how the order of ready work is drawn (repeated: any of them; default: fifo, random and pct)"),
            OptionSpec(
                .fault, .text("KIND"), repeatable: true,
                help:
                    "draw faults of this kind alone, or none (repeated: of any of them; default: all, and with an app that does not use LocalData all but those of its storage): "
                    + FaultKind.allCases.map(\.rawValue).joined(separator: ", ")
            ),
            OptionSpec(
                .steps, .number(1...1_000),
                help:
                    "draw at most N steps for a run, besides the healing (default: 24); with --exhaustive, leave out longer scenarios (default: 5)"
            ),
            OptionSpec(
                .exhaustive,
                help:
                    "draw nothing: run each small scenario, without its expectations, in every order, with a crash before every storage operation of every step"
            ),
            OptionSpec(.powerLoss, help: "with --exhaustive, try a power loss there, too"),
            OptionSpec(.recheck, .number(0...100), help: "make this percentage of the runs twice and compare (default: 5)"),
            StuckAfter.option,
            OptionSpec(.ownKeys, help: "besides the files that are named, draw every second run over keys of its own"),
            OptionSpec(.save, .path("DIR"), help: "write each failure as a small scenario file into DIR"),
            OptionSpec(
                .resume, .path("FILE"),
                help:
                    "keep in FILE how far the search has come, and go on from there when it is there; another build of the program begins anew"
            ),
            OptionSpec(.coverage, help: "tell what the runs exercised, and what they did not, each with a scenario that would"),
            OptionSpec(.propose, .path("DIR"), help: "as --coverage, and write scenario files into DIR that try what was not tried"),
            OptionSpec(.only, .number(0...1_000_000_000_000), help: "make run N of the search alone, and show it"),
            OptionSpec(
                .against, .path("TOOL"),
                help: "have another build of the tool make each run too, such as the one before a change, and tell of those that differ"),
            report(ReportFormat.ofExplorations),
        ] + sharding + [
            OptionSpec(.quiet, short: "q", help: "print failures only")
        ],
        notes: [
            "Each run draws keys, steps on both devices, kinds of trouble and an order of ready work, and is held to every promise of LocalData, and to the invariants of the app under test. "
                + "An app that does not use LocalData is asked for the actions of the scenarios instead of keys. "
                + "Scenario files are a corpus: each is run as it is written, then its keys are used and its steps varied.",
            "A failure is made as small as it gets, explained, and written as a scenario that fails for the same reason.",
            "With --exhaustive, orders that differ only in work of devices that touch nothing in common are made once. What was made is counted, and it is said when --runs (for each scenario) or --for cut it short.",
            "With --against, a run that breaks nothing is a find all the same where it comes out otherwise than with the other build: another event, another answer, "
                + "other bytes stored. What was meant to change is told of, too: the smallest scenario says what it is. --resume and --exhaustive do not go with it.",
            "A search has the same runs however many shards it has; --runs counts those of all shards, --for is for each. " + shardingNote,
        ],
        examples: [
            .init("pairsim explore", "10,000 runs over a catalog of its own"),
            .init("pairsim explore --for 10min --save Scenarios/found", "search for ten minutes, and keep what is found"),
            .init("pairsim explore Scenarios/sync/no-echo.scenario", "vary the steps of a scenario"),
            .init("pairsim explore Scenarios --own-keys --for 1h", "near everything that somebody wrote, and beside it"),
            .init("pairsim explore --propose Scenarios/untried", "what a search never came to, as files for the next one"),
            .init("pairsim explore --seed 7 --only 1234", "make one run of a search again"),
            .init("pairsim explore --exhaustive small.scenario", "every order and every crash point of a few steps"),
            .init(
                "pairsim explore Scenarios --own-keys --against ../before/.build/release/pairsim", "what a change of the library changes"),
        ])

    private static let merge = CommandSpec(
        name: .merge,
        summary: "join the reports of shards",
        operands: .files("REPORT"),
        options: [
            report(ReportFormat.ofMerges),
            OptionSpec(.save, .path("DIR"), help: "write each failure that a search found as a small scenario file into DIR"),
            OptionSpec(.quiet, short: "q", help: "print failures only"),
            OptionSpec(.verbose, short: "v", help: "list all faults that no run triggered, and not the first ones"),
        ],
        notes: [
            "REPORT is what run wrote with --report json or junit, or explore with --report json; a folder stands for the *.json files in it, or else for its "
                + "*.xml files. JUnit reports cannot be made into a JSON report. JSON reports have no times by the clock, so that a JUnit report "
                + "made of them says 0; one that is made of JUnit reports has theirs. GitHub's annotations are made by the shards.",
            "Faults that no run triggered are listed of the scenarios all of whose runs are there.",
            "The status is the foremost of the parts. A shard that is missing or there twice, parts of different runs, and a second report of one search are complained of, with status 3.",
            "What the shards of a search found is joined: of each failure the smallest scenario is kept.",
        ],
        examples: [
            .init("pairsim merge shard-*.json --report junit=all.xml --report html=all.html", "after the last shard"),
            .init("pairsim merge reports/ --save Scenarios/found", "what a search on several machines found"),
        ])

    private static let check = CommandSpec(
        name: .check,
        summary: "parse and validate scenarios without running them",
        operands: .paths,
        options: [
            OptionSpec(
                .maxErrors, .number(1...UInt64(ScenarioCompiler.maximumErrorCount)),
                help: "show at most N errors of a file (default: \(ProblemText.limit))"),
            OptionSpec(.quiet, short: "q", help: "print problems only"),
        ],
        notes: ["All problems of all files are shown in one go."],
        examples: [
            .init("pairsim check", "show every mistake in every file of the folder Scenarios"),
            .init("pairsim check Scenarios/sync/no-echo.scenario", "one file"),
        ])

    private static let list = CommandSpec(
        name: .list,
        summary: "list scenarios: names, titles, tags and rules",
        operands: .paths,
        options: selection + [
            OptionSpec(.rules, help: "list the rules of WatchConnectivity instead: what is simulated, known from where, covered by what"),
            OptionSpec(.troubles, help: "list what developers run into instead, each with its scenarios"),
        ],
        notes: [],
        examples: [
            .init("pairsim list", "what is in the folder Scenarios"),
            .init("pairsim list --tag sync", "what is about sync"),
            .init("pairsim list --rules", "which rule is covered by what"),
            .init("pairsim list --troubles", "the catalogue of troubles and remedies"),
        ])

    private static let format = CommandSpec(
        name: .fmt,
        summary: "rewrite scenarios in the canonical layout",
        operands: .paths,
        options: [
            OptionSpec(.check, help: "change nothing; status 1 when a file would change"),
            OptionSpec(.quiet, short: "q", help: "print problems only"),
        ],
        notes: ["Only the layout changes, never the meaning, also of lines that are no steps. Files without words are left alone."],
        examples: [
            .init("pairsim fmt", "tidy up the folder Scenarios"),
            .init("pairsim fmt --check", "for CI"),
        ])

    private static let new = CommandSpec(
        name: .new,
        summary: "write a scenario that passes, or a package that tests an app as a phone and a watch",
        operands: .subject("app", "FOLDER [PACKAGE]", or: "NAME"),
        options: [OptionSpec(.library, .path("DIR"), help: "the checkout of this library (default: LocalData)")],
        notes: [
            "NAME is a file to be, with or without .scenario; one without a folder comes into the folder Scenarios where there is one.",
            "FOLDER has the app's sources, of which nothing is changed. PACKAGE is made (default: FOLDER with Pair behind its name), with what the sources "
                + "show: the session's delegates, their functions as actions of scenarios, their properties as what the app shows. Files that are there stay.",
            "A folder whose name has Watch in it is the watch's; one with iOS or Phone, or that has a folder NAME Watch App beside it, the phone's; all else is "
                + "both's. Tests and extensions are passed over.",
        ],
        examples: [
            .init("pairsim new theme", "write Scenarios/theme.scenario, which passes, to begin with"),
            .init("pairsim new app ../MyApp", "write the package ../MyAppPair"),
            .init("pairsim new app MyApp Tests/Pair --library ../LocalData", "somewhere else"),
        ])

    private static let audit = CommandSpec(
        name: .audit,
        summary: "say what lies on devices that were run with --roots",
        operands: .folder("DIR"),
        options: [
            OptionSpec(.scenario, .path("FILE"), help: "compare it with the keys that this scenario declares"),
            OptionSpec(.strict, help: "status 1 where something is damaged, orphaned, left behind, unseen, or declared against itself"),
        ],
        notes: [
            "DIR is a device's folder, a scenario's, or what --roots named. Nothing in it is changed, and no value is shown.",
            "With a scenario, the keys of the newest version of its app count.",
        ],
        examples: [
            .init("pairsim audit /tmp/devices", "everything that lies on every device below that folder"),
            .init(
                "pairsim audit /tmp/devices/Scenarios+sync+no-echo/phone --scenario Scenarios/sync/no-echo.scenario",
                "the app's audit report"),
        ])

    private static let completions = CommandSpec(
        name: .completions,
        summary: "print completions for a shell",
        operands: .choice("SHELL", Completions.Shell.allCases.map(\.rawValue)),
        options: [],
        notes: [],
        examples: [
            .init("source <(pairsim completions bash)", "in ~/.bashrc"),
            .init("pairsim completions zsh > _pairsim", "in a folder of zsh's fpath"),
            .init("pairsim completions fish > ~/.config/fish/completions/pairsim.fish", "for fish"),
        ])

    private static let help = CommandSpec(
        name: .help, summary: "show help for a command", operands: .command, options: [], notes: [],
        examples: [.init("pairsim help run", "the same as pairsim run --help")])
}

/// One command as the table declares it.
struct CommandSpec: Sendable {
    let name: CommandName
    /// What it does, as a phrase without a full stop.
    let summary: String
    let operands: Operands
    let options: [OptionSpec]
    /// Paragraphs of the command's own help, after the options.
    let notes: [String]
    let examples: [Example]

    /// What may follow the options.
    enum Operands: Sendable {
        case none
        /// Files and folders; the folder `Scenarios` when none is named.
        case paths
        /// Files and folders; none need be named.
        case optionalPaths
        /// One file or folder, or more.
        case files(String)
        /// Exactly one file.
        case file(String)
        /// Exactly one folder.
        case folder(String)
        /// A word that says what is meant, and one or two paths; or one name alone.
        case subject(String, String, or: String)
        /// Exactly one of these words.
        case choice(String, [String])
        /// At most one name of a command.
        case command
        /// One word or more, which mean one thing together.
        case words(String)
    }

    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            self.line = line
            self.explanation = explanation
        }
    }

    func option(_ name: OptionName) -> OptionSpec? {
        options.first { $0.name == name }
    }
}

enum CommandName: String, CaseIterable, Sendable {
    case run, explore, debug, watch, merge, check, list, fmt, explain, new, audit, observe, account, lsp, completions, help
}

/// One option as the table of commands declares it. Parser, help and completions read nothing else.
struct OptionSpec: Sendable {
    let name: OptionName
    let short: Character?
    let value: Value
    /// What it does, as a phrase without a full stop.
    let help: String
    /// Each use adds a value; otherwise the last one counts.
    let isRepeatable: Bool

    init(_ name: OptionName, short: Character? = nil, _ value: Value = .none, repeatable: Bool = false, help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        isRepeatable = repeatable
    }

    enum Value: Sendable {
        /// A switch.
        case none
        case number(ClosedRange<UInt64>)
        case text(String)
        case choice([String])
        /// `I/N`: one of N parts.
        case share
        /// A file or folder.
        case path(String)
        /// `FORMAT=FILE`, with these formats.
        case formattedFile([String])
    }

    var flag: String { "--\(name.rawValue)" }

    /// What stands for the value in help texts.
    var placeholder: String? {
        switch value {
        case .none: nil
        case .number: "N"
        case .share: "I/N"
        case .text(let placeholder), .path(let placeholder): placeholder
        case .choice(let words): words.joined(separator: "|")
        case .formattedFile: "FORMAT=FILE"
        }
    }
}

/// Every option there is.
enum OptionName: String, CaseIterable, Sendable {
    case seed, seeds, order, orders, jobs, filter, tag, roots, report, trace, values, pictures, quiet, verbose, color, check, json, rules,
        help,
        version
    case `do`, failed, update, slowest, events, until
    case runs, `for`, strategy, fault, save, steps, only, recheck, exhaustive
    case powerLoss = "power-loss"
    case scenario, strict, troubles
    case library, resume, against
    case shard
    case shardCount = "shard-count"
    case skipTag = "skip-tag"
    case failFast = "fail-fast"
    case crashPoints = "crash-points"
    case maxErrors = "max-errors"
    case stuckAfter = "stuck-after"
    case ownKeys = "own-keys"
    case coverage, propose
    case `repeat`
}
