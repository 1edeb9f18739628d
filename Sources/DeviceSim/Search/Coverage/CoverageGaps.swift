import DeviceSimCatalogue
import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// What a search has exercised of what there is, and what it has not, each with a scenario that does.
package struct CoverageGaps: Sendable {
    /// What is counted against what there is.
    package enum Topic: String, Sendable, Hashable, CaseIterable {
        case rules
        case knobs
        case steps
        /// Kinds of steps by situations.
        case situations
        case faultKinds
        case events
        case checks
    }

    /// How many of what there is were met.
    package struct Total: Sendable, Hashable {
        package let topic: Topic
        package let tried: Int
        package let count: Int
    }

    /// Something that was not tried.
    package struct Gap: Sendable {
        package let topic: Topic
        /// As ``SearchCoverage`` names it; of a situation the kind of step.
        package let name: String
        /// Of ``Topic/situations`` only.
        package let situation: String?
        /// What it is, for a person; empty where the name says it.
        package let meaning: String
        fileprivate let way: Way

        /// What tries it. Made when it is first asked for, since there are thousands, and kept.
        package var proposal: ProposedScenario {
            switch way {
            case .lines(let title, let lines): ProposedScenario(title: title, lines: lines)
            case .step(let step, let situation): KeptProposals.scenario(step, in: situation)
            }
        }

        /// The name of a file.
        package var slug: String {
            let words = ([topic.rawValue, name] + [situation].compactMap { $0 }).joined(separator: " ").lowercased()
                .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            return words.joined(separator: "-")
        }
    }

    /// What a scenario that tries it is made of.
    fileprivate enum Way: Sendable {
        case lines(title: String, [String])
        case step(StepProposal, in: StepSituation?)
    }

    /// In the order of ``Topic``.
    package private(set) var totals: [Total] = []
    /// In the order of ``Topic``, and within one of what it lists.
    package private(set) var gaps: [Gap] = []

    /// Those that files are written for: of the situations of a kind of step, of which there are thousands, the first. Once that was tried it is the next.
    package var proposed: [Gap] {
        var kinds: Set<String> = []
        return gaps.filter { $0.topic != .situations || kinds.insert($0.name).inserted }
    }

    /// - Parameters:
    ///   - coverage: What was exercised.
    ///   - rules: The rules that a trace can tell of.
    ///   - request: How a trace is asked for them.
    package init(of coverage: SearchCoverage, rules: [SessionRule], request: CoverageRequest) {
        var days = DaysCovered(request: request)
        func isMet(_ topic: SearchCoverage.Topic, _ name: String) -> Bool { coverage.count(of: topic, named: name) > 0 }

        add(.rules, rules.map { ($0.name, isMet(.rules, $0.name)) }) { name in
            (SessionRule(named: name)?.sentence ?? "", days.shortest(.rules, name))
        }
        add(.knobs, Knobs.table.map { ($0.name, isMet(.knobs, $0.name)) }) { name in
            guard let knob = Knobs.descriptor(named: name), let setting = knob.otherSetting else { return ("", nil) }
            return (knob.meaning, ["knob \(name) \(setting)", "phone set theme \"dark\"", "settle"])
        }
        let proposals = Dictionary(StepProposal.all.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        let kinds = proposals.keys.sorted()
        totals.append(Total(topic: .steps, tried: kinds.count { !coverage.situations(of: $0).isEmpty }, count: kinds.count))
        for kind in kinds where coverage.situations(of: kind).isEmpty {
            guard let proposal = proposals[kind] else { continue }
            // The most everyday of the situations in which it can be made.
            let way = Way.step(proposal, in: proposal.situations.first)
            add(Gap(topic: .steps, name: kind, situation: nil, meaning: proposal.form.help, way: way))
        }
        addSituations(coverage, kinds.compactMap { proposals[$0] })
        add(.faultKinds, FaultKind.allCases.map { ($0.rawValue, isMet(.faultKinds, $0.rawValue)) }) { name in
            ("", FaultKind(rawValue: name)?.exampleLines)
        }
        add(.events, TraceEvent.Kind.allCases.map { ($0.rawValue, isMet(.events, $0.rawValue)) }) { name in
            ("", days.shortest(.events, name))
        }
        add(.checks, Invariant.allCases.map { ($0.rawValue, isMet(.checks, $0.rawValue)) }) { name in
            let sentence = Invariant(rawValue: name)?.sentence ?? ""
            let ofFile = ["phone set theme \"dark\"", "expect watch theme \"dark\" within 5s"]
            switch Invariant(rawValue: name) {
            // A search over a file runs it as it is written, and makes a share of its runs twice.
            case .expectation, .determinism: return (sentence, ofFile)
            case .app: return ("\(sentence) (Pairsim.main(invariants:))", ofFile)
            case .sameness: return ("\(sentence) (explore --against TOOL)", ofFile)
            default: return (sentence, days.shortest(.checks, name))
            }
        }
    }

    private mutating func addSituations(_ coverage: SearchCoverage, _ proposals: [StepProposal]) {
        var (tried, count) = (0, 0)
        var open: [Gap] = []
        for proposal in proposals {
            let situations = proposal.situations
            count += situations.count
            for situation in situations {
                guard coverage.count(of: proposal.kind, in: situation.name) == 0 else {
                    tried += 1
                    continue
                }
                open.append(
                    Gap(
                        topic: .situations, name: proposal.kind, situation: situation.name, meaning: "", way: .step(proposal, in: situation)
                    ))
            }
        }
        totals.append(Total(topic: .situations, tried: tried, count: count))
        for gap in open { add(gap) }
    }

    private mutating func add(_ gap: Gap) { gaps.append(gap) }

    /// - Parameter propose: What a name means, and lines that show it.
    private mutating func add(_ topic: Topic, _ names: [(name: String, isMet: Bool)], propose: (String) -> (String, [String]?)) {
        totals.append(Total(topic: topic, tried: names.count { $0.isMet }, count: names.count))
        for (name, isMet) in names where !isMet {
            let (meaning, lines) = propose(name)
            let title = "\(name): \(meaning.isEmpty ? topic.rawValue : meaning)"
            add(
                Gap(
                    topic: topic, name: name, situation: nil, meaning: meaning,
                    way: .lines(title: title, lines ?? ["phone set theme \"dark\"", "settle"])))
        }
    }
}

extension Knobs.Descriptor {
    /// A setting that is not the default: one that searches try, or else another one of the knob's range.
    fileprivate var otherSetting: Knobs.Setting? {
        let plain = Knobs()[self]
        if let tried = KnobVariation.setting(of: name) { return tried }
        let candidates: [Knobs.Setting] =
            switch field {
            case .duration(_, let range): [.duration(range.lowerBound), .duration(range.upperBound)]
            case .flag: [.flag(true), .flag(false)]
            case .bytes(_, let range): [.bytes(range.upperBound), .bytes(range.lowerBound)]
            case .count(_, let range): [.count(range.lowerBound), .count(range.upperBound)]
            case .status(_, let statuses): statuses.map { .status($0) }
            case .choice(let names, _, _): names.map { .choice($0) }
            }
        return candidates.first { $0 != plain }
    }
}

extension FaultKind {
    /// Steps of that kind, as a search draws them.
    var exampleLines: [String] {
        switch self {
        case .link: ["link down", "phone set theme \"dark\"", "link up", "settle"]
        case .latency: ["link latency 2s", "phone set theme \"dark\"", "settle"]
        case .lifecycle: ["phone set theme \"dark\"", "phone terminate", "phone launch", "settle"]
        case .crash: ["phone set theme \"dark\"", "phone crash", "phone launch", "settle"]
        case .power: ["phone set theme \"dark\"", "phone power loss", "phone power on", "phone unlock", "phone launch", "settle"]
        case .lock: ["watch lock", "phone set token \"a765\"", "watch unlock", "settle"]
        case .reboot: ["phone set theme \"dark\"", "phone reboot", "phone unlock", "phone launch", "settle"]
        case .disk: ["phone disk fails next write with EIO", "phone set theme \"dark\"", "phone disk works", "settle"]
        case .keychain: ["watch keychain fails next add with errSecIO", "phone set token \"a765\"", "settle", "watch keychain works"]
        case .space: ["watch disk full", "phone set theme \"dark\"", "settle", "watch disk has room"]
        case .clock: ["watch clock ahead 5min", "watch set theme \"dark\"", "settle"]
        case .reinstall: ["phone set theme \"dark\"", "settle", "watch uninstall", "watch install", "watch launch", "settle"]
        case .pairing: ["phone set theme \"dark\"", "devices unpair", "devices pair", "watch launch", "settle"]
        case .duplicates: ["knob context.duplicates true", "phone set theme \"dark\"", "settle"]
        case .together: ["together", "    phone set theme \"dark\"", "    watch set theme \"light\"", "settle"]
        case .waking: ["watch terminate", "phone transfer user info {\"n\": 1}", "watch refreshes in background", "settle"]
        case .backup: ["phone backup as monday", "phone set theme \"dark\"", "phone restore from monday", "phone unlock", "phone launch"]
        case .update: ["phone set theme \"dark\"", "phone update to 2.0", "phone launch", "settle"]
        case .overrides:
            ["phone overrides sync of theme with never", "phone set theme \"dark\"", "phone clears override of theme", "settle"]
        case .prewarming: ["phone reboot", "phone prewarm", "phone unlock", "phone launch", "settle"]
        case .unknowns: ["knob context.suppressEqual false", "phone set theme \"dark\"", "settle"]
        case .wrist: ["watch wrist down", "phone set theme \"dark\"", "settle", "watch wrist up"]
        case .lies: ["phone set theme \"dark\"", "settle", "watch is lied to about counters", "settle"]
        case .rotation: ["phone set secret \"a765f\"", "phone rotate keys", "phone retire keys", "phone get secret"]
        case .widget: ["phone widget launch", "phone widget suspend", "phone widget resume", "phone widget terminate"]
        case .switching:
            ["start second watch", "phone switches to watch2", "phone set theme \"dark\"", "settle", "phone switches to watch"]
        case .cancellation: ["phone set theme \"dark\" is cancelled at operation 2", "phone get theme", "settle"]
        case .session: ["phone send message {\"n\": 1} expecting reply", "phone transfer user info {\"n\": 1}", "settle"]
        }
    }
}
