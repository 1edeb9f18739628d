import DeviceSimCore
import LocalData

/// What `auditReport()` says.
public enum AuditCondition: Sendable, Hashable {
    /// The key has a value.
    case present(KeyReference)
    /// The key has no value, and its place was readable.
    case missing(KeyReference)
    /// Something is there that `get` can never return.
    case damaged(KeyReference)
    /// It cannot be read for now, and why.
    case unreadable(KeyReference, ScenarioErrorName)
    /// A copy of the key's value still lies where an earlier version kept it; with `nil`, no key has one.
    case residual(KeyReference?)
    /// A value lies where the key's migration will fetch it.
    case waiting(KeyReference)
    /// Something of LocalData's has that name and belongs to no key; with `nil`, nothing does.
    case orphaned(String?)
    /// Something of that name lies beside registered values, perhaps the app's own.
    case unclaimed(String)
    /// Something of that name lies in a place of which no key is left.
    case abandoned(String)
    /// Whether the key's value leaves the device under the sync policy in force.
    case leaves(KeyReference, Bool)
    /// The linter says so of the key's declaration: a part of the warning's words.
    case warning(KeyReference, String)
    /// The linter warns of no key.
    case noWarnings
}

extension AuditCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .present(let key): "present \(key.identifier)"
        case .missing(let key): "missing \(key.identifier)"
        case .damaged(let key): "damaged \(key.identifier)"
        case .unreadable(let key, let error): "unreadable \(key.identifier) \(error.name)"
        case .residual(let key): "residual \(key?.identifier ?? "nothing")"
        case .waiting(let key): "waiting \(key.identifier)"
        case .orphaned(let name): "orphaned \(name.map(ScenarioValue.quoted) ?? "nothing")"
        case .unclaimed(let name): "unclaimed \(ScenarioValue.quoted(name))"
        case .abandoned(let name): "abandoned \(ScenarioValue.quoted(name))"
        case .leaves(let key, let leaves): "\(leaves ? "leaves" : "keeps") \(key.identifier)"
        case .warning(let key, let words): "warns of \(key.identifier) \(ScenarioValue.quoted(words))"
        case .noWarnings: "warns of nothing"
        }
    }
}
