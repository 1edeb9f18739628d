import DeviceSimCore
import DeviceSimLanguage

extension RunOptions {
    /// Makes a run under the watchdog: on the calling thread where it is watched already or nobody wants it, else on a thread of its own.
    /// - Parameters:
    ///   - body: Makes the run, with the options that it is given.
    ///   - stalled: What came of a run that was given up.
    package func watched<Value: Sendable>(
        _ body: @escaping @Sendable (RunOptions) -> Value, stalled: (StalledRun) -> Value
    ) -> Value {
        guard watch == nil, let stuckAfter else { return body(self) }
        var options = self
        let watch = RunWatch()
        options.watch = watch
        let ending = OwnThread.run(watch, limit: stuckAfter) { [options] in body(options) }
        switch ending {
        case .finished(let value): return value
        case .stalled(let run): return stalled(run)
        }
    }
}

extension Scenario {
    /// The failure of a run of the scenario that was given up.
    package func failure(_ stall: StalledRun) -> ScenarioFailure {
        let step = stall.step.flatMap { steps.indices.contains($0) ? steps[$0] : nil }
        return SecretMarks.marked(
            ScenarioFailure(
                message: stall.message, path: step?.range.path, line: step?.range.line, column: step?.range.column,
                length: step?.range.length, source: step?.source, phase: step?.phase, lastEvents: stall.lastEvents), of: self)
    }
}
