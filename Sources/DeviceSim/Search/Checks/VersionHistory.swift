import DeviceSimCore
import DeviceSimLanguage

/// What is known of the versions of one value on all devices, from what app code was told alone.
///
/// A version is the absence at the beginning, or what a `set` or `remove` wrote. It *comes after* all that its device knew when it was written, and all
/// that its device wrote before. A device must never read a version that something it knows came after. Of two versions that know nothing of each
/// other, either may win. Nothing here asks LocalData's own stamps: they are what is being checked.
struct VersionHistory: Sendable {
    struct Version: Sendable {
        /// `nil` is absence.
        let value: ScenarioValue?
        /// `nil` for the absence at the beginning.
        let device: DeviceID?
        /// The step that wrote it, from 0.
        let step: Int
        /// The versions that it came after.
        let past: NumberSet
        var isAcknowledged: Bool
        /// Whether its app was told that it is stored, be it that the device has lost it since.
        var isTold = false
        /// When it was, where that is known.
        var toldAt: VirtualTime?
    }

    /// What a device knows.
    private struct Knowledge: Sendable {
        /// The versions that it has held, and all they came after.
        var seen = NumberSet([0])
        /// What something that it has held came after: these it must not read again.
        var superseded = NumberSet()

        mutating func learn(_ number: Int, past: NumberSet) {
            seen.insert(number)
            seen.formUnion(past)
            superseded.formUnion(past)
        }
    }

    /// Why a read contradicts what is known.
    enum Contradiction: Sendable {
        /// No step ever wrote such a value.
        case unknownValue
        /// `found` was read, and `later` came after it.
        case outdated(found: Version, later: Version)
    }

    private var durable: [Knowledge]
    private(set) var versions: [Version] { didSet { fingerprint = madeFingerprint } }
    private var knowledge: [Knowledge] { didSet { fingerprint = madeFingerprint } }
    /// Tells apart how many versions there are, whether the latest is a value, and which of them each device has held. Kept: it is asked
    /// for after each step, of all keys.
    private(set) var fingerprint: UInt64 = 0
    /// The first version that each device's present installation can have written.
    private var installationStart: [Int]
    /// The first version that each device can have begun since it last lost what it knew.
    private var memoryStart: [Int]

    /// Whether what each device has of the others' versions may be gone with its power: its LocalData has said that it could not store one.
    private var mayBeUndurable: [Bool]

    /// Whether what each device is known to have kept may have been removed there since, by a removal that it may have lost.
    private var mayBeRemoved: [Bool]

    /// The versions that all that are written come after, whether their device knows of them or not.
    private var inherited = NumberSet()

    /// The versions that each device has been told of, without having had the values.
    private var told: [NumberSet]

    /// - Parameters:
    ///   - value: What all devices hold in the beginning.
    ///   - deviceCount: How many they are: the phone and its watches.
    init(beginningWith value: ScenarioValue? = nil, deviceCount: Int = 2) {
        versions = [Version(value: value, device: nil, step: -1, past: NumberSet(), isAcknowledged: true)]
        durable = Array(repeating: Knowledge(), count: deviceCount)
        knowledge = durable
        installationStart = Array(repeating: 0, count: deviceCount)
        memoryStart = installationStart
        mayBeUndurable = Array(repeating: false, count: deviceCount)
        mayBeRemoved = mayBeUndurable
        told = Array(repeating: NumberSet(), count: deviceCount)
        fingerprint = madeFingerprint
    }

    private var madeFingerprint: UInt64 {
        var value = UInt64(min(versions.count, 8)) << 1 | (versions.last?.value == nil ? 0 : 1)
        for known in knowledge { value = value &* 131 &+ UInt64(versions.indices.last { known.seen.contains($0) } ?? 0) }
        return value
    }

    /// The last version of the device's own that its app was told is stored; `nil` where there is none.
    func lastTold(on device: DeviceID) -> Int? { versions.lastIndex { $0.device == device && $0.isAcknowledged } }

    /// Whether all versions that a value may be were begun before that one.
    func isOlder(_ value: ScenarioValue?, than number: Int, as form: WatchForm?) -> Bool {
        numbers(of: value, as: form).allSatisfy { $0 < number }
    }

    /// Whether any version is a removal.
    var hasRemovals: Bool { versions.dropFirst().contains { $0.value == nil } }

    /// Whether another device wrote any version, which may have come to this one.
    func hasVersions(besideThoseOf device: DeviceID) -> Bool { versions.contains { $0.device.map { $0 != device } ?? false } }

    // MARK: Writing

    /// A `set` or `remove` begins. Whether it has an effect is not known before it is acknowledged or read.
    /// - Parameters:
    ///   - concurrent: Versions whose writing overlaps with this one's, which it does not come after.
    ///   - isEdit: False for what an earlier version of the app left somewhere else: that is the value only where the device has none. So it comes after
    ///     what was removed, and not after a value, which the device may have lost and others may give back.
    ///   - isOfApp: False for a widget's: it knows of no version.
    /// - Returns: the version's number.
    mutating func begin(
        _ value: ScenarioValue?, on device: DeviceID, step: Int, concurrent: [Int] = [], isEdit: Bool = true, isOfApp: Bool = true
    ) -> Int {
        let seen = knowledge[device.place].seen
        var past = isEdit ? seen : NumberSet([0])
        past.formUnion(inherited)
        if isEdit, isOfApp, value != nil || !mayBeAbsent(on: device) { past.formUnion(told[device.place]) }
        for number in seen.numbers where !isEdit && versions[number].value == nil {
            past.insert(number)
            past.formUnion(versions[number].past)
        }
        for number in versions.indices
        where isEdit && number >= installationStart[device.place] && versions[number].device == device && !concurrent.contains(number) {
            past.insert(number)
            // What failed before the device lost what it knew may have left nothing to count on from.
            if versions[number].isTold || number >= memoryStart[device.place] { past.formUnion(versions[number].past) }
        }
        versions.append(Version(value: value, device: device, step: step, past: past, isAcknowledged: false))
        return versions.count - 1
    }

    /// Whatever is written from now on comes after this version.
    mutating func inherit(_ number: Int) { inherited.insert(number) }

    /// Whether the device may have no value: removing it is nothing then.
    private func mayBeAbsent(on device: DeviceID) -> Bool {
        versions.indices.contains { versions[$0].value == nil && !knowledge[device.place].superseded.contains($0) }
    }

    /// Both devices came to rest, and have told each other of what they have. Where a value is too large to travel, they have told its version.
    mutating func tellVersions() {
        for device in told.indices { told[device].formUnion(NumberSet(versions.indices.filter { versions[$0].isAcknowledged })) }
    }

    /// All devices came to rest with what each of them was told: nothing that somebody acknowledged is still to come, and nothing that it came after is read
    /// again, on whichever device. Where one version alone is left, all have it.
    mutating func noteRest() {
        tellVersions()
        var past = NumberSet()
        for number in versions.indices where versions[number].isAcknowledged { past.formUnion(versions[number].past) }
        for known in knowledge { past.formUnion(known.superseded) }
        let left = versions.indices.filter { !past.contains($0) }
        for place in knowledge.indices {
            for number in past.numbers { teach(number, place, isSuperseded: true) }
            if left.count == 1, versions[left[0]].isAcknowledged { teach(left[0], place, isSuperseded: false) }
        }
    }

    private mutating func teach(_ number: Int, _ place: Int, isSuperseded: Bool) {
        knowledge[place].seen.insert(number)
        if isSuperseded { knowledge[place].superseded.insert(number) }
        guard !mayBeUndurable[place] else { return }
        durable[place].seen.insert(number)
        if isSuperseded { durable[place].superseded.insert(number) }
    }

    /// The version that was begun last has no effect: its app was told why not.
    mutating func withdraw(_ number: Int) {
        guard number == versions.count - 1, !versions[number].isAcknowledged else { return }
        versions.removeLast()
    }

    /// What a device was told is not known any more, or of another name.
    mutating func forgetVersionsTold(to device: DeviceID) { told[device.place] = NumberSet() }

    mutating func acknowledge(_ number: Int, at time: VirtualTime? = nil) {
        guard let device = versions[number].device else { return }
        // The removal of a value that the device is not known to have had may be none: cleaning up at launch deletes nothing elsewhere.
        if versions[number].value == nil {
            let hadValue = knowledge[device.place].seen.numbers.contains { versions[$0].value != nil }
            guard hadValue, !mayBeRemoved[device.place] else { return }
        }
        mayBeRemoved[device.place] = false
        mayBeUndurable[device.place] = false
        versions[number].isAcknowledged = true
        versions[number].isTold = true
        versions[number].toldAt = time
        learn(number, on: device)
    }

    /// The device's LocalData said that it could not store what the counterpart sent. It may lie there all the same, to be read, and go with the power: the last
    /// of the steps that make it durable may be what failed. Until the device stores something of its own.
    mutating func notePutOff(on device: DeviceID) { mayBeUndurable[device.place] = true }

    /// What the device stored is lost, or may be: nothing can be held against what it reads until it is told anew.
    /// - Parameter isReinstalled: The app is another installation from now on, which does not know what the one before it wrote: until the
    ///   counterpart tells, what it writes comes after none of that.
    mutating func forget(on device: DeviceID, isReinstalled: Bool = false) {
        knowledge[device.place] = Knowledge()
        durable[device.place] = Knowledge()
        memoryStart[device.place] = versions.count
        forgetVersionsTold(to: device)
        if isReinstalled { installationStart[device.place] = versions.count }
        for number in versions.indices.dropFirst()
        where !knowledge.indices.contains(where: { $0 != device.place && knowledge[$0].seen.contains(number) }) {
            versions[number].isAcknowledged = false
        }
    }

    /// The last version that an app of the device was told is stored, or was given, besides some.
    func lastDurable(on device: DeviceID, besides others: Set<Int>) -> Int? {
        let known = durable[device.place]
        return known.seen.numbers.last { number in
            number > 0 && !others.contains(number) && versions[number].step >= 0 && !known.superseded.contains(number)
        }
    }

    /// The last version that an app of the device was told is stored, by that time, and since it last lost anything.
    func lastTold(on device: DeviceID, by time: VirtualTime) -> Int? {
        let start = max(installationStart[device.place], memoryStart[device.place])
        return versions.indices.last { number in
            number >= start && versions[number].device == device && versions[number].isAcknowledged
                && versions[number].toldAt.map { $0 <= time } ?? false
        }
    }

    /// Whether anybody removed the value, or tried to, since a version was written.
    func isRemoved(after number: Int) -> Bool { versions[(number + 1)...].contains { $0.value == nil } }

    /// A version is still there, whatever else the device has lost.
    mutating func keep(_ number: Int, on device: DeviceID) {
        versions[number].isAcknowledged = true
        mayBeRemoved[device.place] = versions[(number + 1)...].contains { $0.device == device && $0.value == nil }
        learn(number, on: device)
    }

    /// A value that nobody wrote as a version may be read from now on. Whether it wins over another is not said.
    /// - Parameter besides: Also where a version has the same value, of which what is read then need not be a sign.
    mutating func admit(_ value: ScenarioValue, on device: DeviceID, besides: Bool = false) {
        guard besides || numbers(of: value, as: nil).isEmpty else { return }
        versions.append(Version(value: value, device: device, step: -1, past: NumberSet([0]), isAcknowledged: false))
    }

    /// The device lost its power. What a write left that was never acknowledged may be read for a while and then be gone: nobody was promised that it
    /// is durable.
    mutating func losePower(on device: DeviceID) {
        knowledge[device.place] = durable[device.place]
        memoryStart[device.place] = versions.count
    }

    private mutating func learn(_ number: Int, on device: DeviceID) {
        let version = versions[number]
        knowledge[device.place].learn(number, past: version.past)
        let isDurable = version.device == device ? version.isAcknowledged : !mayBeUndurable[device.place]
        if isDurable { durable[device.place].learn(number, past: version.past) }
    }

    // MARK: Reading

    /// A device read a value, or verified absence.
    /// - Parameter form: What the device may have of a value in place of all of it.
    mutating func read(_ value: ScenarioValue?, on device: DeviceID, as form: WatchForm? = nil) -> Contradiction? {
        let candidates = numbers(of: value, as: form)
        guard !candidates.isEmpty else { return .unknownValue }
        let allowed = candidates.filter { !knowledge[device.place].superseded.contains($0) }
        guard let found = allowed.first else { return outdated(candidates, by: knowledge[device.place].seen.numbers) }
        if value != nil { mayBeRemoved[device.place] = false }
        if allowed.count == 1 { learn(found, on: device) }
        return nil
    }

    /// Both devices came to rest with the same value: nothing that anybody acknowledged may have come after it.
    func settled(on value: ScenarioValue?, as form: WatchForm? = nil) -> Contradiction? {
        let candidates = numbers(of: value, as: form)
        guard !candidates.isEmpty else { return .unknownValue }
        var superseded = NumberSet()
        for known in knowledge { superseded.formUnion(known.superseded) }
        let acknowledged = versions.indices.filter { versions[$0].isAcknowledged }
        for number in acknowledged { superseded.formUnion(versions[number].past) }
        guard candidates.allSatisfy({ superseded.contains($0) }) else { return nil }
        return outdated(candidates, by: acknowledged + knowledge.flatMap(\.seen.numbers))
    }

    /// The values that the device may read now. For a remedy in words; `nil` is absence.
    func allowedValues(on device: DeviceID) -> [ScenarioValue?] {
        var values: [ScenarioValue?] = []
        for number in versions.indices where !knowledge[device.place].superseded.contains(number) {
            if !values.contains(versions[number].value) { values.append(versions[number].value) }
        }
        return values
    }

    private func numbers(of value: ScenarioValue?, as form: WatchForm?) -> [Int] {
        versions.indices.filter { number in
            switch (versions[number].value, value) {
            case (nil, nil): true
            case (let mine?, let other?): mine.isSame(as: other) || form.map { $0.applied(to: mine).isSame(as: other) } ?? false
            default: false
            }
        }
    }

    /// The latest version that came after the latest candidate.
    private func outdated(_ candidates: [Int], by known: [Int]) -> Contradiction? {
        guard let found = candidates.last, let later = known.filter({ versions[$0].past.contains(found) }).max() else { return nil }
        return .outdated(found: versions[found], later: versions[later])
    }
}
