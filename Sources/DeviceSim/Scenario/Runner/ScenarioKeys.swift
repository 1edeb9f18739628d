import Foundation
import LocalData

/// The keys of one scenario, bound to types, and the catalogs that list them.
struct ScenarioKeys: Sendable {
    private let keys: [ScenarioKey]
    private let bindings: [any KeyBinding]
    private let registered: [any StorageKeyCatalog]

    /// - Parameter catalogs: Those that an embedding test registered, of which `scenario` names some.
    init(_ scenario: Scenario, catalogs: [String: any StorageKeyCatalog]) {
        keys = scenario.keys
        registered = scenario.catalogs.compactMap { catalogs[$0] }
        let plain = scenario.keys.map(Self.bind)
        bindings = plain.indices.map { Self.withMigration($0, of: scenario.keys, plain, after: []) }
    }

    /// The key at `index` with its migration, and that of the key that it migrates from, as far as the chain goes.
    private static func withMigration(
        _ index: Int, of keys: [ScenarioKey], _ plain: [any KeyBinding], after earlier: Set<Int>
    ) -> any KeyBinding {
        let binding = plain[index]
        switch keys[index].declaration?.migration {
        case nil: return binding
        case .key(let source) where source.index != index && !earlier.contains(source.index):
            let older = withMigration(source.index, of: keys, plain, after: earlier.union([index]))
            return binding.migrating(from: older.key) ?? binding
        case .key(let source): return binding.migrating(from: plain[source.index].key) ?? binding
        case .place(let name, let domain):
            return binding.moved(toName: name, domain: domain).flatMap { binding.migrating(from: $0.key) } ?? binding
        }
    }

    subscript(reference: KeyReference) -> any KeyBinding { bindings[reference.index] }

    /// What the app registers at launch when its version is `version`.
    func catalogs(for version: AppVersion) -> [any StorageKeyCatalog] {
        var listed: [String: [AnyStorageKey]] = [:]
        for (key, binding) in zip(keys, bindings) {
            guard let declaration = key.declaration, let catalog = declaration.catalog, declaration.exists(in: version) else { continue }
            listed[catalog, default: []].append(binding.key)
        }
        return registered + listed.keys.sorted().map { ScenarioCatalog(name: $0, allKeys: listed[$0] ?? []) }
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
        return DeclaredKeyBinding(declared: DeclaredKey(declaration, serializer: serializer))
    }
}

/// A catalog that a scenario file declares.
struct ScenarioCatalog: StorageKeyCatalog {
    let name: String
    let allKeys: [AnyStorageKey]
}
