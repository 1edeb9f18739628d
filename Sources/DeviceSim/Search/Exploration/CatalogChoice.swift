import DeviceSimCore
import DeviceSimLanguage

/// Which catalogs list the keys of a run: mostly one, and in some runs several, which an app registers one after the other.
enum CatalogChoice {
    /// One run in so many has several catalogs.
    private static let odds = 6
    private static let names = ["Account", "Reading", "Widgets"]

    static func drawn(for scenario: Scenario, _ random: SeededGenerator) -> Scenario {
        var random = random
        guard random.below(odds) == 0 else { return scenario }
        var catalogs: [Int: String] = [:]
        let families = families(of: scenario.keys)
        let keys = scenario.keys.indices.map { index -> ScenarioKey in
            let key = scenario.keys[index]
            guard var declaration = key.declaration, declaration.catalog == KeyDeclaration.defaultCatalog else { return key }
            let family = families[index]
            let catalog = catalogs[family] ?? names[random.below(names.count)]
            catalogs[family] = catalog
            declaration.catalog = catalog
            return ScenarioKey(identifier: key.identifier, type: key.type, origin: .declared(declaration), range: key.range)
        }
        return scenario.replacing(keys: keys)
    }

    /// The first key of those that belong together, for each: of one name, of one kind of names made at run time, or joined by migrations. One catalog
    /// lists them: LocalData refuses a name, or a kind of names, that two list, and the documentation of `registerCatalog(_:migrateImmediately:)` says so of
    /// migrations that share a source.
    private static func families(of keys: [ScenarioKey]) -> [Int] {
        var families = Array(keys.indices)
        func join(_ one: Int, _ other: Int) {
            let (least, most) = (min(families[one], families[other]), max(families[one], families[other]))
            for index in families.indices where families[index] == most { families[index] = least }
        }
        for (index, key) in keys.enumerated() {
            if let twin = keys[..<index].firstIndex(where: { $0.name == key.name }) { join(twin, index) }
            if let kind = key.declaration?.placeholder, let twin = keys[..<index].firstIndex(where: { $0.declaration?.placeholder == kind })
            {
                join(twin, index)
            }
            for source in key.declaration?.migrationSource?.keys ?? [] { join(source.index, index) }
        }
        return families
    }
}
