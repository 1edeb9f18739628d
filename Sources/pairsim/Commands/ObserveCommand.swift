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
        if let clash = JoinedLog.clash(of: observation.log.logs) {
            console.complain(Self.text(of: clash))
            return .cannotRun
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

    /// A recorder knows no other name for a watch than `watch`.
    private static func text(of clash: LogClash) -> String {
        let (first, second) = (SafeText.line(clash.first), SafeText.line(clash.second))
        guard !clash.device.isPhone else {
            return
                "\(first) and \(second) are both of the phone, and tell of the same time; give each log once, and those of one phone alone"
        }
        let other: DeviceID = clash.device == .watch ? .watch2 : .watch
        let words = #"sed 's/"device":"\#(clash.device)"/"device":"\#(other)"/'"#
        return
            "\(first) and \(second) both say that they are of \(clash.device), and cannot be: they tell of the same time, or of two models. "
            + "Give each log once; of the phone's other watch let it say \(other): \(words) \(second) > \(other).log"
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
