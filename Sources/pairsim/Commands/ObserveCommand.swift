import Foundation

/// `pairsim observe`: what logs of real devices, or traces, say of the rules; and a scenario that does the same.
///
/// With `--json` the result is an object: `logs` (`name`, `events`, `damaged`, `missing`, `devices`, `clock` in microseconds), `rules` by name (`state`,
/// `confirmations`, `examples` and `contradictions`: lists of `line`, `against` and `text`), `settings` by knob (`setting`, `isDefault`, `lines`, `text`)
/// and, where one was asked for, `scenario` (`text`, `kept`, `missed`, `trouble`).
struct ObserveCommand {
    let command: ParsedCommand
    let host: Host
    let engine: ScenarioEngine

    func run() -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color), isOutputTaken: command.text(.scenario) == "-")
        var logs: [(name: String, bytes: [UInt8])] = []
        for path in command.operands {
            do throws(FileError) {
                logs.append((path, [UInt8](try host.files.read(path))))
            } catch {
                console.complain(error.text("read"))
                return .cannotRun
            }
        }
        let observation = Observation(logs)
        guard !observation.log.events.isEmpty else {
            console.complain("nothing selected: there is no event in \(SafeText.line(command.operands.joined(separator: ", ")))")
            return .nothingSelected
        }
        var status = self.status(of: observation)
        let report = ObservationReport(observation)
        for line in report.lines(style: console.style, isVerbose: command.has(.verbose)) { console.print(line) }
        let scenario = write(observation, on: console, status: &status)
        if let scenario {
            for line in ObservationReport.lines(of: scenario, path: command.text(.scenario) ?? "-", style: console.style) {
                console.print(line)
            }
        }
        console.answer(report.json(with: scenario))
        return status
    }

    private func status(of observation: Observation) -> ExitStatus {
        observation.verdicts.contains { $0.state == .contradicted } ? .failed : .passed
    }

    /// Writes the scenario, if one was asked for.
    private func write(_ observation: Observation, on console: Console, status: inout ExitStatus) -> ObservedScenario? {
        guard let path = command.text(.scenario) else { return nil }
        if let obstacle = engine.obstacle {
            console.complain("cannot run the scenario: \(obstacle).")
            status = .cannotRun
            return nil
        }
        let scenario = observation.scenario()
        if path == "-" {
            // A program has the text in its answer.
            if !console.isForPrograms { console.emit(scenario.text) }
            return scenario
        }
        do throws(FileError) {
            // Neither a log nor a scenario that somebody has worked on is replaced.
            let data = Data(scenario.text.utf8)
            let isWritten = try host.files.create(data, at: path)
            var isThere = isWritten
            if !isThere { isThere = try host.files.read(path) == data }
            guard isThere else {
                console.complain("\(SafeText.line(path)) is there already; give --scenario another file, or move that one away")
                status = .cannotRun
                return nil
            }
        } catch {
            console.complain(error.text("write the scenario"))
            status = .cannotRun
            return nil
        }
        return scenario
    }
}
