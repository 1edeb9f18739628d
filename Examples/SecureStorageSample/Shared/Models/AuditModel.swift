import LocalData
import Observation

/// The screen of the audit: what is declared, what lies on the device, and what speaks against it. It shows no value.
@MainActor
@Observable
final class AuditModel {
    static let shared = AuditModel()

    private(set) var text = ""
    private(set) var warnings: [String] = []
    private(set) var leaving: [String] = []
    /// What no key accounts for, and copies that migrations have left.
    private(set) var leftovers: [String] = []

    func load() async {
        let report = await StorageRouter.shared.auditReport()
        text = report.text
        warnings = report.warnings
        leaving = report.leaving
        leftovers = report.orphans.map { "\($0.kind.rawValue) \($0.name)" } + report.items.flatMap { $0.legacyCopies.map(\.name) }
    }
}
