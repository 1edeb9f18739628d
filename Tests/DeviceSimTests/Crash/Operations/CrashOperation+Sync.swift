import DeviceSim
import LocalData
import Synchronization

extension CrashOperation {
    private static let old = "old value of the key"
    private static let new = "another value, the new one"

    /// Applying the counterpart's snapshot with a first value, another one, a deletion; several at once; changes of a synced value.
    static let sync: [CrashOperation] =
        CrashPlace.ofEachDomain.flatMap { place in
            [
                apply("a first value", at: place, from: nil, to: new), apply("another value", at: place, from: old, to: new),
                apply("a deletion", at: place, from: old, to: nil), change("set", at: place, from: old, to: new),
                change("set first", at: place, from: nil, to: new), change("remove", at: place, from: old, to: nil),
            ]
        } + [applySeveral]

    private static func apply(_ what: String, at place: CrashPlace, from old: String?, to new: String?) -> CrashOperation {
        let key = CrashKey("value", at: place).synced()
        return applying("apply \(what): \(place.name)", [(key, place, old, new)])
    }

    private static var applySeveral: CrashOperation {
        applying(
            "apply several values at once",
            [
                (CrashKey("one", at: .preferences).synced(), .preferences, "light", "dark"),
                (CrashKey("two", at: .keychain).synced(), .keychain, old + " two", nil),
                (CrashKey("three", at: .protectedFile).synced(), .protectedFile, nil, new + " three"),
                (CrashKey("four", at: .file).synced(), .file, "once", "later"),
            ])
    }

    /// The watch changes the values out of range, and its snapshot is applied by hand so that the crash can be placed.
    private static func applying(
        _ name: String, _ changes: [(key: CrashKey, place: CrashPlace, old: String?, new: String?)]
    ) -> CrashOperation {
        let shelf = SnapshotShelf()
        return CrashOperation(
            name: name, keys: changes.map(\.key),
            prepare: { router in
                for change in changes {
                    if let old = change.old { try await router.set(old, for: change.key) }
                }
            },
            prepareWorld: { world in
                try world.simulation.settle()
                world.simulation.setLink(up: false)
                let snapshot = try world.simulation.run(on: world.watch) {
                    for change in changes {
                        if let new = change.new {
                            try await StorageRouter.shared.set(new, for: change.key)
                        } else {
                            try await StorageRouter.shared.remove(change.key)
                        }
                    }
                    return try await StorageRouter.shared.syncSnapshot()
                }
                shelf.put(snapshot)
            },
            act: { router in
                if let snapshot = shelf.snapshot { try await router.apply(snapshot) }
            },
            facts: changes.map { Fact($0.key, at: $0.place, from: $0.old, to: $0.new) },
            secrets: changes.flatMap { Secret.at($0.place, $0.old) + Secret.at($0.place, $0.new) }, syncs: true,
            finalValues: Dictionary(uniqueKeysWithValues: changes.map { ($0.key.name, $0.new) }))
    }

    private static func change(_ what: String, at place: CrashPlace, from old: String?, to new: String?) -> CrashOperation {
        let key = CrashKey("value", at: place).synced()
        return CrashOperation(
            name: "\(what) a synced value: \(place.name)", keys: [key],
            prepare: { router in
                if let old { try await router.set(old, for: key) }
            },
            act: { router in
                if let new { try await router.set(new, for: key) } else { try await router.remove(key) }
            },
            facts: [Fact(key, at: place, from: old, to: new)], secrets: Secret.at(place, old) + Secret.at(place, new), syncs: true)
    }
}

/// Keeps the snapshot that a world's preparation took, for the operation that applies it. Equal worlds take equal ones.
private final class SnapshotShelf: Sendable {
    private let kept = Mutex<SyncSnapshot?>(nil)

    var snapshot: SyncSnapshot? { kept.withLock { $0 } }

    func put(_ snapshot: SyncSnapshot) { kept.withLock { $0 = snapshot } }
}
