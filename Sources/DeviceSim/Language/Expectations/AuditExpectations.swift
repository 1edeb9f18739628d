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
    /// Something at that place could not be looked into.
    case unreadablePlace(String)
    /// A copy of the key's value still lies where an earlier version kept it; with `nil`, no key has one.
    case residual(KeyReference?)
    /// A value lies where the key's migration will fetch it.
    case waiting(KeyReference)
    /// Something of LocalData's has that name and belongs to no key; with `nil`, nothing does, and all could be looked into.
    case orphaned(String?)
    /// Something of that name lies beside registered values, perhaps the app's own; with `nil`, nothing does, as with ``orphaned(_:)``.
    case unclaimed(String?)
    /// Something of that name lies in a place of which no key is left; with `nil`, nothing does, as with ``orphaned(_:)``.
    case abandoned(String?)
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
        case .unreadablePlace(let place): "unreadable at \(ScenarioValue.quoted(place))"
        case .residual(let key): "residual \(key?.identifier ?? "nothing")"
        case .waiting(let key): "waiting \(key.identifier)"
        case .orphaned(let name): "orphaned \(name.map(ScenarioValue.quoted) ?? "nothing")"
        case .unclaimed(let name): "unclaimed \(name.map(ScenarioValue.quoted) ?? "nothing")"
        case .abandoned(let name): "abandoned \(name.map(ScenarioValue.quoted) ?? "nothing")"
        case .leaves(let key, let leaves): "\(leaves ? "leaves" : "keeps") \(key.identifier)"
        case .warning(let key, let words): "warns of \(key.identifier) \(ScenarioValue.quoted(words))"
        case .noWarnings: "warns of nothing"
        }
    }
}

extension Vocabulary {
    static let auditForms: [Form] = [
        keyed("present KEY", "the audit finds a value of the key", example: "present theme") { .present($0) },
        keyed("missing KEY", "the audit finds that the key has no value", example: "missing theme") { .missing($0) },
        keyed("damaged KEY", "the audit finds something that `get` can never return", example: "damaged token") { .damaged($0) },
        audit("unreadable KEY ERROR", "the audit cannot look at the key's value for now", example: "unreadable token locked") { match in
            guard let key = match.key(), let error = match.error else { return nil }
            return .unreadable(key, error)
        },
        audit(
            "unreadable at STRING", "the audit could not look into a place that it calls so, or into something of that name",
            example: "unreadable at \"keychain, other services\""
        ) { $0.string().map { .unreadablePlace($0) } },
        keyed(
            "residual KEY", "the key has its value, or it was removed, and a copy still lies where an earlier version kept it",
            example: "residual theme"
        ) {
            .residual($0)
        },
        audit(
            "residual nothing",
            "no key has a copy of its value, or of a removed one, where an earlier version kept it, and all could be seen",
            example: "residual nothing"
        ) { _ in
            .residual(nil)
        },
        keyed("waiting KEY", "the key has no value yet, and its migration will fetch one", example: "waiting theme") { .waiting($0) },
        audit(
            "orphaned STRING",
            "something of that name is LocalData's and belongs to no registered key, or is left of a write that did not end",
            example: "orphaned \"oldTheme\""
        ) { $0.string().map { .orphaned($0) } },
        audit(
            "orphaned nothing",
            "all that is LocalData's belongs to a registered key, and no write has left anything behind, and all could be seen",
            example: "orphaned nothing"
        ) { _ in .orphaned(nil)
        },
        audit(
            "unclaimed STRING", "something of that name lies beside registered values, perhaps the app's own",
            example: "unclaimed \"notes\""
        ) { $0.string().map { .unclaimed($0) } },
        audit(
            "unclaimed nothing", "nothing lies beside registered values that is not theirs, and all could be seen",
            example: "unclaimed nothing"
        ) { _ in .unclaimed(nil) },
        audit(
            "abandoned STRING", "something of that name lies in a place where LocalData kept values and of which no key is left",
            example: "abandoned \"notes\""
        ) { $0.string().map { .abandoned($0) } },
        audit(
            "abandoned nothing", "nothing lies in a place where LocalData kept values and of which no key is left, and all could be seen",
            example: "abandoned nothing"
        ) { _ in .abandoned(nil) },
        keyed("leaves KEY", "values of the key leave the device, by the sync policy in force", example: "leaves theme") {
            .leaves($0, true)
        },
        keyed("keeps KEY", "values of the key never leave the device, by the sync policy in force", example: "keeps theme") {
            .leaves($0, false)
        },
        audit(
            "warns of KEY STRING", "the linter warns of the key's declaration, in these words among others",
            example: "warns of token \"deprecated\""
        ) { match in
            guard let key = match.key(), let words = match.string() else { return nil }
            return .warning(key, words)
        },
        audit("warns of nothing", "the linter finds all declarations sound", example: "warns of nothing") { _ in .noWarnings },
    ]

    private static func audit(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> AuditCondition?
    ) -> Form {
        Form(.expect, "EXPECT DEVICE audit \(pattern) [TIMING]", help, example: "expect phone audit \(example)") { match in
            condition(match).flatMap { condition in onDevice(match) { .audit($0, condition) } }
        }
    }

    private static func keyed(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (KeyReference) -> AuditCondition
    ) -> Form {
        audit(pattern, help, example: example) { $0.key().map(condition) }
    }
}
