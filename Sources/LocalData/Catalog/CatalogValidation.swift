/// What stands against a catalog. All problems at once, in the order of its list.
enum CatalogValidation {
    /// - Parameter physicalName: The file of a key, by a name that all keys of that file have; `nil` where it has none, or that is not known now.
    static func problems(
        of entries: [CatalogRegistry.Entry], besides others: [CatalogRegistry.Entry], physicalName: (StorageKeyDescriptor) -> String?
    ) -> [String] {
        var names: [String: String] = [:]
        var places: [String: CatalogRegistry.Entry] = [:]
        for other in others {
            names[other.descriptor.name] = other.catalog
            if let place = try? location(of: other.descriptor)?.physical { places[place] = other }
        }
        var problems: [String] = []
        for entry in entries {
            let key = entry.descriptor
            if let catalog = names[key.name] {
                problems.append(
                    catalog == entry.catalog
                        ? "'\(key.name)' is listed twice in \(catalog)" : "'\(key.name)' is listed in \(catalog) and in \(entry.catalog)")
            } else {
                names[key.name] = entry.catalog
            }
            do {
                if let place = try location(of: key)?.physical {
                    if let other = places[place], other.descriptor.name != key.name {
                        problems.append("'\(other.descriptor.name)' and '\(key.name)' are stored at the same place: \(place)")
                    } else {
                        places[place] = places[place] ?? entry
                    }
                }
            } catch {
                let facts = (error as? StorageError)?.facts ?? []
                problems.append("'\(key.name)' cannot be stored: \(facts.isEmpty ? "\(error)" : facts.joined(separator: "; "))")
            }
            problems += sourceProblems(of: entry)
            if isBlank(key.description) { problems.append("'\(key.name)' has no description") }
            if isBlank(key.owner) { problems.append("'\(key.name)' has no owner") }
        }
        return problems + sharedFiles(of: entries, besides: others, physicalName: physicalName)
    }

    /// A migration that names one place twice can never run. One that names its own can: it gives the counterpart's values of an earlier form a newer one.
    private static func sourceProblems(of entry: CatalogRegistry.Entry) -> [String] {
        guard let key = entry.key?.base, let migration = key.migration?.base as? any PlannedMigration else { return [] }
        var taken: Set<String> = []
        return migration.sourceKeys.compactMap { source in
            guard let place = try? StorageLocation(of: source.base).physical else { return nil }
            return taken.insert(place).inserted ? nil : "'\(key.name)' migrates from one place twice: \(place)"
        }
    }

    /// Keys at one place that their declarations do not show: through a link, or under names that differ where the volume sees no difference.
    private static func sharedFiles(
        of entries: [CatalogRegistry.Entry], besides others: [CatalogRegistry.Entry], physicalName: (StorageKeyDescriptor) -> String?
    ) -> [String] {
        var problems: [String] = []
        for keys in CatalogRegistry.rivals(among: (others + entries).map(\.descriptor)) {
            var taken: [String: StorageKeyDescriptor] = [:]
            for key in keys {
                guard let name = physicalName(key) else { continue }
                guard let other = taken[name] else {
                    taken[name] = key
                    continue
                }
                // What is said already of places and names.
                guard other.name != key.name || other.domain != key.domain,
                    (try? location(of: other)?.physical) != (try? location(of: key)?.physical)
                else { continue }
                problems.append(
                    "'\(other.name)' in \(other.domain.kind) and '\(key.name)' in \(key.domain.kind) are one file on this device")
            }
        }
        return problems
    }

    /// `nil` for a placeholder, which has no place of its own.
    private static func location(of key: StorageKeyDescriptor) throws -> StorageLocation? {
        key.isPlaceholder ? nil : try StorageLocation(of: key)
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
