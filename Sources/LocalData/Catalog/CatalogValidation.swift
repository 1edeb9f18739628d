/// What stands against a catalog. All problems at once, in the order of its list.
enum CatalogValidation {
    static func problems(of entries: [CatalogRegistry.Entry], besides others: [CatalogRegistry.Entry]) -> [String] {
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
            if isBlank(key.description) { problems.append("'\(key.name)' has no description") }
            if isBlank(key.owner) { problems.append("'\(key.name)' has no owner") }
        }
        return problems
    }

    /// `nil` for a placeholder, which has no place of its own.
    private static func location(of key: StorageKeyDescriptor) throws -> StorageLocation? {
        key.isPlaceholder ? nil : try StorageLocation(name: key.name, domain: key.domain, security: key.security)
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
