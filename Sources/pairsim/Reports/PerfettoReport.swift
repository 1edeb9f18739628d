/// The runs that are told, as JSON in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open.
///
/// A run is a process of its own, with a thread for its steps and one for each device. Steps, and the time that an app runs, are complete events (`X`); events
/// are instants (`i`); what travels is a flow (`s`, `f`). Times are virtual, in microseconds.
enum PerfettoReport {
    static func render(_ report: RunReport) -> String {
        var events: [JSONValue] = []
        for (index, record) in report.records.filter({ $0.told != nil }).enumerated() {
            guard let told = record.told else { continue }
            events += Run(told, process: index + 1, name: "\(record.name): \(record.isGreen ? "passed" : record.headline)").events
        }
        return JSONValue.object([
            "displayTimeUnit": .text("ms"), "traceEvents": .list(events),
            "otherData": .object(["tool": .text("pairsim \(report.version)"), "untold": .text("\(report.untold)")]),
        ]).renderedOnOneLine() + "\n"
    }

    private struct Run {
        private(set) var events: [JSONValue] = []
        private let story: RunStory
        private let process: Int
        /// The thread of the steps and the link; those of the devices follow.
        private let steps = 1

        init(_ told: ToldRun, process: Int, name: String) {
            story = told.story
            self.process = process
            add("process_name", "M", thread: 0, ["args": .object(["name": .text(SafeText.line(name))])])
            add("thread_name", "M", thread: steps, ["args": .object(["name": .text("steps")])])
            for (index, device) in story.devices.enumerated() {
                add("thread_name", "M", thread: steps + 1 + index, ["args": .object(["name": .text("\(device)")])])
            }
            addSteps()
            addLives()
            for number in story.trace.events.indices where number >= told.firstEvent { addEvent(number) }
        }

        private mutating func add(_ name: String, _ phase: String, thread: Int, _ more: [String: JSONValue]) {
            var members = more
            members["name"] = .text(SafeText.line(name))
            members["ph"] = .text(phase)
            members["pid"] = .number(Int64(process))
            members["tid"] = .number(Int64(thread))
            if members["ts"] == nil { members["ts"] = .number(0) }
            events.append(.object(members))
        }

        private mutating func addSteps() {
            for step in story.steps where step.outcome != .notRun {
                let args: [String: JSONValue] = [
                    "file": .text(SafeText.line(step.path)), "line": .number(Int64(step.line)), "outcome": .text(step.outcome.rawValue),
                ]
                add(
                    step.text, "X", thread: steps,
                    [
                        "cat": .text("step"), "ts": .number(step.begin.microseconds), "dur": .number((step.end - step.begin).microseconds),
                        "args": .object(args),
                    ])
            }
        }

        /// From launch to end, by device.
        private mutating func addLives() {
            for (index, device) in story.devices.enumerated() {
                var begin: (time: Int64, process: Int)?
                func end(_ time: Int64) {
                    guard let open = begin else { return }
                    add(
                        "app #\(open.process)", "X", thread: steps + 1 + index,
                        ["cat": .text("app"), "ts": .number(open.time), "dur": .number(time - open.time)])
                    begin = nil
                }
                for event in story.trace.events where event.device == device {
                    switch event.kind {
                    case .launch, .launchInBackground, .prewarm:
                        if begin?.process != event.process {
                            end(event.time.microseconds)
                            begin = (event.time.microseconds, event.process ?? 0)
                        }
                    case .terminate, .crash, .killed, .powerLoss, .powerOff: end(event.time.microseconds)
                    default: break
                    }
                }
                end(story.steps.last { $0.outcome != .notRun }?.end.microseconds ?? story.trace.events.last?.time.microseconds ?? 0)
            }
        }

        private mutating func addEvent(_ number: Int) {
            let event = story.trace.events[number]
            guard event.kind != .step else { return }
            let thread = event.device.flatMap { story.devices.firstIndex(of: $0) }.map { steps + 1 + $0 } ?? steps
            let kind = event.kind.rawValue
            let category = String(kind.prefix { $0 != "." })
            let time = JSONValue.number(event.time.microseconds)
            var args: [String: JSONValue] = ["id": .number(Int64(number)), "facts": .text(EventText.facts(of: event))]
            if let cause = story.causes[number].foremost { args["cause"] = .number(Int64(cause)) }
            add(kind, "i", thread: thread, ["cat": .text(category), "ts": time, "s": .text("t"), "args": .object(args)])
            guard let carried = story.causes[number].carried, let from = story.trace.events[carried].device, from != event.device,
                let source = story.devices.firstIndex(of: from)
            else { return }
            let flow: [String: JSONValue] = ["cat": .text(category), "id": .number(Int64(number))]
            let begin = story.trace.events[carried].time.microseconds
            add(category, "s", thread: steps + 1 + source, flow.merging(["ts": .number(begin)]) { $1 })
            add(category, "f", thread: thread, flow.merging(["ts": time, "bp": .text("e")]) { $1 })
        }
    }
}
