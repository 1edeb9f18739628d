import LocalData

extension CrashOperation {
    /// Rotations of the master keys over a sealed value in each place, with and without retiring the old key, and sealing anew under another policy.
    static let rotations: [CrashOperation] =
        [
            rotation(
                "rotate keys, keep the old one", of: [.sealedPreferences, .sealedKeychain, .sealedFile, .protectedFile], retires: false),
            rotation("rotate keys, retire the old one", of: [.sealedKeychain, .passwordFile, .protectedFile], retires: true),
            rotation("rotate keys in an app group", of: [.sealedGroupPreferences, .sealedGroupFile], retires: true),
        ] + [resealing]
        + [
            securing(from: .preferences, to: .sealedPreferences), securing(from: .sealedPreferences, to: .preferences),
            securing(from: .file, to: .sealedFile), securing(from: .sealedFile, to: .file),
            securing(from: .externalFile, to: .sealedFile),
            securing(from: .keychain, to: .sealedKeychain), securing(from: .sealedKeychain, to: .keychain),
        ]

    private static func rotation(_ name: String, of places: [CrashPlace], retires: Bool) -> CrashOperation {
        let keys = places.enumerated().map { CrashKey("value\($0.offset)", at: $0.element) }
        return CrashOperation(
            name: name, keys: keys,
            prepare: { router in
                for key in keys { try await router.set("the value of \(key.name)", for: key) }
            },
            act: { router in
                let report = try await router.rotateKeys(retiringOldKeys: retires)
                for outcome in report.outcomes {
                    switch outcome.result {
                    case .deferred(let error), .failed(let error): throw error
                    case .resealed, .current, .absent: break
                    }
                }
            },
            facts: zip(keys, places).map {
                Fact(key: $0, old: "the value of \($0.name)", new: "the value of \($0.name)", mayLose: $1.isPreference)
            },
            secrets: zip(keys, places).flatMap { Secret.at($1, "the value of \($0.name)") },
            // Done again it is another rotation; what an app group may need keeps the old keys.
            maximumKeyCount: 4)
    }

    /// The value was sealed with AES by an earlier version of the app, and the key declares ChaCha20-Poly1305 now.
    private static var resealing: CrashOperation {
        let earlier = CrashKey("value", at: .sealedFile)
        let key = CrashKey("value", at: CrashPlace(name: "file", domain: .fileSystem(directory: .documents), security: .recommended))
        return CrashOperation(
            name: "reseal under another policy", keys: [key],
            prepare: { router in try await CrashPlanting.set("the sealed value", for: earlier, with: router) },
            act: { try await $0.resealValues() }, facts: [Fact(key, is: "the sealed value")], secrets: [Secret(value: "the sealed value")])
    }

    /// An earlier version of the app secured the value otherwise, at the same place.
    private static func securing(from before: CrashPlace, to after: CrashPlace) -> CrashOperation {
        let earlier = CrashKey("value", at: before)
        var key = CrashKey("value", at: after)
        key.formerSecurity = [before.security]
        return CrashOperation(
            name: "secure in place: \(before.name) to \(after.name)", keys: [key],
            prepare: { router in try await CrashPlanting.set("the value in place", for: earlier, with: router) },
            act: { router in
                for outcome in try await router.resealValues() {
                    switch outcome.result {
                    case .deferred(let error), .failed(let error): throw error
                    case .resealed, .current, .absent: break
                    }
                }
            },
            facts: [Fact(key: key, old: "the value in place", new: "the value in place", mayLose: before.isPreference)])
    }
}
