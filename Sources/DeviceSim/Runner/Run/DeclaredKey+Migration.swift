import DeviceSimCore
import DeviceSimLanguage
import LocalData

extension ScenarioStorageKey {
    /// The same key with the values of an earlier version at `sources`; `nil` where there are too few of them.
    func migrating(_ declaration: MigrationDeclaration, from sources: [AnyStorageKey]) -> Self? {
        guard let first = sources.first else { return nil }
        switch declaration.source {
        case .key, .place:
            return with(SimpleLegacyMigration(destinationKey: self, sourceKey: first), when: declaration.condition)
        case .transformed(_, let transformation):
            return transforming(first.base, by: transformation, when: declaration.condition)
        case .combined(_, let combination, let missing):
            let migration = AggregatingMigration(destinationKey: self, sourceKeys: sources, missing: missing) { found in
                let values = try sources.compactMap { try found.scenarioValue(of: $0.base) }
                guard let value = try combination.apply(values) else { throw found.conflict() }
                return try Self.typed(value)
            }
            return with(migration, when: declaration.condition)
        }
    }

    private func transforming(
        _ source: some StorageKey, by transformation: MigrationDeclaration.Transformation, when condition: MigrationDeclaration.Condition?
    ) -> Self {
        let migration = TransformingMigration(destinationKey: self, sourceKey: source) { value in
            guard let value = value as? any ScenarioRepresentable else { throw UnfitValue() }
            return try Self.typed(transformation.apply(value.scenarioValue))
        }
        return with(migration, when: condition)
    }

    private func with(_ migration: some StorageMigration, when condition: MigrationDeclaration.Condition?) -> Self {
        guard let condition = condition?.condition else { return replacing(plain.with(AnyStorageMigration(migration))) }
        return replacing(plain.with(AnyStorageMigration(ConditionalMigration(when: condition, migration))))
    }

    private static func typed(_ value: ScenarioValue) throws -> Value {
        guard let typed = Value(value) else { throw UnfitValue() }
        return typed
    }
}
