import DeviceSim
import Foundation

/// `Scenarios/TRACES.md`: the format of traces, with a table of the events that is made from the sources and from the runs of all scenarios.
enum TracePage {
    static let path = "Scenarios/TRACES.md"

    static var markdown: String { head + "\n" + rows.joined(separator: "\n") + "\n" }

    /// Each kind with what it means, and the facts that it can have. A test compares them with the runs of all scenarios.
    private static var rows: [String] {
        ["| event | means | facts |", "| --- | --- | --- |"]
            + TraceEvent.Kind.allCases.map { kind in
                "| `\(kind.rawValue)` | \(kind.meaning) | \(kind.facts.keys.sorted().map { "`\($0)`" }.joined(separator: " ")) |"
            }
    }

    private static let head = """
        # Traces

        `pairsim run FILE --trace trace.jsonl` writes what happened as JSON Lines: one object for each event, in order. The same scenario, seed and order give
        the same bytes. `swift run documents` makes this page: the table below from the sources.

        The first line is `trace.begin`; the fact `version` is 2. It rises when a reader of the former has to be changed; members that are added do
        not raise it. Version 1 had the lines of events only, without `id`, `cause`, `step` and `trigger`.

        | member | is |
        | --- | --- |
        | `kind` | what happened, see below |
        | `time` | when, in microseconds of virtual time |
        | `device` | `phone`, `watch` or `watch2`; left out for the link and the scenario |
        | `process` | which run of the app it happened in, from 1 on each device; left out outside of the app |
        | `facts` | what there is to say: texts, numbers, flags, lists of texts. A second fact of a name is `name#2` |
        | `id` | the number of the event, from 0. What is no event has none |
        | `step` | the number of the step that it happened in, from 1; left out before the first |
        | `cause` | the `id` of what it comes of: of what travels the event before of the same thing (of a delivery the arrival, of an arrival the departure, of an applied entry the sending of the snapshot), else what set it off |
        | `trigger` | what set it off at that moment, where that is another event than `cause` |

        Three kinds of lines are no events. No scenario file can expect them:

        | kind | facts |
        | --- | --- |
        | `trace.begin` | `version`, `name`, `title`, `seed`, `order` |
        | `scenario.stepEnd` | `number`, `outcome` (`passed` or `failed`), `message` of a failure; in the attachments of a test also what each device was like |
        | `trace.end` | `events`, `steps`, `outcome` |

        `scenario.step` begins a step: its `number` and `line`, its `file` and its `text`. There are no values in a trace. `--values` lets it tell the text of
        steps with the values of plain keys and of what apps send by themselves; those of sealed keys and of the keychain are never told. What was expected and found of these is `(secret 1)`,
        `(secret 2)`, here as in every report and on the terminal: within a failure equal marks are equal values. [Secrets](README.md#secrets)
        says the same of all other output.

        ## Events

        """
}
