import DeviceSimCore
import DeviceSimLanguage

/// The trace as a file: JSON Lines, with the steps and the causes. `Scenarios/TRACES.md` documents it.
///
/// What ``Trace/json()`` writes of an event is there as it is; `cause`, `id`, `step` and `trigger` stand beside it, in alphabetical order. The lines `trace.begin`,
/// `scenario.stepEnd` and `trace.end` are no events: they have no `id`, and no scenario file can expect them.
extension RunStory {
    /// Rises when a reader of the former has to be changed. Version 1 had the events only, and no `trace.begin`.
    static let traceVersion = 2

    /// The same bytes for the same run, on every host.
    package func traceJSON() -> [UInt8] {
        var lines = JSONLines()
        lines.add(
            kind: "trace.begin", time: .start,
            facts: [
                .init("version", .number(Self.traceVersion)), .init("name", .text(name)), .init("title", .text(title)),
                .init("seed", .text(String(seed))), .init("order", .text(order.description)),
            ])
        var next = 0
        for (number, event) in trace.events.enumerated() {
            while next < steps.count, steps[next].outcome != .notRun, steps[next].events.upperBound <= number,
                steps[next].events.lowerBound < number
            {
                lines.add(end: steps[next], state: state(afterStep: next))
                next += 1
            }
            let step = next < steps.count && steps[next].events.contains(number) ? steps[next] : nil
            var facts = event.facts
            if event.kind == .step, let step { facts += [.init("file", .text(step.path)), .init("text", .text(step.text))] }
            lines.add(event, facts: facts, number: number, cause: causes[number], step: step?.number)
        }
        while next < steps.count, steps[next].outcome != .notRun {
            lines.add(end: steps[next], state: state(afterStep: next))
            next += 1
        }
        let failed = steps.first { $0.outcome == .failed }
        lines.add(
            kind: "trace.end",
            time: trace.events.last.map { max($0.time, steps.last(where: { $0.outcome != .notRun })?.end ?? $0.time) } ?? .start,
            facts: [
                .init("events", .number(trace.events.count)), .init("steps", .number(next)),
                .init("outcome", .text(failed == nil ? "passed" : "failed")),
            ])
        return lines.bytes
    }
}

extension RunStory {
    /// What the devices were like after a step, by device and group; nothing where nobody looked.
    private func state(afterStep number: Int) -> [TraceEvent.Fact] {
        guard let place = snapshot(afterStep: number) else { return [] }
        let look = snapshots[place]
        return look.devices.flatMap { device -> [TraceEvent.Fact] in
            var groups: [(name: String, lines: [String])] = []
            for entry in StateEntries.of(device, in: look) {
                if groups.last?.name != entry.group { groups.append((entry.group, [])) }
                groups[groups.count - 1].lines.append("\(entry.name): \(entry.text)")
            }
            return groups.map { .init("\(device.id) \($0.name)", .list($0.lines)) }
        }
    }
}

private struct JSONLines {
    private(set) var bytes: [UInt8] = []

    mutating func add(end step: RunStory.Step, state: [TraceEvent.Fact]) {
        var facts: [TraceEvent.Fact] = [.init("number", .number(step.number)), .init("outcome", .text(step.outcome.rawValue))]
        if let message = step.message { facts.append(.init("message", .text(message))) }
        add(kind: "scenario.stepEnd", time: step.end, facts: facts + state, step: step.number)
    }

    mutating func add(kind: String, time: VirtualTime, facts: [TraceEvent.Fact], step: Int? = nil) {
        text("{")
        TraceEvent.appendFacts(facts, to: &bytes)
        text(#""kind":"\#(kind)""#)
        if let step { text(#","step":\#(step)"#) }
        text(#","time":\#(time.microseconds)}"# + "\n")
    }

    mutating func add(_ event: TraceEvent, facts: [TraceEvent.Fact], number: Int, cause: EventCause, step: Int?) {
        text("{")
        if let foremost = cause.foremost { text(#""cause":\#(foremost),"#) }
        if let device = event.device { text(#""device":"\#(device)","#) }
        TraceEvent.appendFacts(facts, to: &bytes)
        text(#""id":\#(number),"kind":"\#(event.kind.rawValue)""#)
        if let process = event.process { text(#","process":\#(process)"#) }
        if let step { text(#","step":\#(step)"#) }
        text(#","time":\#(event.time.microseconds)"#)
        if let trigger = cause.trigger, trigger != cause.foremost { text(#","trigger":\#(trigger)"#) }
        text("}\n")
    }

    private mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
