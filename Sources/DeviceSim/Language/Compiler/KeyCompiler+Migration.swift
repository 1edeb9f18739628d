extension KeyCompiler {
    /// What no migration could be made of.
    func checkMigration(of declaration: KeyDeclaration, of identifier: String, type: ScenarioType, places: [String: SourceRange]) {
        if declaration.migrationSource == nil, let place = places["condition"] {
            report.diagnose(
                place, "`\(identifier)` has no migration that this could be a condition of", hint: "write `migrates from KEY` above it")
        }
        guard let source = declaration.migrationSource, let place = places["migrates"] else { return }
        var seen: Set<String> = []
        for key in source.keys {
            if key.identifier == identifier {
                report.diagnose(place, "`\(identifier)` cannot migrate from itself", hint: "declare the old place as a key of its own")
            } else if !seen.insert(key.identifier).inserted {
                report.diagnose(place, "`\(key.identifier)` is named twice", hint: "name each old value once")
            } else if let other = context.keys[key.identifier] {
                check(other.type, of: key.identifier, becomes: type, of: identifier, by: source, at: place)
            }
        }
    }

    private func check(
        _ old: ScenarioType, of source: String, becomes new: ScenarioType, of identifier: String, by migration: MigrationDeclaration.Source,
        at place: SourceRange
    ) {
        switch migration {
        case .transformed(_, let transformation):
            let types = transformation.types
            guard types != (old, new) else { return }
            report.diagnose(
                place, "`by \(transformation.rawValue)` makes a \(types.destination) of a \(types.source)",
                hint: "`\(source)` is of the type \(old), and `\(identifier)` of the type \(new)")
        case .combined(_, let combination, _) where combination.type.map { $0 != new || $0 != old } == true:
            report.diagnose(
                place, "`by \(combination.rawValue)` makes a \(new) of no \(old)",
                hint: "it takes and gives the type \(combination.type ?? new)")
        case .key, .place, .combined:
            guard old != new else { return }
            report.diagnose(
                place, "`\(source)` is of the type \(old), and `\(identifier)` of the type \(new)", hint: "give both one type")
        }
    }
}
