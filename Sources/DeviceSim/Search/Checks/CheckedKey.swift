import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// What the checks need to know of a key.
struct CheckedKey {
    let reference: KeyReference
    let name: String
    let domain: StorageDomain
    let security: SecurityPolicy
    /// Whether the key's app may meet a value that a newer version has secured as it does not accept.
    let mayMeetOtherPolicy: Bool
    /// Whether an app may store plainly, or under another protection, what it has from this key: by an update in place, by a migration, or as an older
    /// counterpart.
    let mayBeMadePlain: Bool
    /// Whether another version of the app has stored the value such that a person has to authenticate.
    let mayMeetPerson: Bool
    /// Whether a person may have to authenticate for what the key's value is made of, near or far.
    let mayAskForSource: Bool
    /// Whether another version of the app has values of another type at the place.
    let mayMeetOtherType: Bool
    /// Whether another version of the app may have stored bytes plainly that begin like a sealed value: to an app that takes both nothing tells them apart.
    let mayLookSealed: Bool
    /// Whether the key's app may meet a value of a newer form, or one that another key has taken over.
    let mayMeetNewerForm: Bool
    /// Whether opening what lies there may take key material that the app provides: by the key's policy, or by one that it had in an earlier version.
    let mayNeedProvider: Bool
    /// Whether a value is given up that nobody can open: looking for it deletes it then.
    let discards: Bool
    /// Whether the value lies where a widget finds it, and app and widget seal it with a master key of their own.
    let isSealedByEachProcess: Bool
    /// Whether something that it is made of, near or far, is.
    let isMadeOfSealedByEachProcess: Bool
    /// Whether an older version of the app finds again what an update has moved.
    let movesBack: Bool
    /// Whether its place, or one that its migration looks at, is a folder by its path, which may be out of the app's reach.
    let mayBeOutOfReach: Bool
    /// Whether an update moves the value to another key.
    let isTakenOver: Bool
    /// The catalog that lists the key; `nil`: none.
    let catalog: String?
    private let since: AppVersion?
    private let until: AppVersion?
    let availability: PlatformAvailability
    let syncPolicy: SyncPolicy
    let type: ScenarioType
    let schemaVersion: Int
    /// What the watch gets of a value, if that is not all of it.
    let watchForm: WatchForm?
    /// The first key of the same value: of the same stored name at the same place, where another version of the app declares it otherwise, or at the
    /// place where the version before kept it.
    let first: Int
    /// Whether the app's widget finds the same value at the key's place.
    let isSharedWithWidget: Bool
    /// How values of an earlier version become this key's, if its migration is one whose outcome can be told beforehand.
    let migration: MigrationDeclaration?
    /// Whether a version of the app that runs has the key. Others are places that a migration starts from, which no app reads: not even where such a
    /// key has the name of one that it declares today, and so would be let through. Nothing is promised of what they say.
    let isCurrent: Bool
    /// Whether no catalog lists it: a process knows its name once it has used it.
    let isUnlisted: Bool
    /// The key's file under another name of its folder, such as an earlier version of the app used: what is put at one of them lies at the other.
    let otherNames: [KeyReference]

    /// Whether an app chooses in the run that the value travels, which the key does not declare.
    let isSwitchedOn: Bool

    /// - Parameters:
    ///   - isSwitchedOn: See ``isSwitchedOn``.
    ///   - ignoringCase: Whether the devices' disks take names for one that differ in case only.
    init(
        _ key: ScenarioKey, at reference: KeyReference, binding: any KeyBinding, among keys: [ScenarioKey], isSwitchedOn: Bool = false,
        ignoringCase: Bool = false
    ) {
        self.isSwitchedOn = isSwitchedOn && key.syncPolicy == .never
        self.reference = reference
        name = key.name
        domain = binding.key.domain
        security = binding.key.security
        catalog = key.catalog
        (since, until) = (key.declaration?.since, key.declaration?.until)
        let twins = keys.filter { $0.isCurrent && $0.identifier != key.identifier && $0.isAtPlace(of: key) }
        mayMeetOtherPolicy = twins.contains { !key.accepts($0) }
        mayBeMadePlain =
            twins.contains { $0.declaration?.security == SecurityPolicy.none && (key.syncs || $0.accepts(key)) }
            || key.leadsToOtherSecrecy(among: keys)
            // A counterpart that was not updated has the value under the same name, and its update moves it on.
            || key.syncs && keys.contains { $0.name == key.name && $0.syncs && $0.leadsToOtherSecrecy(among: keys) }
        mayMeetPerson = twins.contains { $0.declaration?.security.asksPerson == true }
        mayAskForSource = key.isMade(among: keys) { $0.declaration?.security.asksPerson == true }
        let isSource = keys.contains { $0.declaration?.migrationSource?.keys.contains { $0.identifier == key.identifier } == true }
        mayMeetNewerForm =
            !twins.isEmpty || isSource || since != nil || until != nil || key.declaration?.migration != nil || !key.isCurrent
            || keys.contains { $0.mayBeOneFile(with: key, ignoringCase: ignoringCase) }
        mayMeetOtherType = twins.contains { $0.type != key.type }
        mayLookSealed = key.type == .data && twins.contains { $0.declaration?.security == SecurityPolicy.none }
        mayNeedProvider = ([binding.key.security] + (key.declaration?.formerSecurity ?? [])).contains { $0.externalSource != nil }
        discards = binding.key.missingKeyPolicy == .discard
        isSealedByEachProcess = key.isSealedWithOwnKeys || twins.contains(where: \.isSealedWithOwnKeys)
        isMadeOfSealedByEachProcess = key.isMade(among: keys, of: \.isSealedWithOwnKeys)
        let family = key.first(among: keys)
        isTakenOver = keys.contains { $0.moved(among: keys) == family }
        movesBack = !keys.contains { $0.moved(among: keys) == family && !$0.movesBack(to: family, among: keys) }
        mayBeOutOfReach = key.looksAtPath(among: keys)
        availability = key.availability
        syncPolicy = key.syncPolicy
        type = key.type
        schemaVersion = binding.key.schemaVersion
        watchForm = key.declaration?.watchForm
        isCurrent = key.isCurrent
        isUnlisted = key.isUnlisted
        otherNames = keys.indices.filter { keys[$0].mayBeOneFile(with: key, ignoringCase: ignoringCase) }.map {
            KeyReference(index: $0, identifier: keys[$0].identifier)
        }
        first = family
        isSharedWithWidget = key.isSharedWithWidget
        let hasMigration = binding.key.migration != nil
        switch key.declaration?.migrationCondition {
        case .fromVersion, .belowVersion: migration = nil
        case .device, nil: migration = key.declaration?.migration
        }
        isUnpredictable = hasMigration && (migration?.source.keys ?? []).isEmpty
    }

    /// Whether a migration may bring values that nobody can tell beforehand.
    let isUnpredictable: Bool

    /// The keys whose values its migration takes.
    var sources: [KeyReference] { migration?.source.keys ?? [] }

    /// Whether its migration waits until all of its sources have a value.
    var awaitsSources: Bool {
        if case .combined(_, _, .awaited)? = migration?.source { true } else { false }
    }

    /// Whether its migration runs on that device.
    func migrates(on device: DeviceID) -> Bool {
        switch migration?.condition {
        case .device(let wanted)?: wanted.isPhone == device.isPhone
        case nil: migration != nil
        default: false
        }
    }

    /// What its migration makes of these values at its sources; `nil` where it makes nothing.
    func migrated(from values: [KeyReference: ScenarioValue]) -> ScenarioValue? {
        switch migration?.source {
        case .key(let source)?: return values[source]
        case .transformed(let source, let transformation)?: return values[source].flatMap { try? transformation.apply($0) }
        case .combined(let sources, let combination, let missing)?:
            let found = sources.compactMap { values[$0] }
            guard !found.isEmpty, missing != .awaited || found.count == sources.count else { return nil }
            return (try? combination.apply(found)).flatMap { $0 }
        case .place?, nil: return nil
        }
    }

    /// Whether the value travels, be it by choice.
    var syncs: Bool { availability.allowsSync && (syncPolicy != .never || isSwitchedOn) }

    /// Whether that version of the app declares the key.
    func exists(in version: AppVersion) -> Bool { (since.map { version >= $0 } ?? true) && (until.map { version <= $0 } ?? true) }

    /// Whether only versions of the app after that one have the key.
    func isNewer(than version: AppVersion) -> Bool { since.map { $0 > version } ?? false }

    /// Whether the key names a secret: a value that must lie readable nowhere else.
    var isSecret: Bool { security != .none }

    func isAvailable(on device: DeviceID) -> Bool {
        availability.isAvailable(on: device.isPhone ? .phone : .watch)
    }

    /// Whether both have one value: of one name, at one place.
    func isAtPlace(of other: CheckedKey) -> Bool { name == other.name && domain.withItsName == other.domain.withItsName }

    /// Whether both are names of one value, at one place or in versions of the app that follow each other.
    func mayHaveValue(of other: CheckedKey) -> Bool {
        first == other.first || otherNames.contains(other.reference) || other.otherNames.contains(reference)
    }

    var outlastsPowerLoss: Bool { !isInPreferences && !isInCaches && !dependsOnPerson }

    var isInPreferences: Bool {
        switch domain {
        case .userDefaults, .appGroupUserDefaults: true
        default: false
        }
    }

    var isInKeychain: Bool {
        if case .keychain = domain { true } else { false }
    }

    var isInCaches: Bool {
        switch domain {
        case .fileSystem(.caches), .encryptedFileSystem(.caches), .appGroupFileSystem(_, .caches): true
        default: false
        }
    }

    /// Whether a person has to authenticate for the value.
    var asksPerson: Bool { security.asksPerson }

    /// Whether a person has to authenticate, or an edit of biometry or passcode may end the value.
    var dependsOnPerson: Bool {
        guard case .keychain(let accessibility, let accessControl) = security else { return false }
        return accessControl != nil || accessibility == .whenPasscodeSetThisDeviceOnly
    }
}

extension ScenarioKey {
    /// The catalog that lists the key; `nil`: none.
    fileprivate var catalog: String? {
        switch origin {
        case .declared(let declaration): declaration.catalog
        case .registered(let catalog, _): catalog
        }
    }

    /// Whether both keys have values in files of one name, in folders that are written differently. A folder by its path may be one of the app's own
    /// under another name, as `/private/var` is `/var`; that is not looked into here.
    /// - Parameter ignoringCase: Whether the disk takes names for one that differ in case only.
    func mayBeOneFile(with other: ScenarioKey, ignoringCase: Bool) -> Bool {
        if ignoringCase, differsInCaseOnly(from: other) { return true }
        guard let mine = declaration?.domain, let theirs = other.declaration?.domain, name == other.name, mine != theirs else {
            return false
        }
        return mine.isFileByPath && theirs.isInFiles || mine.isInFiles && theirs.isFileByPath
    }

    /// The key of the version before whose value is this one's from an update on, as it is: what was set there is read here.
    func moved(among keys: [ScenarioKey]) -> Int? {
        guard case .key(let source)? = declaration?.migrationSource, takesOver(keys[source.index]) else { return nil }
        return keys[source.index].first(among: keys)
    }

    /// The first key of the same value: of the version before, wherever that kept it, or of the same name and place. From key to key the version of the
    /// app gets no higher, so this ends.
    func first(among keys: [ScenarioKey]) -> Int {
        if let moved = moved(among: keys) { return moved }
        let twins = keys.indices.filter { keys[$0].isAtPlace(of: self) }
        guard let oldest = twins.min(by: { (keys[$0].firstVersion, $0) < (keys[$1].firstVersion, $1) }) else { return 0 }
        return keys[oldest].moved(among: keys) ?? oldest
    }

    /// Whether the key of an older version of the app takes back what this one has taken over from it.
    fileprivate func movesBack(to older: Int, among keys: [ScenarioKey]) -> Bool {
        guard case .key(let source)? = keys[older].declaration?.migrationSource else { return false }
        return keys[source.index].isAtPlace(of: self)
    }

    /// Whether a migration takes the value to where it is protected otherwise, or a counterpart with another version of the app stores it so. A chain of
    /// migrations may lead back to where it began: what lies there is taken from its first key's place.
    fileprivate func leadsToOtherSecrecy(among keys: [ScenarioKey], visited: Set<String> = []) -> Bool {
        guard !visited.contains(identifier) else { return false }
        let isElsewhereByName = keys.contains { other in
            other.isCurrent && other.name == name && syncs && other.syncs
                && (other.declaration?.security == SecurityPolicy.none || other.isInKeychain != isInKeychain)
        }
        return isElsewhereByName
            || keys.contains { key in
                guard let sources = key.declaration?.migrationSource?.keys,
                    sources.contains(where: { keys[$0.index].identifier == identifier || keys[$0.index].isAtPlace(of: self) })
                else { return false }
                let isElsewhere = key.declaration?.security == SecurityPolicy.none || key.isInKeychain != isInKeychain
                return isElsewhere || key.leadsToOtherSecrecy(among: keys, visited: visited.union([identifier]))
            }
    }

    /// Whether the key, or one that it migrates from, is in a folder that the app gives by its path.
    fileprivate func looksAtPath(among keys: [ScenarioKey]) -> Bool {
        declaration?.domain.isFileByPath == true || isMade(among: keys) { $0.declaration?.domain.isFileByPath == true }
    }

    /// Whether a key that it migrates from, near or far, is such a one.
    fileprivate func isMade(among keys: [ScenarioKey], visited: Set<String> = [], of matches: (ScenarioKey) -> Bool) -> Bool {
        guard !visited.contains(identifier) else { return false }
        return (declaration?.migrationSource?.keys ?? []).map { keys[$0.index] }.contains {
            matches($0) || $0.isMade(among: keys, visited: visited.union([identifier]), of: matches)
        }
    }

    private var isInKeychain: Bool { declaration?.domain.kind == "keychain" }

    /// Whether the value is sealed and shared with a widget, each of whom seals with a master key of its own.
    fileprivate var isSealedWithOwnKeys: Bool {
        guard let declaration, declaration.security.isSealed, declaration.accessGroup == nil else { return false }
        return isSharedWithWidget
    }

    /// Whether the key's app reads what is stored as the other one says.
    fileprivate func accepts(_ other: ScenarioKey) -> Bool {
        guard let mine = declaration, let theirs = other.declaration else { return true }
        return mine.security.isKeychain && !theirs.security.isSealed
            || ([mine.security] + mine.formerSecurity).contains {
                $0.isSealed == theirs.security.isSealed && $0.externalSource == theirs.security.externalSource
            }
    }

    /// Whether both have one value: of one name, at one place.
    func isAtPlace(of other: ScenarioKey) -> Bool { name == other.name && isSamePlace(as: other) }

    fileprivate func isSamePlace(as other: ScenarioKey) -> Bool {
        guard let mine = declaration?.domain, let theirs = other.declaration?.domain else { return identifier == other.identifier }
        return mine.withItsName == theirs.withItsName
    }
}

extension SecurityPolicy {
    /// Whose key material seals the value, if not LocalData's own.
    fileprivate var externalSource: KeyMaterialSource? {
        if case .encrypted(.external(let source, _)) = self { source } else { nil }
    }

    /// Whether a person has to authenticate for the value.
    fileprivate var asksPerson: Bool {
        if case .keychain(_, let accessControl) = self { accessControl != nil } else { false }
    }

    /// Whether values are stored in an envelope.
    var isSealed: Bool { self != .none && !isKeychain }

    /// Whether the keychain's own protection is all there is.
    var isKeychain: Bool {
        if case .keychain = self { true } else { false }
    }
}

extension StorageDomain {
    private static let bundleIdentifier = SimulationOptions().bundleIdentifier

    /// The app's own service and its own suite under the name that they have, a group's suite as what it is, and a file where it lies, whatever protects it.
    var withItsName: StorageDomain {
        switch self {
        case .keychain(service: nil): .keychain(service: Self.bundleIdentifier)
        case .userDefaults(suite: nil): .userDefaults(suite: Self.bundleIdentifier)
        case .userDefaults(let suite?) where suite.hasPrefix("group."): .appGroupUserDefaults(identifier: suite)
        case .encryptedFileSystem(let directory): .fileSystem(directory: directory)
        default: self
        }
    }

    /// Whether the value is in a file.
    var isInFiles: Bool {
        switch self {
        case .fileSystem, .encryptedFileSystem, .appGroupFileSystem: true
        case .userDefaults, .appGroupUserDefaults, .keychain: false
        }
    }

    /// Whether it is in a file of a folder that the app gives by its path.
    var isFileByPath: Bool {
        switch self {
        case .fileSystem(.custom), .encryptedFileSystem(.custom), .appGroupFileSystem(_, .custom): true
        default: false
        }
    }
}
