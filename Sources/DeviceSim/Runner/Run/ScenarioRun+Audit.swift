import DeviceSimCore
import DeviceSimLanguage
import LocalData

extension ScenarioRun {
    /// Compares what the app's audit says. The whole report is made, so that every expectation shows that it can be.
    func audit(of device: Device, _ condition: AuditCondition) throws -> ExpectationResult {
        let report = try ask(device) { await StorageRouter.shared.auditReport() }.get()
        let (holds, found) = try compare(report, condition)
        guard let holds else { return .untold(.ofAudit("the audit cannot tell: \(found)", condition, of: device.id, found)) }
        return holds ? .holds : .fails(.ofAudit("the audit says otherwise: \(found)", condition, of: device.id, found))
    }

    /// - Returns: Whether the report says so, `nil` where the audit could not look; and in words what it says.
    private func compare(_ report: StorageAuditReport, _ condition: AuditCondition) throws -> (Bool?, String) {
        switch condition {
        case .present(let key):
            let presence = try presence(of: key, in: report)
            if case .present = presence { return (true, "") }
            return (presence.isTold ? false : nil, words(presence, key))
        case .missing(let key):
            let presence = try presence(of: key, in: report)
            return (presence.isTold ? presence == .missing : nil, words(presence, key))
        case .damaged(let key):
            let presence = try presence(of: key, in: report)
            if case .damaged = presence { return (true, "") }
            return (presence.isTold ? false : nil, words(presence, key))
        case .unreadable(let key, let error):
            let presence = try presence(of: key, in: report)
            if case .unreadable(let code) = presence { return (.storage(code) == error, words(presence, key)) }
            return (false, words(presence, key))
        case .unreadablePlace(let place):
            let unseen = Self.unreadable(in: report)
            return (unseen.contains { $0.place == place || $0.name == place }, Self.words(unseen))
        case .residual(let key?): return try copies(of: key, in: report, .residual)
        case .waiting(let key): return try copies(of: key, in: report, .waiting)
        case .residual(nil):
            let names = report.items.filter { $0.legacyCopies.contains { $0.state == .residual } }.map(\.key.name)
            return nothing(names.isEmpty ? nil : "copies were left of \(names.joined(separator: ", "))", in: report)
        case .orphaned(let name?):
            let found = Self.withoutKey(in: report)
            return something(found.contains { $0.name == name }, "orphaned: \(Self.list(found))", in: report)
        case .orphaned(nil):
            let found = Self.withoutKey(in: report)
            return nothing(found.isEmpty ? nil : "orphaned: \(Self.list(found))", in: report)
        case .unclaimed(let name): return compare(name, with: .unclaimed, in: report)
        case .abandoned(let name): return compare(name, with: .abandoned, in: report)
        case .leaves(let key, let wanted):
            let leaves = report.leaving.contains(try item(of: key, in: report).key.name)
            return (leaves == wanted, leaves ? "it leaves the device" : "it never leaves the device")
        case .warning(let key, let words):
            let warnings = try item(of: key, in: report).warnings
            return (warnings.contains { $0.contains(words) }, warnings.isEmpty ? "it warns of nothing" : warnings.joined(separator: "; "))
        case .noWarnings: return (report.warnings.isEmpty, report.warnings.joined(separator: "; "))
        }
    }

    private func compare(_ name: String?, with kind: StorageFinding.Kind, in report: StorageAuditReport) -> (Bool?, String) {
        let found = (report.findings ?? []).filter { $0.kind == kind }
        let words = "\(kind.rawValue): \(Self.list(found))"
        guard let name else { return nothing(found.isEmpty ? nil : words, in: report) }
        return something(found.contains { $0.name == name }, words, in: report)
    }

    /// That something was found. What was not may lie where the audit could not look into.
    private func something(_ isFound: Bool, _ words: String, in report: StorageAuditReport) -> (Bool?, String) {
        isFound || Self.unreadable(in: report).isEmpty ? (isFound, words) : (nil, Self.words(Self.unreadable(in: report)))
    }

    /// That there is nothing, which nobody can say of what the audit could not look into.
    private func nothing(_ found: String?, in report: StorageAuditReport) -> (Bool?, String) {
        if let found { return (false, found) }
        let unseen = Self.unreadable(in: report)
        return (unseen.isEmpty ? true : nil, Self.words(unseen))
    }

    private static func unreadable(in report: StorageAuditReport) -> [StorageFinding] {
        (report.findings ?? []).filter { $0.kind == .unreadable }
    }

    private static func words(_ unseen: [StorageFinding]) -> String {
        let places = unseen.map { finding in
            [finding.place, finding.name, finding.error?.rawValue ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        return "not to be looked into: \(places.isEmpty ? "nothing" : places.joined(separator: "; "))"
    }

    /// What is LocalData's and belongs to no key: also what a write that did not end has left, which the next use takes away.
    private static func withoutKey(in report: StorageAuditReport) -> [StorageFinding] {
        (report.findings ?? []).filter { $0.isOrphaned || $0.kind == .leftover }
    }

    private func item(of key: KeyReference, in report: StorageAuditReport) throws -> StorageAuditReport.Item {
        guard let item = report.items.first(where: { $0.key.name == scenario[key].name }) else {
            throw StepFailure("'\(key.identifier)' is in no catalog of the app that runs, so its audit says nothing of it")
        }
        return item
    }

    private func presence(of key: KeyReference, in report: StorageAuditReport) throws -> StoragePresence {
        try item(of: key, in: report).presence ?? .notApplicable
    }

    /// What may lie at a place that could not be looked into, nobody can tell.
    private func copies(of key: KeyReference, in report: StorageAuditReport, _ state: LegacyCopy.State) throws -> (Bool?, String) {
        let copies = try item(of: key, in: report).legacyCopies
        let isFound = copies.contains { $0.state == state }
        let unseen = copies.compactMap { copy in
            if case .unreadable(let code) = copy.state { "\(copy.place), \(copy.name), \(code.rawValue)" } else { nil }
        }
        guard isFound || unseen.isEmpty else { return (nil, "not to be looked into: \(unseen.joined(separator: "; "))") }
        return (isFound, copies.isEmpty ? "nothing is left of \(key.identifier)" : "\(copies.map(\.name))")
    }

    private func words(_ presence: StoragePresence, _ key: KeyReference) -> String {
        switch presence {
        case .missing: "missing \(key.identifier)"
        case .present: "present \(key.identifier)"
        case .damaged: "damaged \(key.identifier)"
        case .unreadable(let code): "unreadable \(key.identifier) \(code.rawValue)"
        case .notApplicable: "not applicable"
        }
    }

    private static func list(_ findings: [StorageFinding]) -> String {
        findings.isEmpty ? "nothing" : findings.map { ScenarioValue.quoted($0.name) }.joined(separator: ", ")
    }
}

extension StepFailure {
    /// What an audit says, or that it does not: it was made.
    fileprivate static func ofAudit(_ message: String, _ condition: AuditCondition, of device: DeviceID, _ found: String) -> StepFailure {
        var failure = StepFailure(message, expected: "expect \(device) audit \(condition.notation)", actual: found)
        failure.isFinding = true
        return failure
    }
}

extension StoragePresence {
    /// Whether the audit knows what there is.
    fileprivate var isTold: Bool { if case .unreadable = self { false } else { true } }
}
