import DeviceSimLanguage
import LocalData

/// What speaks against the catalogs that a file declares, by the declarations alone. LocalData registers nothing of such a catalog.
///
/// An app whose catalog is refused for no reason is told from one that is refused rightly by this: so it asks no registry.
enum CatalogProblems {
    /// What speaks against each catalog of that version of the app, in the order in which it registers them; those in order are left out.
    static func among(_ keys: [ScenarioKey], in version: AppVersion) -> [(catalog: String, problems: [String])] {
        var found: [(catalog: String, problems: [String])] = []
        var registered: [KeyDeclaration] = []
        for (catalog, listed) in catalogs(of: keys, in: version) {
            let problems = problems(of: listed, besides: registered, keys)
            if problems.isEmpty { registered += listed } else { found.append((catalog, problems)) }
        }
        return found
    }

    /// The catalogs that LocalData may refuse for what it finds on a device: two keys that have one file there.
    static func maySeeOneFile(_ scenario: Scenario, in version: AppVersion) -> Set<String> {
        let catalogs = catalogs(of: scenario.keys, in: version)
        if scenario.hasLinks { return Set(catalogs.map(\.name)) }
        let keys = scenario.keys.filter { $0.declaration?.exists(in: version) == true }
        return Set(
            keys.filter { key in
                keys.contains {
                    $0.identifier != key.identifier && $0.mayBeOneFile(with: key, ignoringCase: scenario.knobs.diskIgnoresCase)
                }
            }.compactMap { $0.declaration?.catalog })
    }

    private static func catalogs(of keys: [ScenarioKey], in version: AppVersion) -> [(name: String, listed: [KeyDeclaration])] {
        var listed: [String: [KeyDeclaration]] = [:]
        for declaration in keys.compactMap(\.declaration) where declaration.exists(in: version) {
            guard let catalog = declaration.catalog else { continue }
            // All names of a kind are one entry of the catalog.
            if let kind = declaration.placeholder, listed[catalog]?.contains(where: { $0.listedName == kind }) == true { continue }
            listed[catalog, default: []].append(declaration)
        }
        return listed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func problems(of listed: [KeyDeclaration], besides others: [KeyDeclaration], _ keys: [ScenarioKey]) -> [String] {
        var problems: [String] = []
        var names = Set(others.map(\.listedName))
        var places: [String: String] = [:]
        // A kind of names that are made at run time has no place of its own.
        for other in others where other.placeholder == nil { (try? place(of: other)).map { places[$0] = other.name } }
        for key in listed {
            if !names.insert(key.listedName).inserted { problems.append("'\(key.listedName)' is listed twice") }
            do throws(StorageError) {
                try key.security.requireEnvelopeCanHold()
                if key.placeholder == nil {
                    let place = try place(of: key)
                    if let other = places[place], other != key.name {
                        problems.append("'\(other)' and '\(key.name)' are stored at the same place: \(place)")
                    }
                    places[place] = places[place] ?? key.name
                }
            } catch {
                problems.append("'\(key.name)' cannot be stored: \(error.facts.joined(separator: "; "))")
            }
            let sources = (key.migrationSource?.keys ?? []).compactMap { keys[$0.index].declaration }.compactMap { try? place(of: $0) }
            if Set(sources).count < sources.count { problems.append("'\(key.name)' migrates from one place twice") }
            if key.description.allSatisfy(\.isWhitespace) { problems.append("'\(key.name)' has no description") }
            if key.owner.allSatisfy(\.isWhitespace) { problems.append("'\(key.name)' has no owner") }
        }
        return problems
    }

    private static func place(of key: KeyDeclaration) throws(StorageError) -> String {
        do {
            return try StorageLocation(name: key.name, domain: key.domain, security: key.security).physical
        } catch {
            throw error as? StorageError ?? StorageError(.invalidKey, facts: ["\(error)"])
        }
    }
}

extension KeyDeclaration {
    /// What its catalog lists it as.
    fileprivate var listedName: String { placeholder ?? name }
}

extension SearchSpace {
    /// The catalogs that LocalData refuses of versions of the app that the file speaks of, and why: for saying so.
    public var refusedCatalogs: [(catalog: String, versions: [AppVersion], problems: [String])] {
        var versions = [base.start.phone.appVersion, base.start.watch.appVersion] + base.steps.compactMap(\.action.newVersion)
        // No app of an earlier version runs: what those kept is only found.
        versions += base.keys.flatMap { [$0.declaration?.since, $0.declaration?.until].compactMap(\.self) }.filter { $0 >= .first }
        var found: [(catalog: String, versions: [AppVersion], problems: [String])] = []
        for version in Set(versions).sorted() {
            for (catalog, problems) in CatalogProblems.among(base.keys, in: version) {
                if let index = found.firstIndex(where: { $0.catalog == catalog && $0.problems == problems }) {
                    found[index].versions.append(version)
                } else {
                    found.append((catalog, [version], problems))
                }
            }
        }
        return found
    }
}

extension ScenarioStep.Action {
    fileprivate var newVersion: AppVersion? {
        if case .device(let step) = self, case .update(let version) = step.action { version } else { nil }
    }
}
