import DeviceSimCore
import DeviceSimLanguage

/// Some of a scenario's keys, renumbered, with the steps that speak of them.
enum KeySelection {
    /// The scenario with the keys at `indices`, and those that they migrate from, alone. Steps that speak of others are left out.
    static func select(_ indices: Set<Int>, of scenario: Scenario) -> Scenario {
        let names = scenario.keys.map(\.name)
        var chosen = indices
        var open = Array(indices)
        while let index = open.popLast() {
            // What another version of the app declares of the same value.
            for twin in names.indices where names[twin] == names[index] && chosen.insert(twin).inserted {
                open.append(twin)
            }
            for source in scenario.keys[index].declaration?.migrationSource?.keys ?? [] where chosen.insert(source.index).inserted {
                open.append(source.index)
            }
        }
        let kept = chosen.sorted()
        let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        func moved(_ key: KeyReference) -> KeyReference? { places[key.index].map { KeyReference(index: $0, identifier: key.identifier) } }
        let keys = kept.map { index -> ScenarioKey in
            let key = scenario.keys[index]
            guard var declaration = key.declaration, let source = declaration.migrationSource?.mappingKeys(moved) else { return key }
            declaration.migrationSource = source
            return ScenarioKey(identifier: key.identifier, type: key.type, origin: .declared(declaration), range: key.range)
        }
        return Scenario(
            name: scenario.name, path: scenario.path, header: scenario.header, row: scenario.row, keys: keys, catalogs: scenario.catalogs,
            start: scenario.start, knobs: scenario.knobs, seed: scenario.seed, order: scenario.order,
            steps: scenario.steps.compactMap { $0.mappingKeys(moved) }
        ).withoutLostCatalogs
    }

    /// The keys that the steps speak of.
    static func used(in steps: [ScenarioStep]) -> Set<Int> {
        var used: Set<Int> = []
        for step in steps {
            _ = step.mappingKeys {
                used.insert($0.index)
                return $0
            }
        }
        return used
    }
}

extension MigrationDeclaration.Source {
    fileprivate func mappingKeys(_ map: (KeyReference) -> KeyReference?) -> MigrationDeclaration.Source? {
        switch self {
        case .key(let key): map(key).map { .key($0) }
        case .place: self
        case .transformed(let key, let transformation): map(key).map { .transformed($0, transformation) }
        case .combined(let keys, let combination, let missing): .combined(keys.compactMap(map), combination, missing)
        }
    }
}

extension ScenarioStep {
    /// The step with other keys; `nil` if it speaks of one that has no counterpart.
    func mappingKeys(_ map: (KeyReference) -> KeyReference?) -> ScenarioStep? {
        action.mappingKeys(map).map(doing)
    }
}

extension ScenarioStep.Action {
    fileprivate func mappingKeys(_ map: (KeyReference) -> KeyReference?) -> ScenarioStep.Action? {
        switch self {
        case .data(let step): return step.action.mappingKeys(map).map { .data(step.with($0)) }
        case .fault(let step):
            guard case .damage(let key, let damage) = step.action else { return self }
            guard let key = map(key) else { return nil }
            guard case .copy(let source) = damage else { return .fault(FaultStep(step.device, .damage(key, damage))) }
            return map(source).map { .fault(FaultStep(step.device, .damage(key, .copy(of: $0)))) }
        case .together(let steps):
            let mapped = steps.compactMap { $0.mappingKeys(map) }
            return mapped.isEmpty ? nil : .together(mapped)
        case .expect(let expectation):
            return expectation.condition.mappingKeys(map).map {
                .expect(Expectation($0, timing: expectation.timing, since: expectation.since))
            }
        case .device, .link, .session, .transfer, .time: return self
        }
    }
}

// No `default` below: a kind that speaks of a key and is passed over would speak of another one once keys are left out.

extension DataStep.Action {
    fileprivate func mappingKeys(_ map: (KeyReference) -> KeyReference?) -> DataStep.Action? {
        switch self {
        case .set(let key, let value): map(key).map { .set($0, value) }
        case .plant(let key, let value): map(key).map { .plant($0, value) }
        case .get(let key): map(key).map { .get($0) }
        case .remove(let key): map(key).map { .remove($0) }
        case .exists(let key): map(key).map { .exists($0) }
        case .observe(let key): map(key).map { .observe($0) }
        case .overrideSync(let key, let policy): map(key).map { .overrideSync($0, policy) }
        case .migrate(let key?): map(key).map { .migrate($0) }
        case .reseal(let key?): map(key).map { .reseal($0) }
        case .migrate(nil), .reseal(nil), .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet, .planRotation, .audit,
            .register, .clearOverrides, .sync, .syncNow,
            .requestSnapshot,
            .takeSnapshot, .applySnapshot, .applyPayload:
            self
        }
    }
}

extension Expectation.Condition {
    fileprivate func mappingKeys(_ map: (KeyReference) -> KeyReference?) -> Expectation.Condition? {
        switch self {
        case .value(let device, let key, let condition): map(key).map { .value(device, $0, condition) }
        case .widgetValue(let device, let key, let condition): map(key).map { .widgetValue(device, $0, condition) }
        case .observed(let device, let key, let condition): map(key).map { .observed(device, $0, condition) }
        case .migration(let device, let key, let condition): map(key).map { .migration(device, $0, condition) }
        case .reseal(let device, let key, let condition): map(key).map { .reseal(device, $0, condition) }
        case .stored(let device, let key, let isThere): map(key).map { .stored(device, $0, isThere) }
        case .noPlaintext(let device, let key): map(key).map { .noPlaintext(device, $0) }
        case .devicesAgree(let key?): map(key).map { .devicesAgree($0) }
        case .pending(let device, let key?, let isPending): map(key).map { .pending(device, $0, isPending) }
        case .sealed(let device, let key, let condition): map(key).map { .sealed(device, $0, condition) }
        case .audit(let device, let condition): condition.mappingKeys(map).map { .audit(device, $0) }
        case .devicesAgree(nil), .pending(_, nil, _), .widget, .deliveries, .session, .message, .transfer, .outstanding, .receivedUserInfos,
            .complicationBudget, .unobservedFailures, .masterKeys, .file, .app, .device, .inOrder, .inAnyOrder, .event, .nothingElse,
            .invariant:
            self
        }
    }
}

extension AuditCondition {
    fileprivate func mappingKeys(_ map: (KeyReference) -> KeyReference?) -> AuditCondition? {
        switch self {
        case .present(let key): map(key).map { .present($0) }
        case .missing(let key): map(key).map { .missing($0) }
        case .damaged(let key): map(key).map { .damaged($0) }
        case .unreadable(let key, let error): map(key).map { .unreadable($0, error) }
        case .residual(let key?): map(key).map { .residual($0) }
        case .waiting(let key): map(key).map { .waiting($0) }
        case .leaves(let key, let isLeaving): map(key).map { .leaves($0, isLeaving) }
        case .warning(let key, let words): map(key).map { .warning($0, words) }
        case .residual(nil), .unreadablePlace, .orphaned, .unclaimed, .abandoned, .noWarnings: self
        }
    }
}

extension ScenarioKey {
    /// Whether the app's widget finds the same value at the key's place.
    var isSharedWithWidget: Bool {
        guard let declaration else { return false }
        switch declaration.domain {
        case .appGroupUserDefaults, .appGroupFileSystem: return true
        case .keychain(let service): return service != nil && declaration.accessGroup != nil
        // A suite that is named like a group is the group's.
        case .userDefaults(let suite): return suite?.hasPrefix("group.") ?? false
        // A folder by its path, in the group's container.
        case .fileSystem(.custom(let url)), .encryptedFileSystem(.custom(let url)):
            return url.path.hasPrefix("/" + DeviceStorage.groupsPath.joined(separator: "/") + "/")
        case .fileSystem, .encryptedFileSystem: return false
        }
    }

    /// Whether the app's widget may use the key: it must declare no migration. What moves with the versions of an app is declared anew for each.
    var isForWidget: Bool { isSharedWithWidget && (dependsOnVersion || declaration?.migration == nil) }

    /// Whether another version of the app secures the same value otherwise.
    func changesPolicy(among keys: [ScenarioKey]) -> Bool {
        keys.contains { $0.isCurrent && $0.isAtPlace(of: self) && $0.declaration?.security != declaration?.security }
    }

    /// Whether the key's migration reads a number out of the text at another key.
    func makesNumber(of source: KeyReference) -> Bool {
        if case .transformed(source, .number)? = declaration?.migrationSource { true } else { false }
    }

    /// Whether a version of the app that runs has the key. Others are places that a migration starts from.
    var isCurrent: Bool { exists(in: .first) || isNewer }

    /// Whether only an update brings the key.
    var isNewer: Bool { declaration?.since.map { $0 > .first } ?? false }

    /// Whether the key stays on its device as declared, and the app may choose that its value travels.
    var maySyncByChoice: Bool {
        isCurrent && !dependsOnVersion && availability.allowsSync && syncPolicy == .never && !isSharedWithWidget
            && declaration?.migration == nil
    }

    /// Whether an update brings the key, takes it away, or makes it one of another declaration.
    var dependsOnVersion: Bool { isCurrent && (isNewer || declaration?.until != nil) }

    /// The version of the app that brings the key.
    var firstVersion: AppVersion { declaration?.since ?? .first }

    var syncs: Bool { availability.allowsSync && syncPolicy != .never }
    /// Whether no catalog lists it: its name is known to a process once that has used it.
    var isUnlisted: Bool { declaration.map { $0.catalog == nil || $0.placeholder != nil } ?? false }

    func exists(in version: AppVersion) -> Bool { declaration?.exists(in: version) ?? true }
}

extension Scenario {
    /// On disks that take names for one which differ in case only, if its keys have such names: as on a Mac, and unlike on a phone, where an update of that kind is
    /// a renaming like any other.
    var onFittingDisks: Scenario {
        guard keys.contains(where: { key in keys.contains { $0.differsInCaseOnly(from: key) } }) else { return self }
        var knobs = knobs
        knobs.diskIgnoresCase = true
        return keeping(steps: steps, knobs: knobs)
    }
}
