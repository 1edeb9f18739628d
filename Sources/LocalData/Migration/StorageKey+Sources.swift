extension StorageKey {
    /// The keys that its migration takes values from, and theirs, each place once: migrations may form circles.
    var allSources: [any StorageKey] { (migration?.base.sourceKeys ?? []).withTheirSources }
}

extension [AnyStorageKey] {
    /// These keys, those that their migrations take values from, and so on, each place once.
    var withTheirSources: [any StorageKey] {
        var found: [any StorageKey] = []
        var visited: Set<String> = []
        var open = map(\.base)
        while let key = open.popLast() {
            guard let place = try? StorageLocation(of: key).physical, visited.insert(place).inserted else { continue }
            found.append(key)
            open += key.migration?.base.sourceKeys.map(\.base) ?? []
        }
        return found
    }
}
