import LocalData

extension Vocabulary {
    static let auditForms: [Form] = [
        keyed("present KEY", "the audit finds a value of the key", example: "present theme") { .present($0) },
        keyed("missing KEY", "the audit finds that the key has no value", example: "missing theme") { .missing($0) },
        keyed("damaged KEY", "the audit finds something that `get` can never return", example: "damaged token") { .damaged($0) },
        audit("unreadable KEY ERROR", "the audit cannot look at the key's value for now", example: "unreadable token locked") { match in
            guard let key = match.key(), let error = match.error else { return nil }
            return .unreadable(key, error)
        },
        keyed("residual KEY", "the key has its value, and a copy still lies where an earlier version kept it", example: "residual theme") {
            .residual($0)
        },
        audit("residual nothing", "no key has a copy of its value where an earlier version kept it", example: "residual nothing") { _ in
            .residual(nil)
        },
        keyed("waiting KEY", "the key has no value yet, and its migration will fetch one", example: "waiting theme") { .waiting($0) },
        audit(
            "orphaned STRING",
            "something of that name is LocalData's and belongs to no registered key, or is left of a write that did not end",
            example: "orphaned \"oldTheme\""
        ) { $0.string().map { .orphaned($0) } },
        audit(
            "orphaned nothing", "all that is LocalData's belongs to a registered key, and no write has left anything behind",
            example: "orphaned nothing"
        ) { _ in .orphaned(nil)
        },
        audit(
            "unclaimed STRING", "something of that name lies beside registered values, perhaps the app's own",
            example: "unclaimed \"notes\""
        ) { $0.string().map { .unclaimed($0) } },
        audit(
            "abandoned STRING", "something of that name lies in a place where LocalData kept values and of which no key is left",
            example: "abandoned \"notes\""
        ) { $0.string().map { .abandoned($0) } },
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
