import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Values that an update makes of those of earlier versions of the app, in another form or of several (``UntoldKeys/Reason/migration``).
///
/// What such a key holds while apps of both versions run, and some of what it was made of was removed or lost, cannot be told from the steps. It can be told at the end of
/// a run in which people only set values, apps came, went and were updated, and nobody set the key itself: it is made of the last of each part, whichever version
/// of the app set it and on whichever device. And both devices have the same, whoever set it. What both devices set of the parts while neither knew of it, each makes
/// a value of by itself: either wins.
struct MadeValues {
    /// Whether nothing happened so far that makes more of it than that.
    private(set) var canBeTold = true

    /// Who set something since the devices last came to rest.
    private var setter: DeviceID?

    /// The keys that are such values, or parts of one, by their places among all.
    let wholes: Set<Int>
    private let parts: Set<Int>
    /// The keys that somebody has set.
    private var written: Set<Int> = []

    init(of keys: [ScenarioKey], untold: [Int: UntoldKeys.Reason], deviceCount: Int) {
        var made: Set<Int> = []
        var parts: Set<Int> = []
        if deviceCount == 2 {
            for (index, key) in keys.enumerated() where untold[index] == .migration && key.isMade(among: keys, untold) {
                made.insert(index)
                parts.formUnion(key.parts(among: keys))
            }
        }
        (wholes, self.parts) = (made, parts.subtracting(made))
    }

    func contains(_ key: CheckedKey) -> Bool { wholes.contains(key.reference.index) }

    /// Whether the key's value is one that others are made of, and no other check holds it.
    func isPart(_ key: CheckedKey) -> Bool { parts.contains(key.reference.index) }

    mutating func note(_ observations: [StepObservation], versions: [AppVersion]) {
        guard canBeTold, !wholes.isEmpty else { return }
        canBeTold = observations.count == 1 && observations.allSatisfy { $0.leavesPartsAlone(versions) }
        for case .data(let step) in observations.map(\.action) {
            guard let key = step.action.written?.key else { continue }
            written.insert(key.index)
            if setter != nil, setter != step.device { canBeTold = false }
            setter = step.device
        }
    }

    /// All devices came to rest, and each was told what the others had, unless its app is older than a part.
    mutating func noteRest(_ keys: [CheckedKey], versions: [AppVersion]) {
        guard !parts.intersection(written).contains(where: { versions.contains(where: keys[$0].isNewer) }) else { return }
        setter = nil
    }
}

extension ScenarioKey {
    /// Whether an update makes the key's value of those of former keys, as the only thing that befalls them: all sync with it or none does, and no other key is at
    /// one of their places, or has the name.
    fileprivate func isMade(among keys: [ScenarioKey], _ untold: [Int: UntoldKeys.Reason]) -> Bool {
        guard isCurrent, let declaration, declaration.watchForm == nil, !isUnlisted, let since = declaration.since,
            declaration.migrationSource != nil, declaration.migrationCondition == nil
        else { return false }
        // It may have been moved since.
        switch keys[first(among: keys)].declaration?.migrationSource {
        case .combined(_, .agreeing, _), .place, nil: return false
        case .key, .combined, .transformed: break
        }
        let chain = parts(among: keys)
        return chain.allSatisfy { index in
            let part = keys[index]
            guard part.isCurrent, part.syncs == syncs, let former = part.declaration, former.watchForm == nil, !part.isUnlisted,
                let until = former.until, until < since, former.migrationCondition == nil, untold[index].map({ $0 == .migration }) ?? true,
                former.security.isPlain, former.availability == declaration.availability
            else { return false }
            return keys.indices.allSatisfy { other in
                other == index || keys[other].name != part.name && !keys[other].isAtPlace(of: part)
                    || chain.contains(other) && keys[other].first(among: keys) == part.first(among: keys)
            }
        } && declaration.security.isPlain
            && keys.allSatisfy { other in
                // One that is made of the same may have to wait, or take it.
                let sources = other.declaration?.migrationSource?.keys.map(\.index) ?? []
                return other.identifier == identifier || !sources.contains(where: chain.contains)
                    || chain.contains { keys[$0].identifier == other.identifier }
            }
    }

    /// The keys behind a key: what it is made of, and what that is made of.
    fileprivate func parts(among keys: [ScenarioKey]) -> Set<Int> {
        var found: Set<Int> = []
        var due = declaration?.migrationSource?.keys.map(\.index) ?? []
        while let next = due.popLast() {
            if found.insert(next).inserted { due += keys[next].declaration?.migrationSource?.keys.map(\.index) ?? [] }
        }
        return found
    }
}

extension SecurityPolicy {
    /// Whether values can be read as long as the device has been unlocked once, and by every version of the app.
    fileprivate var isPlain: Bool {
        switch self {
        case .none: true
        case .keychain(let accessibility, let accessControl): accessControl == nil && accessibility == .afterFirstUnlock
        case .encrypted: self == .recommended
        }
    }
}

extension StepObservation {
    /// Whether people only set and read values, and apps come, go and are updated.
    fileprivate func leavesPartsAlone(_ versions: [AppVersion]) -> Bool {
        guard powerLosses.isEmpty, !conditions.hasFaults, !conditions.lacksRoom, !conditions.wasCancelled else { return false }
        switch action {
        case .data(let step): return step.part == .app && !step.outcome.endsProcess && step.action.leavesPartsAlone
        case .device(let step):
            if case .update(let version) = step.action, version < versions[step.device.place] { return false }
            return step.leavesPartsAlone
        case .time, .expect, .link(.up), .link(.down): return true
        case .link, .fault, .transfer, .session, .together: return false
        }
    }
}

extension DataStep.Action {
    /// Whether nothing is taken away by it, and nobody chooses what travels.
    var leavesPartsAlone: Bool {
        switch self {
        case .remove, .plant, .takeSnapshot, .applySnapshot, .applyPayload, .overrideSync, .clearOverrides: false
        default: true
        }
    }
}

extension DeviceStep {
    /// Whether an app comes, goes or is updated.
    var leavesPartsAlone: Bool {
        guard !outcome.endsProcess else { return false }
        return switch action {
        case .launch, .launchInBackground, .relaunch, .foreground, .background, .suspend, .resume, .terminate, .swipeAway, .lock, .unlock,
            .update:
            true
        default: false
        }
    }
}

extension InvariantChecker {
    /// Both devices came to rest, and what each of them holds of a part of a value was looked at.
    mutating func noteRest(ofPart key: CheckedKey, _ values: [ScenarioValue?]) {
        let place = place(of: key, on: .phone)
        var isKnown = true
        for (device, value) in zip(devices, values) where histories[place].read(value, on: device) != nil { isKnown = false }
        // Before one of them was given the other's version nothing is said of what it has.
        if isKnown, values.allSatisfy({ $0.map { first in values[0].map(first.isSame) ?? false } ?? (values[0] == nil) }) {
            histories[place].noteRest()
        }
    }

    /// Holds what a key holds at the end against what was set of its parts.
    /// - Parameter answers: What each device says (`nil`: absent).
    func madeValue(_ key: CheckedKey, _ answers: [ScenarioValue?], step: Int) -> Violation? {
        guard made.canBeTold, made.contains(key), spoiled.isEmpty, lies.keys.isEmpty, oversized.isEmpty, setByApp.isEmpty,
            versions.allSatisfy(key.exists(in:))
        else { return nil }
        recorder?.looked(.migration)
        let name = key.reference.identifier
        for (device, answer) in zip(devices, answers) {
            guard let wanted = lastValues(of: key, on: device), !wanted.contains(where: { Self.isSame($0, answer) }) else { continue }
            let texts = wanted.map { $0?.notation ?? "none" }
            return Violation(
                .durability, key: name, device: device, step: step,
                explanation: [
                    "\(device) holds \(answer?.notation ?? "no value") for '\(name)', which the update makes of other values",
                    "of the last that were set of those it makes \(texts.joined(separator: ", or "))",
                ], expectation: Self.anyOf(wanted).map { Expectation(.value(device, key.reference, $0), timing: .within(.seconds(60))) })
        }
        guard key.syncs, Set(writtenValues.keys).isDisjoint(with: [key.reference.index]) || hasOnlyAcknowledged(key), answers.count == 2,
            !Self.isSame(answers[0], answers[1])
        else { return nil }
        return Violation(
            .convergence, key: name, step: step,
            explanation: [
                "the link is up, both apps have run and nothing is left to happen",
                "the phone holds \(answers[0]?.notation ?? "none") for '\(name)', and the watch \(answers[1]?.notation ?? "none")",
            ], expectation: Expectation(.devicesAgree(key.reference), timing: .within(.seconds(60))))
    }

    private func hasOnlyAcknowledged(_ key: CheckedKey) -> Bool {
        histories[place(of: key, on: .phone)].versions.allSatisfy(\.isAcknowledged)
    }

    private static func isSame(_ one: ScenarioValue?, _ other: ScenarioValue?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.isSame(as: other)
        default: false
        }
    }

    /// What a key may hold, where nobody set it but under the names that it is made of; `nil` where more has happened.
    private func lastValues(of key: CheckedKey, on device: DeviceID) -> [ScenarioValue?]? {
        let root = keys[key.first]
        let history = histories[place(of: root, on: device)]
        guard !root.sources.isEmpty else { return history.lastValues }
        guard history.versions.count == 1 else { return nil }
        var choices: [[KeyReference: ScenarioValue]] = [[:]]
        for source in root.sources {
            guard let values = lastValues(of: keys[source.index], on: device) else { return nil }
            choices = values.flatMap { value in
                choices.map { choice in value.map { choice.merging([source: $0]) { $1 } } ?? choice }
            }
            // More than a line can name is nothing to be held to.
            guard choices.count <= 16 else { return nil }
        }
        var made: [ScenarioValue?] = []
        for value in choices.map(root.migrated) where !made.contains(where: { Self.isSame($0, value) }) { made.append(value) }
        return made
    }
}

extension VersionHistory {
    /// The values of which no other is known to be later; `nil` where one was removed, or set with nobody knowing whether it was.
    fileprivate var lastValues: [ScenarioValue?]? {
        guard versions.dropFirst().allSatisfy({ $0.isAcknowledged && $0.value != nil }) else { return nil }
        var past = NumberSet()
        for version in versions { past.formUnion(version.past) }
        return versions.indices.filter { !past.contains($0) }.map { versions[$0].value }
    }
}
