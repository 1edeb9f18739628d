import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// The keys of a scenario whose values cannot be told from its steps alone, so that no read of them is held against what was written.
///
/// A search over a file of somebody's own meets declarations and steps that the built-in world does not have. Of such a key it is still checked that
/// operations end, that secrets lie nowhere readable, and of one that no version syncs and none is made of that its value does not travel. Nothing that is
/// known of its value is: that it stays, goes, moves, converges, is secured and audited as declared, and that operations on it fail only for a reason. But that an update
/// makes a value of the last of its parts is held where nothing else happens (``MadeValues``).
enum UntoldKeys {
    /// Why nobody can tell what a key holds.
    enum Reason: String, CaseIterable {
        case secondWatch = "the phone has two watches, and what one of the three knew may be gone"
        case migration = "what a migration brings, and when, cannot be told beforehand"
        case link = "links may give a file any number of names"
        case place = "keys of one place are declared too differently"
        case name = "one name syncs at two places, and no migration says that it is one value"
    }

    /// By the keys' places among all.
    static func among(_ keys: [ScenarioKey], in scenario: Scenario) -> [Int: Reason] {
        guard scenario.start.watch2 == nil || !scenario.mayForgetDevices else {
            return Dictionary(uniqueKeysWithValues: keys.indices.map { ($0, .secondWatch) })
        }
        var untold: [Int: Reason] = [:]
        for (index, key) in keys.enumerated() where hasUntoldMigration(key, among: keys) {
            untold[index] = .migration
            // What goes from a key that apps still use is missing there, when nobody removed it.
            for source in key.declaration?.migrationSource?.keys ?? [] { untold[source.index] = .migration }
            if case .place(let name, let domain)? = key.declaration?.migrationSource {
                for other in keys.indices where keys[other].name == name && keys[other].declaration?.domain == domain {
                    untold[other] = .migration
                }
            }
        }
        // Where the update that moves a value is left out, a still later one finds nothing.
        for (index, key) in keys.enumerated() where key.isCurrent {
            let first = key.first(among: keys)
            let isUnmoved = key.moved(among: keys) == nil && !keys[first].isAtPlace(of: key)
            let isLeftOut = keys.contains { other in
                other.isAtPlace(of: key) && (other.moved(among: keys).map { isUnmoved || $0 != first } ?? false)
            }
            // And where a key comes back to the place that a version between has moved the value away from, without taking it back, it finds what that
            // version left there: the value where its app has never run, nothing where it has.
            let comesBackWithoutIt =
                key.moved(among: keys) == nil && keys[first].isAtPlace(of: key)
                && keys.contains { !$0.isAtPlace(of: key) && $0.firstVersion < key.firstVersion && $0.moved(among: keys) == first }
            if isLeftOut || comesBackWithoutIt { untold[index] = .migration }
        }
        for (index, key) in keys.enumerated() where untold[index] == nil {
            if scenario.hasLinks, key.declaration?.domain.isInFiles == true { untold[index] = .link }
            let isOneOfTwo = keys.indices.contains { other in
                other != index && key.isCurrent && keys[other].isCurrent
                    && key.isOtherwise(than: keys[other], ignoringCase: scenario.knobs.diskIgnoresCase)
            }
            if isOneOfTwo { untold[index] = .place }
            // The counterpart knows values by their names.
            let sharesName = keys.contains { other in
                key.isCurrent && other.isCurrent && other.name == key.name && key.syncs && other.syncs && !other.isAtPlace(of: key)
                    && other.first(among: keys) != key.first(among: keys)
            }
            if sharesName { untold[index] = .name }
        }
        spread(&untold, among: keys)
        return untold
    }

    /// These keys, and those that what they hold may come to.
    static func spreading(from indices: Set<Int>, among keys: [ScenarioKey]) -> Set<Int> {
        var untold = Dictionary(uniqueKeysWithValues: indices.map { ($0, Reason.migration) })
        spread(&untold, among: keys)
        return Set(untold.keys)
    }

    /// What one key of a place may hold, all of them may, and what a source may hold, so may the key that it becomes.
    private static func spread(_ untold: inout [Int: Reason], among keys: [ScenarioKey]) {
        var isSpreading = true
        while isSpreading {
            isSpreading = false
            for index in keys.indices where untold[index] == nil {
                let sources = Set((keys[index].declaration?.migrationSource?.keys ?? []).map(\.index))
                let reason = keys.indices.first { untold[$0] != nil && (sources.contains($0) || keys[$0].isAtPlace(of: keys[index])) }
                guard let reason = reason.flatMap({ untold[$0] }) else { continue }
                untold[index] = reason
                isSpreading = true
            }
        }
    }

    /// Whether nobody can tell what a key's migration brings, and when.
    private static func hasUntoldMigration(_ key: ScenarioKey, among keys: [ScenarioKey]) -> Bool {
        guard let declaration = key.declaration, let source = declaration.migrationSource else { return false }
        switch declaration.migrationCondition {
        case .fromVersion, .belowVersion: return true
        case .device, nil: break
        }
        if case .place = source { return true }
        return source.keys.contains { reference in
            let source = keys[reference.index]
            // A place that apps still use, under another declaration: what they set there goes, and nobody says that it is one value.
            guard source.isCurrent else {
                return source.declaration?.migrationSource != nil || keys.contains { $0.isCurrent && $0.isAtPlace(of: source) }
            }
            // Apps set values there. One that moves as it is, to an app that no longer has the old key, has one history. Not where two keys are made of it, or that app
            // has another key there.
            return !key.takesOver(source)
                || keys.contains { other in
                    other.isCurrent && ![key.identifier, source.identifier].contains(other.identifier) && other.isAtPlace(of: source)
                        && !other.isAtPlace(of: key) && (other.exists(in: key.firstVersion) || key.exists(in: other.firstVersion))
                }
                || keys.contains { other in
                    other.takesOver(source) && other.declaration?.migrationSource == key.declaration?.migrationSource
                        && !other.isAtPlace(of: key)
                        && (other.exists(in: key.firstVersion) || key.exists(in: other.firstVersion))
                }
        }
    }
}

extension SearchSpace {
    /// The keys whose values no read is held against, with the reason: for saying so.
    public var keysOfUnknownValue: [(reason: String, keys: [String])] {
        let untold = UntoldKeys.among(base.keys, in: base)
        return UntoldKeys.Reason.allCases.compactMap { reason in
            let keys = base.keys.indices.filter { untold[$0] == reason && base.keys[$0].isCurrent }.map { base.keys[$0].identifier }
            return keys.isEmpty ? nil : (reason.rawValue, keys)
        }
    }
}

extension SearchSpace {
    /// Those of them that an update makes of others, and that are held to that in runs in which nothing else happens.
    public var keysMadeOfOthers: [String] {
        let untold = UntoldKeys.among(base.keys, in: base)
        let made = MadeValues(of: base.keys, untold: untold, deviceCount: base.start.watch2 == nil ? 2 : 3)
        return made.wholes.sorted().map { base.keys[$0].identifier }
    }
}

extension ScenarioKey {
    /// Whether an update moves the value of that key here, as it is.
    func takesOver(_ source: ScenarioKey) -> Bool {
        guard isNewer, source.isCurrent, let until = source.declaration?.until, let since = declaration?.since,
            case .key? = declaration?.migrationSource
        else { return false }
        return source.firstVersion <= until && until < since && source.type == type && source.syncs == syncs
            && source.declaration?.watchForm == declaration?.watchForm
    }

    /// Whether another key has the same file, item or preference, and is declared so that what one of them stores is no value of the other.
    fileprivate func isOtherwise(than other: ScenarioKey, ignoringCase: Bool) -> Bool {
        // Where one takes the value over as it is, no app has both.
        if mayBeOneFile(with: other, ignoringCase: ignoringCase), !takesOver(other), !other.takesOver(self) { return true }
        return isAtPlace(of: other)
            && (type != other.type || syncs != other.syncs || declaration?.accessGroup != other.declaration?.accessGroup)
    }

    /// Whether both are files that a volume without regard to case takes for one.
    func differsInCaseOnly(from other: ScenarioKey) -> Bool {
        guard let mine = declaration?.domain, let theirs = other.declaration?.domain, name != other.name else { return false }
        return mine.isInFiles && theirs.isInFiles && name.lowercased() == other.name.lowercased()
    }
}

extension Scenario {
    /// Whether steps put links on a disk: then a file may have any number of names, and a folder may be out of the app's reach.
    var hasLinks: Bool {
        steps.contains { step in
            if case .fault(let fault) = step.action, case .link = fault.action { true } else { false }
        }
    }
}

extension Scenario {
    /// Whether an app may begin anew on a device, or a watch come to the phone late or leave it: which of three devices knows of which version is then
    /// more than the checks can tell.
    fileprivate var mayForgetDevices: Bool {
        !start.isPaired || !start.isWatch2Paired || [start.phone, start.watch, start.watch2].contains { $0?.isInstalled == false }
            || steps.contains(where: \.action.mayForgetDevices)
    }
}

extension ScenarioStep.Action {
    fileprivate var mayForgetDevices: Bool {
        switch self {
        case .together(let steps): steps.contains { $0.action.mayForgetDevices }
        case .link(.pairSecondWatch), .link(.unpairSecondWatch): true
        default: [.app, .sinceBackup].contains(traits.loss) || traits.doubts.contains(.watch)
        }
    }

    /// Whether a step puts something where LocalData keeps what it knows, or sends what only LocalData sends: as a broken counterpart or disk would.
    var meddles: Bool {
        if case .together(let steps) = self { steps.contains { $0.action.meddles } } else { traits.doubts.contains(.sync) }
    }
}
