/// What logs tell, for people and for programs.
struct ObservationReport {
    let observation: Observation

    init(_ observation: Observation) {
        self.observation = observation
    }

    // MARK: For people

    func lines(style: Style, isVerbose: Bool) -> [String] {
        var lines = logs
        for state in [RuleVerdict.State.contradicted, .confirmed] {
            let verdicts = observation.verdicts.filter { $0.state == state }
            guard !verdicts.isEmpty else { continue }
            let title = "\(state.rawValue): \(Plural.of(verdicts.count, "rule"))"
            lines += ["", style.paint(title, state == .contradicted ? .boldRed : .bold)]
            for verdict in verdicts { lines += entry(verdict, style: style, isVerbose: isVerbose) }
        }
        let unseen = observation.verdicts.filter { $0.state == .notSeen }
        lines += ["", style.paint("not seen: \(Plural.of(unseen.count, "rule"))", .bold)]
        if isVerbose {
            lines += unseen.map { "  " + Self.head($0) }
        } else {
            lines += Self.wrapped(unseen.map(\.rule.name), indentation: "  ")
        }
        if !observation.settings.isEmpty {
            lines += ["", style.paint("settings", .bold)]
            for setting in observation.settings {
                lines.append(
                    "  knob \(setting.knob.name) \(setting.setting)\(setting.isDefault ? "" : style.paint(" (not the default)", .bold))")
                lines.append(style.paint("      \(setting.text): \(places(setting.places))", .dim))
            }
        }
        return lines
    }

    private var logs: [String] {
        zip(observation.log.logs, observation.log.clocks).flatMap { log, clock in
            var line = "\(SafeText.line(log.name)): \(Plural.of(log.events.count, "event"))"
            if !log.damagedLines.isEmpty { line += ", \(Plural.of(log.damagedLines.count, "damaged line"))" }
            if log.missingCount > 0 { line += ", \(Plural.of(log.missingCount, "line")) missing" }
            if let clock = clock.phrase { line += ", \(clock)" }
            return [line] + log.headers.map { "  " + SafeText.line($0.description) }
        }
    }

    private func entry(_ verdict: RuleVerdict, style: Style, isVerbose: Bool) -> [String] {
        let head = "  " + Self.head(verdict)
        let findings = verdict.state == .contradicted ? verdict.contradictions : verdict.confirmations
        guard verdict.state == .contradicted || isVerbose else {
            return [
                head,
                style.paint(
                    "        \(Plural.of(verdict.confirmationCount, "time")), first at \(places(findings.prefix(1).map(\.place)))", .dim),
            ]
        }
        return [head]
            + findings.map { finding in
                let against = finding.against.map { ", against \(places([$0]))" } ?? ""
                return "        \(places([finding.place])): \(SafeText.line(finding.text))\(against)"
            }
    }

    private static func head(_ verdict: RuleVerdict) -> String {
        verdict.rule.name + String(repeating: " ", count: max(1, 6 - verdict.rule.name.count)) + verdict.rule.sentence
    }

    private func places(_ places: [LogPlace]) -> String { SafeText.line(places.map(observation.log.name).joined(separator: ", ")) }

    private static func wrapped(_ words: [String], indentation: String) -> [String] {
        var lines: [String] = []
        var line = indentation
        for word in words {
            if line.count + word.count > 96 {
                lines.append(line)
                line = indentation
            }
            line += (line == indentation ? "" : " ") + word
        }
        return line == indentation ? lines : lines + [line]
    }

    /// What came of the scenario.
    static func lines(of scenario: ObservedScenario, path: String, style: Style) -> [String] {
        var lines = ["", style.paint("scenario: \(path == "-" ? "standard output" : SafeText.line(path))", .bold)]
        if let trouble = scenario.trouble { lines.append("  " + style.paint("does not run as it is: \(SafeText.line(trouble))", .boldRed)) }
        lines.append("  \(Plural.of(scenario.keptCount, "expectation")) from the logs hold in the simulation")
        lines += scenario.missed.map { "  not so in the simulation: \(SafeText.line($0))" }
        return lines
    }

    // MARK: For programs

    func json(with scenario: ObservedScenario?) -> JSONValue {
        var members: [String: JSONValue] = [
            "logs": .list(
                zip(observation.log.logs, observation.log.clocks).map { log, clock in
                    .object([
                        "name": .text(log.name), "events": .number(Int64(log.events.count)),
                        "damaged": .list(log.damagedLines.map { .number(Int64($0)) }), "missing": .number(Int64(log.missingCount)),
                        "devices": .texts(log.headers.map(\.description)), "clock": .number(clock.microseconds),
                    ])
                }),
            "rules": .object(
                Dictionary(observation.verdicts.map { ($0.rule.name, rule($0)) }, uniquingKeysWith: { first, _ in first })),
            "settings": .object(
                Dictionary(
                    observation.settings.map { setting in
                        (
                            setting.knob.name,
                            JSONValue.object([
                                "setting": .text("\(setting.setting)"), "isDefault": .flag(setting.isDefault), "text": .text(setting.text),
                                "lines": .texts(setting.places.map(observation.log.name)),
                            ])
                        )
                    }, uniquingKeysWith: { first, _ in first })),
        ]
        if let scenario {
            members["scenario"] = .object([
                "text": .text(scenario.text), "kept": .number(Int64(scenario.keptCount)), "missed": .texts(scenario.missed),
                "trouble": .optional(scenario.trouble),
            ])
        }
        return .object(members)
    }

    private func rule(_ verdict: RuleVerdict) -> JSONValue {
        .object([
            "state": .text(verdict.state.rawValue), "confirmations": .number(Int64(verdict.confirmationCount)),
            "contradictions": .list(verdict.contradictions.map(finding)), "examples": .list(verdict.confirmations.map(finding)),
        ])
    }

    private func finding(_ finding: RuleFinding) -> JSONValue {
        .object([
            "line": .text(observation.log.name(of: finding.place)), "against": .optional(finding.against.map(observation.log.name)),
            "text": .text(finding.text),
        ])
    }
}

extension ClockOffset {
    /// For a person; `nil` for the clock that the others are held against.
    fileprivate var phrase: String? {
        let span = "\(VirtualDuration(microseconds: abs(microseconds)))"
        let offset = microseconds == 0 ? "its clock is right" : "its clock is \(span) \(microseconds > 0 ? "ahead" : "behind")"
        switch basis {
        case .same: return nil
        case .bothWays(let uncertainty): return "\(offset), give or take \(VirtualDuration(microseconds: uncertainty / 2))"
        case .oneWay: return "\(offset), as far as what went one way tells"
        case .guessed: return "its clock is not known: it is taken to begin with the first log"
        case .unsteady: return "\(offset), and not steady"
        }
    }
}
