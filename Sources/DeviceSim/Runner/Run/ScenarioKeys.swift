import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// The keys of one scenario, bound to types, and the catalogs that list them.
package struct ScenarioKeys: Sendable {
    private let keys: [ScenarioKey]
    private let bindings: [any KeyBinding]
    /// As catalogs list them: where names are made at run time, the placeholder stands for all of them, also in the sources of the migration.
    private let listings: [any KeyBinding]
    /// Those of an embedding test, by the names that the file has for them.
    private let registered: [(name: String, catalog: any StorageKeyCatalog)]

    /// - Parameter catalogs: Those that an embedding test registered, of which `scenario` names some.
    init(_ scenario: Scenario, catalogs: [String: any StorageKeyCatalog]) {
        keys = scenario.keys
        registered = scenario.catalogs.compactMap { name in catalogs[name].map { (name, $0) } }
        let plain = scenario.keys.map(Self.bind)
        bindings = plain.indices.map { Self.migrating($0, of: scenario.keys, plain, within: []) }
        let kinds = zip(scenario.keys, plain).map { key, binding in key.declaration?.placeholder.flatMap(binding.listed) ?? binding }
        listings = plain.indices.map { Self.migrating($0, of: scenario.keys, kinds, within: []) }
    }

    /// A key with its migration, whose sources have theirs: chains of versions.
    private static func migrating(_ index: Int, of keys: [ScenarioKey], _ plain: [any KeyBinding], within: Set<Int>) -> any KeyBinding {
        let binding = plain[index]
        guard let migration = keys[index].declaration?.migration, !within.contains(index) else { return binding }
        let sources: [AnyStorageKey]
        if case .place(let name, let domain) = migration.source {
            sources = binding.moved(toName: name, domain: domain).map { [$0.key] } ?? []
        } else {
            sources = migration.source.keys.map { migrating($0.index, of: keys, plain, within: within.union([index])).key }
        }
        return binding.migrating(migration, from: sources) ?? binding
    }

    package subscript(reference: KeyReference) -> any KeyBinding { bindings[reference.index] }

    /// What the app registers at launch when its version is `version`, but for those that it registers later.
    func catalogs(for version: AppVersion, without late: [String] = []) -> [any StorageKeyCatalog] {
        named(in: version).filter { !late.contains($0.name) }.map(\.catalog)
    }

    /// The app's catalog of that name; `nil` where that version has none of its keys.
    package func catalog(_ name: String, in version: AppVersion) -> (any StorageKeyCatalog)? {
        named(in: version).first { $0.name == name }?.catalog
    }

    /// In the order in which the app registers them.
    private func named(in version: AppVersion) -> [(name: String, catalog: any StorageKeyCatalog)] {
        var listed: [String: [AnyStorageKey]] = [:]
        var others: Set<String> = []
        for (key, binding) in zip(keys, zip(bindings, listings)) {
            guard let declaration = key.declaration, let catalog = declaration.catalog else { continue }
            guard declaration.exists(in: version) else {
                others.insert(catalog)
                continue
            }
            let key = declaration.placeholder == nil ? binding.0.key : binding.1.key
            // One description stands for all names that are made after it.
            guard declaration.placeholder == nil || listed[catalog]?.contains(where: { $0.base.name == key.base.name }) != true else {
                continue
            }
            listed[catalog, default: []].append(key)
        }
        // A version that has none of the keys lists none: without any catalog LocalData would let it use all.
        if listed.isEmpty, registered.isEmpty { for catalog in others { listed[catalog] = [] } }
        return registered + listed.keys.sorted().map { ($0, ScenarioCatalog(name: $0, allKeys: listed[$0] ?? [])) }
    }

    /// The keys that the app's catalogs list in `version`, in the order of the file.
    func references(in version: AppVersion) -> [KeyReference] {
        keys.indices.filter { index in
            guard let declaration = keys[index].declaration else { return true }
            return declaration.catalog != nil && declaration.exists(in: version)
        }.map { KeyReference(index: $0, identifier: keys[$0].identifier) }
    }

    /// The external key material that some version of the app needs.
    var keyMaterialSources: Set<String> {
        Set(
            bindings.compactMap { binding in
                if case .encrypted(.external(let source, _)) = binding.key.security { source.id } else { nil }
            })
    }

    /// What the watch is sent of a key's values, if that is not all of them.
    func watchForm(of reference: KeyReference) -> WatchForm? { keys[reference.index].declaration?.watchForm }

    /// The keys whose values travel.
    var synced: [KeyReference] {
        keys.indices.filter { keys[$0].availability.allowsSync && keys[$0].syncPolicy != .never }
            .map { KeyReference(index: $0, identifier: keys[$0].identifier) }
    }

    private static func bind(_ key: ScenarioKey) -> any KeyBinding {
        switch key.origin {
        case .registered(_, let key): bind(registered: key.base)
        case .declared(let declaration): bind(declaration, type: key.type)
        }
    }

    private static func bind(registered key: some StorageKey) -> any KeyBinding {
        RegisteredKeyBinding(registered: key)
    }

    private static func bind(_ declaration: KeyDeclaration, type: ScenarioType) -> any KeyBinding {
        switch type {
        case .string: bind(declaration, as: String.self)
        case .int: bind(declaration, as: Int.self)
        case .double: bind(declaration, as: Double.self)
        case .bool: bind(declaration, as: Bool.self)
        case .date: bind(declaration, as: Date.self)
        case .data: bind(declaration, as: Data.self, raw: .data)
        case .any, .codable: bind(declaration, as: AnyCodable.self)
        case .array(let element): bind(declaration, arrayOf: element)
        }
    }

    private static func bind(_ declaration: KeyDeclaration, arrayOf element: ScenarioType) -> any KeyBinding {
        switch element {
        case .string: bind(declaration, as: [String].self)
        case .int: bind(declaration, as: [Int].self)
        case .double: bind(declaration, as: [Double].self)
        case .bool: bind(declaration, as: [Bool].self)
        case .date: bind(declaration, as: [Date].self)
        case .data: bind(declaration, as: [Data].self)
        case .any, .codable, .array: bind(declaration, as: AnyCodable.self)
        }
    }

    private static func bind<Value: ScenarioRepresentable>(
        _ declaration: KeyDeclaration, as type: Value.Type, raw: Serializer<Value>? = nil
    ) -> any KeyBinding {
        let serializer: Serializer<Value> =
            switch declaration.serializer {
            case .json: .json
            case .plist: .plist
            case .data: raw ?? .json
            case .custom(let name):
                .custom(
                    name: name, encode: { try Serializer<Value>.json.data(for: $0) }, decode: { try Serializer<Value>.json.value(from: $0) }
                )
            }
        let key = DeclaredKey(declaration, serializer: serializer)
        guard let form = declaration.watchForm else { return DeclaredKeyBinding(declared: key) }
        return DeclaredKeyBinding(declared: WatchFormKey(key, form: form))
    }
}

/// A catalog that a scenario file declares.
struct ScenarioCatalog: StorageKeyCatalog {
    let name: String
    let allKeys: [AnyStorageKey]
}
