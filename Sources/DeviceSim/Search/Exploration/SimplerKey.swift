import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Declarations of a key that say less.
enum SimplerKey {
    static func candidates(for key: ScenarioKey) -> [ScenarioKey] {
        guard let declaration = key.declaration else { return [] }
        var candidates: [KeyDeclaration] = []
        func add(_ change: (inout KeyDeclaration) -> Void) {
            var changed = declaration
            change(&changed)
            if changed != declaration { candidates.append(changed) }
        }
        add {
            $0.domain = .userDefaults(suite: nil)
            $0.security = SecurityPolicy.none
        }
        if declaration.domain.kind != "keychain", declaration.domain.kind != "encryptedFileSystem" {
            add { $0.security = SecurityPolicy.none }
        }
        if declaration.catalog != nil { add { $0.catalog = KeyDeclaration.defaultCatalog } }
        add { $0.serializer = .json }
        add {
            $0.migrationSource = nil
            $0.migrationCondition = nil
        }
        add { $0.migrationCondition = nil }
        add { $0.schemaVersion = 1 }
        add { $0.watchForm = nil }
        return candidates.map { ScenarioKey(identifier: key.identifier, type: key.type, origin: .declared($0), range: key.range) }
    }
}

extension Scenario {
    func replacing(keys: [ScenarioKey]) -> Scenario {
        Scenario(
            name: name, path: path, header: header, row: row, keys: keys, catalogs: catalogs, start: start, knobs: knobs, seed: seed,
            order: order, steps: steps
        ).withoutLostCatalogs
    }

    func replacing(order: ReadyOrder?) -> Scenario {
        var copy = self
        copy.order = order
        return copy
    }

    func replacing(seed: UInt64?) -> Scenario {
        var copy = self
        copy.seed = seed
        return copy
    }
}
