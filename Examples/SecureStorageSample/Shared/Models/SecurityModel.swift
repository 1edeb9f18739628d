import LocalData
import Observation

/// The screen of keys: what seals, what a rotation would do, and doing it.
@MainActor
@Observable
final class SecurityModel: ShowsProblems {
    static let shared = SecurityModel()

    /// The values that are not sealed as their keys declare today.
    private(set) var due: [String] = []
    /// The old keys that something still needs, with what that is.
    private(set) var keptKeys: [String] = []
    private(set) var retiredCount = 0
    var problem: String?

    /// Reads, and changes nothing.
    func load() async {
        await attempt {
            let plan = try await StorageRouter.shared.keyRotationPlan()
            due = plan.values.compactMap { value in
                guard case .due(let differences) = value.state else { return nil }
                return "\(value.key): \(differences.map(\.rawValue).joined(separator: ", "))"
            }
        }
    }

    /// A new master key, under which everything is sealed anew. An interrupted rotation goes on.
    func rotate() async {
        await attempt {
            let report = try await StorageRouter.shared.rotateKeys()
            for outcome in report.outcomes {
                if case .failed(let error) = outcome.result { throw error }
                if case .deferred(let error) = outcome.result { throw error }
            }
        }
        await load()
    }

    /// After an update that changed policies: what was plain is sealed, what had another protection gets the declared one.
    func reseal() async {
        await attempt { _ = try await StorageRouter.shared.resealValues() }
        await load()
    }

    /// Old keys go once nothing needs them. Where sealed values lie in preferences, a later launch finishes this.
    func retire() async {
        await attempt {
            let report = try await StorageRouter.shared.retireUnneededKeys(whileOthersAreQuiet: true)
            retiredCount += report.retired.count
            keptKeys = report.kept.flatMap { $0.needs.map(\.text) }
        }
    }
}
