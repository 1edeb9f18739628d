/// The synced keys that a process knows of, and where each name was first used.
struct SyncedKeyRegister: Sendable {
    private var keys: [String: any StorageKey] = [:]
    /// ``keys`` by name; `nil` until somebody asks.
    private var sorted: [any StorageKey]?
    /// Of ``keys`` those that no catalog lists and no app code used: the old places of values, touched by a migration or a removal.
    private var passing: Set<String> = []
    /// The physical place that each name was first used at. Versions are kept by name, so there is one for each.
    private var places: [String: String] = [:]
    /// The names that apps declare or use at more than one place.
    private var ambiguous: Set<String> = []

    subscript(name: String) -> (any StorageKey)? { keys[name] }

    func isPassing(_ name: String) -> Bool { passing.contains(name) }

    /// Sorted.
    var names: [String] { keys.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// The first key of a name stays.
    mutating func note(_ key: any StorageKey) {
        forgetPassing(key.name)
        if let first = keys[key.name] {
            if first.domain != key.domain { ambiguous.insert(key.name) }
            return
        }
        keys[key.name] = key
        sorted = nil
    }

    /// The app has registered the key: what it declares takes the place of what an earlier list declared, or code that used a key of that name and place. Not of
    /// one at another place: a name with two of them syncs at neither.
    mutating func declare(_ key: any StorageKey) {
        forgetPassing(key.name)
        guard let first = keys[key.name], first.domain == key.domain else { return note(key) }
        keys[key.name] = key
        sorted = nil
    }

    /// No catalog lists the name any more. Where it was is remembered: its versions are still there.
    mutating func withdraw(_ name: String) {
        (keys[name], sorted) = (nil, nil)
    }

    /// - Returns: False for a second place of one name. Not for an old place that a chain of migrations leads through on its way to the key's own.
    mutating func claim(_ key: any StorageKey, at place: String) -> Bool {
        if keys[key.name] == nil {
            note(key)
            passing.insert(key.name)
        }
        let isOwn = keys[key.name]?.domain == key.domain
        guard let first = places[key.name], !(isOwn && !ambiguous.contains(key.name)) else {
            places[key.name] = place
            return true
        }
        return first == place || !ambiguous.contains(key.name)
    }

    /// The value of an old place was moved: what a counterpart sends under its name is no longer for this app.
    mutating func forgetPassing(_ name: String) {
        guard passing.remove(name) != nil else { return }
        (keys[name], places[name], sorted) = (nil, nil, nil)
    }

    mutating func keysByName() -> [any StorageKey] {
        if let sorted { return sorted }
        let all = keys.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
        sorted = all
        return all
    }
}
