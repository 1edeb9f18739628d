import DeviceSimLanguage
import DeviceSimRunner

/// A failure as a file to commit: the shrunk steps with what came of each, and what must hold in the end and does not.
public struct FoundScenario: Sendable {
    /// In canonical layout.
    public let text: String
    /// Such as `durability-theme`: for a file's name.
    public let slug: String
    /// What was not kept.
    public let violation: Violation
    /// How many steps the small scenario has.
    public let stepCount: Int
    /// Whether `pairsim run` of the text fails as the exploration did; of ``Invariant/sameness``, whether it comes out otherwise than with the other build. Where it does
    /// not, the text says so.
    public let isConfirmed: Bool
    /// How probable the failure was after each step; `nil` where that was not measured.
    public internal(set) var certainty: PointOfNoReturn?
    /// The nearest passing run, and where it parts from this one; `nil` where none is so near.
    public internal(set) var twin: PassingTwin?

    /// - Parameters:
    ///   - keepingFaults: Whether a fault is written at a step that had come to its end before it.
    ///   - replay: The command that makes the run that was found, before it was shrunk.
    ///   - options: How the runs were made that found it.
    ///   - fails: Whether the text shows the failure; `nil`: where an ordinary run of it fails.
    init(
        _ scenario: Scenario, violation: Violation, outcomes: [[ObservedOutcome]], keepingFaults: Bool = false, notes: [String],
        replay: String, options: RunOptions = RunOptions(), fails: ((String) -> Bool)? = nil
    ) {
        var steps: [ScenarioStep] = []
        for (index, step) in scenario.steps.enumerated() {
            guard index < outcomes.count else {
                // The run ended in this step.
                if index == violation.step, violation.expectation == nil { steps.append(step) }
                break
            }
            // The step that shows the violation becomes what is expected there.
            if index == violation.step, violation.expectation != nil { break }
            let isFault = index == violation.step && violation.expectation == nil
            steps += Self.told(step, outcomes[index], isFault: isFault, keepingFaults: keepingFaults)
        }
        // What never comes to rest is not waited for.
        if violation.invariant == .quiet, steps.last?.action == .time(.settle(limit: nil)) { steps.removeLast() }
        if violation.step >= scenario.steps.count, violation.invariant != .quiet {
            if steps.last?.action != .time(.settle(limit: nil)) {
                steps.append(.drawn(.time(.settle(limit: nil)), phase: steps.last?.phase))
            }
            if violation.expectation == nil, let device = violation.device,
                let key = scenario.keys.firstIndex(where: { $0.identifier == violation.key })
            {
                let reference = KeyReference(index: key, identifier: scenario.keys[key].identifier)
                steps.append(.drawn(.data(DataStep(device, .get(reference))), phase: steps.last?.phase))
            }
        }
        if let expectation = violation.expectation { steps.append(.drawn(.expect(expectation))) }
        // What a search called its parts means nothing once they have been shrunk.
        let told = scenario.keeping(steps: steps.map { $0.phase == nil ? $0 : .drawn($0.action) })
        let title = violation.invariant.sentence
        var header: [String] = [title.prefix(1).uppercased() + String(title.dropFirst()) + "."]
        // What the app promises has a name of its own.
        if violation.invariant == .app { header = [] }
        for sentence in violation.sentences + (scenario.noteOnApps.map { [$0] } ?? []) {
            header.append(sentence.prefix(1).uppercased() + String(sentence.dropFirst()) + ".")
        }
        let last = ["Found by: \(replay)", "Tags: found"]
        let text = told.notation(header: header + notes + last)
        let isConfirmed = fails?(text) ?? Self.fails(text, options)
        let note = "An ordinary run of this file passes: the search alone looks at what fails here."
        self.text = isConfirmed ? text : told.notation(header: header + notes + [note] + last)
        self.isConfirmed = isConfirmed
        let subject = violation.invariant == .app ? violation.explanation.first.map(Self.words) : violation.key
        slug = ([violation.invariant.rawValue] + [subject].compactMap { $0 }).joined(separator: "-").lowercased()
        self.violation = violation
        stepCount = steps.count
    }

    /// What is quoted in a text, as a part of a file's name.
    private static func words(_ text: String) -> String {
        let name = text.split(separator: "\"").first.map(String.init) ?? text
        return name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(8).joined(separator: "-")
    }

    /// The step with the outcome that it had; nothing for one that could not be done.
    private static func told(_ step: ScenarioStep, _ found: [ObservedOutcome], isFault: Bool, keepingFaults: Bool) -> [ScenarioStep] {
        func outcome(_ declared: StepOutcome) -> StepOutcome? {
            if keepingFaults, declared.isFault, found.first == .succeeded { return declared }
            return Self.outcome(declared, found, isFault: isFault)
        }
        switch step.action {
        case .together(let steps):
            let kept = zip(steps, found).flatMap { told($0, [$1], isFault: isFault, keepingFaults: keepingFaults) }
            return kept.isEmpty ? [] : [.drawn(.together(kept), phase: step.phase)]
        case .data(let data):
            guard let outcome = outcome(data.outcome) else { return [] }
            return [.drawn(.data(data.with(outcome: outcome)), phase: step.phase)]
        case .device(let device):
            guard let outcome = outcome(device.outcome) else { return [] }
            return [.drawn(.device(DeviceStep(device.device, device.action, outcome: outcome)), phase: step.phase)]
        case .session(let session):
            guard let outcome = outcome(session.outcome) else { return [] }
            return [.drawn(.session(SessionStep(session.device, session.action, outcome: outcome)), phase: step.phase)]
        case .transfer(let transfer):
            guard let outcome = outcome(transfer.outcome) else { return [] }
            return [.drawn(.transfer(TransferStep(transfer.device, transfer.action, outcome: outcome)), phase: step.phase)]
        case .link, .fault, .expect, .time:
            return found.contains(.impossible) ? [] : [step]
        }
    }

    private static func outcome(_ declared: StepOutcome, _ found: [ObservedOutcome], isFault: Bool) -> StepOutcome? {
        switch found.first {
        case .succeeded?, nil: .succeeds
        case .cancelled?: declared
        case .failed(let name?)?: isFault ? .succeeds : .fails(name)
        case .failed(nil)?: .succeeds
        case .ended?: declared
        case .impossible?: nil
        }
    }

    /// Whether an ordinary run of the text fails.
    private static func fails(_ text: String, _ options: RunOptions) -> Bool {
        let compilation = ScenarioCompiler.compile(
            path: "found.scenario", files: .memory(["found.scenario": text]), catalogs: options.catalogs)
        guard let scenario = compilation.scenarios.first, compilation.scenarios.count == 1 else { return false }
        var options = options
        // One that never comes to rest is known soon.
        options.waitWorkLimit = 200_000
        if case .passed = ScenarioRunner.run(scenario, options: options).outcome { return false }
        return true
    }
}
