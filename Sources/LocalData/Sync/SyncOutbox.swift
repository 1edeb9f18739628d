import Foundation

/// What this device holds of the synced keys, and which of it the next snapshot carries. A value with functions: the rules of sending.
struct SyncOutbox: Sendable {
    /// A synced key as this process knows it.
    struct Item: Sendable {
        var policy: SyncPolicy
        /// What the device holds; `nil` is neither a value nor a deletion.
        var current: SyncEntry?
        /// The smaller form that travels instead of ``current``, if the key makes one for the counterpart.
        var reduced: SyncEntry?
        /// For ``SyncPolicy/manual``: what was current when the last sync was asked for. `nil` where this process has not published anything, be it
        /// the absence of a version.
        var published: SyncEntry??
        /// Why ``current`` could not be read.
        var unreadable: StorageError.Code?
        /// It will never be read again: the counterpart is to give back what it has.
        var isBeyondReading = false

        /// What would travel.
        var outgoing: SyncEntry? { reduced ?? current }
    }

    private(set) var items: [String: Item] = [:]
    /// The names of which something else may be held than when the session took a snapshot last.
    private(set) var touched: Set<String> = []

    /// The entries of a snapshot, and the names that are left out of it.
    struct Selection: Sendable, Hashable {
        var entries: [String: SyncEntry] = [:]
        /// What the entries take at most.
        var byteCount = 0
        /// Whether it says all that the outbox holds and has room for, and nothing else: every name is one that was read.
        var isWhole = false
        /// Sorted.
        var omitted: [String] = []
        /// The versions of the omitted ones, as far as there is room for them.
        var omittedVersions: [String: SyncSnapshot.OmittedVersion] = [:]
        /// As ``SyncSnapshot/omittedCounter``.
        var omittedCounter: UInt64 = 0
        /// As ``SyncSnapshot/omitsMore``.
        var omitsMore = false
        /// Of the omitted ones, those that there was no room for. Sorted.
        var didNotFit: [String] = []
        /// Where those begin.
        var cut: Cut?
    }

    /// Where room ends in the order of ``Candidate``: all that comes before has room, and nothing from there on.
    struct Cut: Sendable, Hashable {
        /// The smallest of what has none.
        let first: Candidate
        /// What is said of what is left out, in bytes, at most.
        let omissionByteCount: Int
        /// What would be taken at least with more of it, besides what the entries take that have room.
        let byteCountWithMore: Int
    }

    /// An entry that wants room. Deletions come first, then values from the smallest to the largest.
    struct Candidate: Sendable, Hashable, Comparable {
        let name: String
        let isValue: Bool
        /// In bytes, at most.
        let size: Int

        init(_ entry: SyncEntry, of name: String) {
            self.name = name
            isValue = !entry.isDeletion
            size = entry.maximumByteCount(under: name)
        }

        static func < (left: Self, right: Self) -> Bool {
            if left.isValue != right.isValue { return !left.isValue }
            return left.size == right.size ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.size < right.size
        }
    }
}

extension SyncOutbox {
    func isLoaded(_ name: String) -> Bool {
        items[name].map { !($0.unreadable?.isTemporary ?? false) } ?? false
    }

    func current(_ name: String) -> SyncEntry? { items[name]?.current }

    /// Takes over what a key holds now.
    /// - Parameter isShared: The version came from the counterpart, so it is no news that a manual key has to hold back.
    mutating func hold(_ current: SyncEntry?, reduced: SyncEntry? = nil, of name: String, policy: SyncPolicy, isShared: Bool) {
        var item = items[name] ?? Item(policy: policy)
        item.policy = policy
        item.current = current
        item.reduced = reduced
        item.unreadable = nil
        item.isBeyondReading = false
        if isShared { item.published = .some(item.outgoing) }
        items[name] = item
        touched.insert(name)
    }

    /// Notes that a key cannot be read. What was known of it stays known.
    mutating func withhold(_ name: String, policy: SyncPolicy, because code: StorageError.Code, isBeyondReading: Bool = false) {
        var item = items[name] ?? Item(policy: policy)
        item.policy = policy
        item.current = nil
        item.reduced = nil
        item.unreadable = code
        item.isBeyondReading = isBeyondReading
        items[name] = item
        touched.insert(name)
    }

    /// Forgets a key whose policy no longer lets it travel.
    mutating func drop(_ name: String) {
        items[name] = nil
        touched.insert(name)
    }

    /// Publishes what manual keys hold: a sync was asked for.
    mutating func publishManual() {
        for (name, item) in items where item.policy == .manual && item.unreadable == nil {
            items[name]?.published = .some(item.outgoing)
            touched.insert(name)
        }
    }

    /// The session took what is held now.
    mutating func wasSent() { touched.removeAll(keepingCapacity: true) }
}

// MARK: What the next snapshot carries

extension SyncOutbox {
    /// Chooses what goes into `byteCount` bytes: deletions first, then values from the smallest to the largest, so that the largest are left out.
    ///
    /// Of keys that this process has not met or cannot read, the version that was `accepted` last stays in: the context is replaced as a whole, and the
    /// counterpart may not have seen it yet, or not have known what to do with it. `isDelivered` says that neither is so. So does the version of what was `leftOut`:
    /// the counterpart would take silence for the news that nobody has it.
    /// - Parameters:
    ///   - leftOutCounter: The ``SyncSnapshot/omittedCounter`` that was accepted last.
    ///   - keepsBack: Whether a name of which nothing may leave the device any more. It is no key of the outbox.
    func selection(
        fitting byteCount: Int, accepted: [String: SyncEntry], leftOut: [String: SyncSnapshot.OmittedVersion] = [:],
        leftOutCounter: UInt64 = 0, isDelivered: (String, SyncEntry) -> Bool, keepsBack: (String) -> Bool = { _ in false }
    ) -> Selection {
        var selection = Selection()
        selection.isWhole = true
        var tooLarge: [String: SyncEntry] = [:]
        for (name, item) in items {
            guard item.unreadable == nil else {
                selection.isWhole = false
                selection.entries[name] = accepted[name]
                // Said to be omitted it would pass for something that this device has.
                if accepted[name] == nil, !item.isBeyondReading { selection.omitted.append(name) }
                continue
            }
            guard let entry = item.entry(accepted: accepted[name]) else { continue }
            if item.isTooLarge(entry) { tooLarge[name] = entry } else { selection.entries[name] = entry }
        }
        for (name, entry) in accepted where items[name] == nil && !isDelivered(name, entry) && !keepsBack(name) {
            selection.isWhole = false
            selection.entries[name] = entry
        }
        var omission = Omission(fitting: byteCount)
        // One without a device was passed on, and is told anew.
        for (name, version) in leftOut where items[name] == nil && selection.entries[name] == nil && !version.stamp.device.isEmpty {
            if !keepsBack(name) { selection.omitted.append(name) }
        }
        var named: [String] = []
        for name in selection.omitted.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard omission.add(name) else { continue }
            named.append(name)
            guard let version = leftOut[name], !version.stamp.device.isEmpty else {
                omission.leaveUntold(leftOutCounter)
                continue
            }
            selection.omittedVersions[name] = omission.add(version, of: name)
        }
        // Of what is not even named nobody knows more.
        if named.count < selection.omitted.count { omission.leaveUntold(leftOutCounter) }
        selection.omitted = named
        for (name, entry) in tooLarge.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if let version = omission.add(entry, of: name, into: &selection.omitted) { selection.omittedVersions[name] = version }
        }
        selection.take(omission)
        if !selection.omitted.isEmpty || selection.omitsMore { selection.isWhole = false }
        for (name, entry) in selection.entries { selection.byteCount += entry.maximumByteCount(under: name) }
        if selection.byteCount > byteCount - omission.byteCount { selection.leaveOutLargest(keeping: byteCount, omission) }
        selection.omitted.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return selection
    }
}

extension SyncOutbox.Item {
    /// What travels of a value that can be read.
    /// - Parameter accepted: What the session holds of it: a manual key that this process has not published stays as it was.
    func entry(accepted: SyncEntry?) -> SyncEntry? { policy != .manual ? outgoing : published ?? accepted }

    func isTooLarge(_ entry: SyncEntry) -> Bool {
        policy == .automaticSmall && (entry.value?.count ?? 0) > SyncPolicy.maximumAutomaticByteCount
    }
}

/// The room that is taken by what is said of values that are left out: of each its name, as long as the names take no more than a quarter of all the room, and
/// its version, as long as the versions take no more than a sixteenth. Of the others one counter is told, the highest.
private struct Omission {
    private(set) var byteCount = 0
    /// The highest counter of what has neither.
    private(set) var untold: UInt64 = 0
    /// Whether there was no room for a name.
    private(set) var isCutShort = false
    private var roomForNames: Int
    private var roomForVersions: Int

    init(fitting byteCount: Int) {
        roomForNames = max(0, byteCount) / 4
        roomForVersions = max(0, byteCount) / 16
    }

    /// - Returns: Whether there is room for the name.
    mutating func add(_ name: String) -> Bool {
        let size = PayloadSize.string(name)
        guard size <= roomForNames else {
            isCutShort = true
            return false
        }
        roomForNames -= size
        byteCount += size
        return true
    }

    /// - Returns: The version, if there is room for it and its name.
    mutating func add(_ entry: SyncEntry, of name: String, into names: inout [String]) -> SyncSnapshot.OmittedVersion? {
        let isNamed = add(name)
        if isNamed { names.append(name) }
        if isNamed, let version = add(entry.omittedVersion, of: name) { return version }
        // Counters of another lineage say nothing here.
        if entry.stamp.lineage == nil { leaveUntold(entry.stamp.counter) }
        return nil
    }

    mutating func leaveUntold(_ counter: UInt64) { untold = max(untold, counter) }

    /// What is said of more values takes at most: in whatever order they are added.
    var bound: Bound { Bound(told: byteCount, roomForNames: roomForNames, roomForVersions: roomForVersions) }

    struct Bound {
        let told: Int
        let roomForNames: Int
        let roomForVersions: Int
        private var (names, versions) = (0, 0)

        fileprivate init(told: Int, roomForNames: Int, roomForVersions: Int) {
            (self.told, self.roomForNames, self.roomForVersions) = (told, roomForNames, roomForVersions)
        }

        var byteCount: Int { told + min(names, roomForNames) + min(versions, roomForVersions) }

        mutating func add(_ name: String, _ version: SyncSnapshot.OmittedVersion?) {
            names += PayloadSize.string(name)
            versions += version?.maximumByteCount(under: name) ?? 0
        }
    }

    /// - Returns: The version, if there is room for it.
    mutating func add(_ version: SyncSnapshot.OmittedVersion, of name: String) -> SyncSnapshot.OmittedVersion? {
        let size = version.maximumByteCount(under: name)
        guard size <= roomForVersions else {
            if version.stamp.lineage == nil { leaveUntold(version.stamp.counter) }
            return nil
        }
        roomForVersions -= size
        byteCount += size
        return version
    }
}

extension SyncOutbox.Selection {
    fileprivate mutating func take(_ omission: Omission) { (omittedCounter, omitsMore) = (omission.untold, omission.isCutShort) }

    /// - Parameter told: What is said already of others.
    fileprivate mutating func leaveOutLargest(keeping byteCount: Int, _ told: Omission) {
        let candidates = entries.map { SyncOutbox.Candidate($0.value, of: $0.key) }.sorted()
        var omission = told
        let cut = cut(candidates, keeping: byteCount, told)
        for candidate in candidates[cut.count...] {
            if let entry = entries.removeValue(forKey: candidate.name),
                let version = omission.add(entry, of: candidate.name, into: &omitted)
            {
                omittedVersions[candidate.name] = version
            }
            didNotFit.append(candidate.name)
        }
        (self.cut, self.byteCount) = (cut.place, cut.byteCount)
        didNotFit.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        take(omission)
    }

    /// How many of the candidates have room beside what is said of the others, and what they take.
    private func cut(_ candidates: [SyncOutbox.Candidate], keeping limit: Int, _ told: Omission) -> (
        count: Int, byteCount: Int, place: SyncOutbox.Cut?
    ) {
        var (kept, room) = (candidates.reduce(0) { $0 + $1.size }, told.bound)
        var place: SyncOutbox.Cut?
        var least = Int.max
        for (index, candidate) in candidates.enumerated().reversed() {
            guard kept + room.byteCount > limit else { return (index + 1, kept, place) }
            least = min(least, kept + room.byteCount)
            kept -= candidate.size
            room.add(candidate.name, entries[candidate.name]?.omittedVersion)
            place = SyncOutbox.Cut(first: candidate, omissionByteCount: room.byteCount, byteCountWithMore: least - kept)
        }
        return (0, kept, place)
    }
}
