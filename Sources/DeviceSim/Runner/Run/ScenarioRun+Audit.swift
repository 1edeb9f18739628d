import DeviceSimCore
import DeviceSimLanguage
import LocalData

extension ScenarioRun {
    /// Compares what the app's audit says. The whole report is made, so that every expectation shows that it can be.
    func audit(of device: Device, _ condition: AuditCondition) throws -> ExpectationResult {
        let report = try ask(device) { await StorageRouter.shared.auditReport() }.get()
        let (holds, found) = try compare(report, condition)
        return .check(
            holds, "the audit says otherwise: \(found)", expected: "expect \(device.id) audit \(condition.notation)",
            actual: holds ? nil : found)
    }

    /// - Returns: Whether the report says so, and in words what it says.
    private func compare(_ report: StorageAuditReport, _ condition: AuditCondition) throws -> (Bool, String) {
        switch condition {
        case .present(let key):
            let presence = try presence(of: key, in: report)
            if case .present = presence { return (true, "") }
            return (false, words(presence, key))
        case .missing(let key): return try (presence(of: key, in: report) == .missing, words(presence(of: key, in: report), key))
        case .damaged(let key):
            let presence = try presence(of: key, in: report)
            if case .damaged = presence { return (true, "") }
            return (false, words(presence, key))
        case .unreadable(let key, let error):
            let presence = try presence(of: key, in: report)
            if case .unreadable(let code) = presence { return (.storage(code) == error, words(presence, key)) }
            return (false, words(presence, key))
        case .residual(let key?): return try copies(of: key, in: report, .residual)
        case .waiting(let key): return try copies(of: key, in: report, .waiting)
        case .residual(nil):
            let names = report.items.filter { $0.legacyCopies.contains { $0.state == .residual } }.map(\.key.name)
            return (names.isEmpty, "copies were left of \(names.joined(separator: ", "))")
        case .orphaned(let name?):
            let found = Self.withoutKey(in: report)
            return (found.contains { $0.name == name }, "orphaned: \(Self.list(found))")
        case .orphaned(nil):
            let found = Self.withoutKey(in: report)
            return (found.isEmpty, "orphaned: \(Self.list(found))")
        case .unclaimed(let name):
            let unclaimed = (report.findings ?? []).filter { $0.kind == .unclaimed }
            return (name.map { name in unclaimed.contains { $0.name == name } } ?? unclaimed.isEmpty, "unclaimed: \(Self.list(unclaimed))")
        case .abandoned(let name):
            let abandoned = (report.findings ?? []).filter { $0.kind == .abandoned }
            return (name.map { name in abandoned.contains { $0.name == name } } ?? abandoned.isEmpty, "abandoned: \(Self.list(abandoned))")
        case .leaves(let key, let wanted):
            let leaves = report.leaving.contains(try item(of: key, in: report).key.name)
            return (leaves == wanted, leaves ? "it leaves the device" : "it never leaves the device")
        case .warning(let key, let words):
            let warnings = try item(of: key, in: report).warnings
            return (warnings.contains { $0.contains(words) }, warnings.isEmpty ? "it warns of nothing" : warnings.joined(separator: "; "))
        case .noWarnings: return (report.warnings.isEmpty, report.warnings.joined(separator: "; "))
        }
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

    private func copies(of key: KeyReference, in report: StorageAuditReport, _ state: LegacyCopy.State) throws -> (Bool, String) {
        let copies = try item(of: key, in: report).legacyCopies
        return (copies.contains { $0.state == state }, copies.isEmpty ? "nothing is left of \(key.identifier)" : "\(copies.map(\.name))")
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
