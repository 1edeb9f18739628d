import LocalData

extension CrashOperation {
    private static let old = "old value of the key"
    private static let new = "another value, the new one"

    /// `set` of a first value and over an earlier one, and `remove`, at every place.
    static let values: [CrashOperation] =
        CrashPlace.all.flatMap { [firstSet(at: $0), overwrite(at: $0), remove(at: $0)] } + [firstSecret, severalSets, severalSecrets]

    private static func firstSet(at place: CrashPlace) -> CrashOperation {
        let key = CrashKey("value", at: place)
        return CrashOperation(
            name: "set a first value: \(place.name)", keys: [key], act: { try await $0.set(new, for: key) },
            facts: [Fact(key, at: place, from: nil, to: new)], secrets: Secret.at(place, new))
    }

    private static func overwrite(at place: CrashPlace) -> CrashOperation {
        let key = CrashKey("value", at: place)
        return CrashOperation(
            name: "set another value: \(place.name)", keys: [key], prepare: { try await $0.set(old, for: key) },
            act: { try await $0.set(new, for: key) }, facts: [Fact(key, at: place, from: old, to: new)],
            secrets: Secret.at(place, old) + Secret.at(place, new))
    }

    private static func remove(at place: CrashPlace) -> CrashOperation {
        let key = CrashKey("value", at: place)
        return CrashOperation(
            name: "remove: \(place.name)", keys: [key], prepare: { try await $0.set(old, for: key) },
            act: { try await $0.remove(key) }, facts: [Fact(key, at: place, from: old, to: nil)], secrets: Secret.at(place, old))
    }

    /// The first two sealed values ever, at once: one key is minted.
    private static var firstSecret: CrashOperation {
        let keys = [CrashKey("one", at: .protectedFile), CrashKey("two", at: .sealedKeychain)]
        return CrashOperation(
            name: "set the first sealed values", keys: keys,
            act: { router in
                async let first: Void = router.set(new, for: keys[0])
                async let second: Void = router.set(new, for: keys[1])
                _ = try await (first, second)
            },
            facts: keys.map { Fact(key: $0, old: nil, new: new) }, secrets: [Secret(value: new)])
    }

    /// A row of sets in one suite of preferences, of which a power loss leaves a prefix.
    private static var severalSets: CrashOperation {
        let keys = ["one", "two"].map { CrashKey($0, at: .preferences) }
        let values = ["first", "second", "third"]
        let rows: [[String?]] =
            [[nil, nil]]
            + values.indices.flatMap { index -> [[String?]] in
                let earlier: String? = index == 0 ? nil : values[index - 1]
                return [[values[index], earlier], [values[index], values[index]]]
            }
        return CrashOperation(
            name: "six sets in one suite", keys: keys,
            act: { router in
                for value in values {
                    for key in keys { try await router.set(value, for: key) }
                }
            },
            facts: keys.map { Fact(key: $0, old: nil, new: "third", mayLose: true) }, states: rows)
    }

    /// Files hold each acknowledged value by itself: after a crash the later ones are missing, never an earlier one.
    private static var severalSecrets: CrashOperation {
        let keys = ["one", "two", "three"].map { CrashKey($0, at: .sealedFile) }
        return CrashOperation(
            name: "three sealed files, one after the other", keys: keys,
            act: { router in
                for key in keys { try await router.set(new, for: key) }
            },
            facts: keys.map { Fact(key: $0, old: nil, new: new) }, secrets: [Secret(value: new)],
            states: (0...keys.count).map { count in keys.indices.map { $0 < count ? new : nil } })
    }
}
