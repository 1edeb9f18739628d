import LocalData

extension Vocabulary {
    static let migrationForms: [Form] = [
        migrates("migrates from KEY", "where the value of an earlier version lies: at another key", example: "migrates from oldTheme") {
            $0.key().map { .key($0) }
        },
        migrates(
            "migrates from KEY by TRANSFORMATION", "… in another form, or of another type", example: "migrates from oldTheme by uppercasing"
        ) { match in
            guard let key = match.key(), let transformation = match.word(.transformation).flatMap(MigrationDeclaration.Transformation.init)
            else { return nil }
            return .transformed(key, transformation)
        },
        migrates(
            "migrates from KEY and KEY [and KEY] by COMBINATION [awaiting all]",
            "… at several keys; those that hold nothing are left out, or awaited",
            example: "migrates from oldTheme and theme by joining awaiting all"
        ) { match in
            guard let combination = match.word(.combination).flatMap(MigrationDeclaration.Combination.init) else { return nil }
            return .combined((0...2).compactMap { match.key($0) }, combination, match.has("awaiting") ? .awaited : .allowed)
        },
        migrates(
            "migrates from userDefaults [suite STRING] name STRING", "… or in preferences, under a name",
            example: "migrates from userDefaults name \"old_theme\""
        ) { match in
            let suite = match.has("suite") ? match.string(0) : nil
            guard let name = match.string(match.has("suite") ? 1 : 0) else { return nil }
            return .place(name: name, domain: .userDefaults(suite: suite))
        },
        condition(
            "migrates when version at least VERSION", "… but only in that version of the app and later ones",
            example: "migrates when version at least 2.0"
        ) { $0.version().map { .fromVersion($0) } },
        condition(
            "migrates when version below VERSION", "… but only in earlier versions of the app", example: "migrates when version below 3.0"
        ) { $0.version().map { .belowVersion($0) } },
        condition("migrates when device DEVICE", "… but only on that device", example: "migrates when device watch") {
            $0.device.map { .device($0) }
        },
    ]

    private static func migrates(
        _ pattern: String, _ help: String, example: String, _ source: @escaping @Sendable (Match) -> MigrationDeclaration.Source?
    ) -> Form {
        attribute(pattern, help, example: example, "migrates") { match in source(match).map { source in { $0.migrationSource = source } } }
    }

    private static func condition(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> MigrationDeclaration.Condition?
    ) -> Form {
        attribute(pattern, help, example: example, "condition") { match in
            condition(match).map { condition in { $0.migrationCondition = condition } }
        }
    }
}
