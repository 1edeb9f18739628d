/// Migrations that get in each other's way, or in that of a key in use.
extension StorageKeyLinter {
    static func migrationWarnings(for entry: CatalogRegistry.Entry, among entries: [CatalogRegistry.Entry]) -> [String] {
        guard let key = entry.key?.base else { return [] }
        var warnings: [String] = []
        for source in key.migration?.base.sourceKeys.map(\.base) ?? [] {
            guard let place = try? StorageLocation(of: source).physical else { continue }
            for other in entries where other.descriptor.name != key.name {
                let isThere = (try? StorageLocation(of: other.descriptor))?.physical == place
                if isThere {
                    warnings.append(
                        "its migration's source '\(source.name)' is the key '\(other.descriptor.name)', which is in use: the value is copied once, "
                            + "and the source stays")
                } else if other.key?.base.migratesDirectly(from: place) == true {
                    warnings.append(
                        "its migration's source '\(source.name)' is that of '\(other.descriptor.name)' as well: it stays until both have their values"
                    )
                }
            }
        }
        return warnings
    }
}

extension StorageKey {
    /// Whether its migration names that place, by ``StorageLocation/physical``.
    func migratesDirectly(from place: String) -> Bool {
        migration?.base.sourceKeys.contains { (try? StorageLocation(of: $0.base))?.physical == place } ?? false
    }
}

extension StorageLocation {
    /// The place of the key that a catalog describes.
    init(of key: StorageKeyDescriptor) throws {
        try self.init(name: key.name, domain: key.domain, security: key.security)
    }
}
