import Foundation

/// The version that a migrated value was at its old place, or at its old places.
struct LegacyVersion: Sendable, Hashable {
    let stamp: SyncStamp
    /// Both places have one name, by which versions are kept: to the counterpart it is the same value.
    let isSameName: Bool
    /// The destination has a name that the value had before, and another one since.
    var nameReturn: NameReturn?
    /// The value, or a part of it, is the smaller form that the counterpart made for this device. So is what is made of it.
    var isReduced = false
    /// Nothing was found: the value replaces what lies there, as an edit does.
    var isEdit = false
    /// It is kept beside the smaller form of that version: its counter is the same, and must not say later that this is the whole of it.
    var replaced: SyncStamp?

    static func ofAnEdit(isReduced: Bool) -> LegacyVersion {
        LegacyVersion(stamp: SyncStamp(counter: 0, device: ""), isSameName: false, isReduced: isReduced, isEdit: true)
    }
}

extension SyncStamp {
    /// The stamp of a value that a migration found.
    ///
    /// Its counter is 0: what an earlier version of the app left is older than anything that was ever set at its new place, on either device. Two values
    /// that were found keep the order that they had at their old place, so the device part carries that version: `~`, its counter in 16 hexadecimal
    /// digits, `.`, its device. A value without a version sorts before those.
    ///
    /// Where a name comes back that the value had before, versions of that time have counters, and the counterpart may still send them. Unless somebody set
    /// the value since under another name, it is the version that it was then. Otherwise it begins the name's next generation.
    static func found(as earlier: LegacyVersion?, on device: String) -> SyncStamp {
        guard let earlier else { return SyncStamp(counter: 0, device: device) }
        guard !earlier.isSameName else { return earlier.stamp }
        let name = earlier.nameReturn
        if let name, let original = earlier.stamp.beforeMigrations(name.renames - 1) { return original }
        return SyncStamp(counter: (name?.generation ?? 0) * generationSize, device: "~\(earlier.stamp.rank.digits).\(earlier.stamp.device)")
    }

    /// The version that a value of this one comes to have which moves from the name `source` from key to key.
    func moved(from source: String, through chain: [any StorageKey]) -> SyncStamp {
        var (name, stamp) = (source, self)
        for destination in chain {
            let step = LegacyVersion(stamp: stamp, isSameName: name == destination.name, nameReturn: destination.nameReturn)
            (name, stamp) = (destination.name, .found(as: step, on: stamp.device))
        }
        return stamp
    }

    /// The version that this one was before so many migrations to other names found it; `nil` where somebody set the value between them.
    func beforeMigrations(_ count: Int) -> SyncStamp? {
        var stamp = self
        for step in 0..<count {
            let parts = stamp.device.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard stamp.counter == 0, stamp.lineage == nil, parts.count == 2, parts[0].utf8.count == 17,
                parts[0].utf8.first == UInt8(ascii: "~"),
                let counter = UInt64(parts[0].dropFirst(), radix: 16), counter == 0 || step == count - 1, counter < Self.maximumCounter
            else { return nil }
            stamp = SyncStamp(counter: counter, device: String(parts[1]))
        }
        return stamp
    }

    /// The counter, as a number that grows from one lineage to the next.
    fileprivate var rank: UInt64 {
        guard let lineage else { return counter }
        return Self.maximumCounter.multipliedReportingOverflow(by: UInt64(lineage.ended.count) + 1).partialValue.addingSaturated(counter)
    }

    /// The counter, and the numbers that the device part carries: those of the former names of a value that migrations found, the latest first, and
    /// what was counted of the parts of one that was made of several. Of two versions of one value the first number that differs tells which is the
    /// later one: an edit after a migration counts from the beginning again, and goes before all that was counted until then.
    fileprivate var ranks: [UInt64] {
        [rank]
            + device.split(separator: "~", omittingEmptySubsequences: false).dropFirst().compactMap { part in
                guard let end = part.utf8.firstIndex(of: UInt8(ascii: ".")), part.utf8[..<end].count == 16 else { return nil }
                return UInt64(part[..<end], radix: 16)
            }
    }

    /// Whether it is the stamp of a value that LocalData found and knew no version of, at whichever place.
    var hasNoVersion: Bool { isOfFoundValue && device.utf8.first != UInt8(ascii: "~") }

    /// Whether only values that a migration found have such a stamp, or values without any version.
    var isOfFoundValue: Bool { counter % Self.generationSize == 0 && lineage == nil }
}

/// A name that a value has again. What was set under it before it had another one is older than what was set since, under whichever name.
struct NameReturn: Sendable, Hashable {
    /// How often the value had the name before. Counters of a generation begin at its number times ``SyncStamp/generationSize``.
    let generation: UInt64
    /// How many migrations to another name there were since it had the name last.
    let renames: Int

    /// How far back a chain is followed. It ends nowhere where two keys migrate from each other.
    static let maximumLength = 64

    /// - Parameters:
    ///   - name: The name that the value has.
    ///   - sources: What its migration takes it from. Of several it is not told which names the value had.
    init?(of name: String, from sources: [AnyStorageKey]) {
        var names = [name]
        var open = sources
        for _ in 0..<Self.maximumLength {
            guard open.count == 1, let key = open.first?.base else { break }
            if key.name != names.last { names.append(key.name) }
            open = key.migration?.base.sourceKeys ?? []
        }
        guard let last = names.dropFirst().firstIndex(of: name) else { return nil }
        renames = last
        generation = UInt64(names.filter { $0 == name }.count - 1)
    }
}

extension SyncStamp {
    /// Many installations leap and count in one generation (see ``SyncInstallation/leap``), and all generations stay below ``maximumCounter``.
    static let generationSize: UInt64 = 1 << 48

    /// Whether it is of an earlier generation of the name.
    func isBefore(_ name: NameReturn) -> Bool { lineage == nil && counter < name.generation * Self.generationSize }
}

extension StorageKey {
    /// That its name comes back in its chain of migrations.
    var nameReturn: NameReturn? { migration.flatMap { NameReturn(of: name, from: $0.base.sourceKeys) } }
}

/// One of the old places of a value, as the ledger knew it.
struct EarlierVersion: Sendable, Hashable {
    /// The name and the kind of the place, which are the same on both devices.
    let place: String
    let stamp: SyncStamp
    let isSameName: Bool
    var nameReturn: NameReturn?
    let isReduced: Bool
    let content: Content

    enum Content: Sendable, Hashable {
        case value
        /// Somebody removed what was there. That is a version as well: what is made of the others is later than what was made with it.
        case deleted
        /// It is there no more, and nobody removed it: it was moved, or lost.
        case gone
    }
}

extension LegacyVersion {
    /// The version of what is made of values with these versions; `nil` where none of them has one.
    ///
    /// Of one value it is that value's. Of several it counts the edits of all of them, so that a later edit of any of them makes a later version: those
    /// since the latest migration first, then those before it, and so on. After that, which versions they are decides, the same on both devices. A value
    /// that is the destination's own under an older form keeps its version, and what was added to it comes right after that.
    init?(combining all: [EarlierVersion]) {
        let versions = all.filter { $0.content != .gone }
        self.init(of: versions, madeOf: versions.filter { $0.content == .value })
    }

    /// The version that the removal of all sources is for what would have been made of them.
    init?(ofRemovals all: [EarlierVersion]) {
        guard all.allSatisfy({ $0.content == .deleted }) else { return nil }
        self.init(of: all, madeOf: all)
    }

    private init?(of versions: [EarlierVersion], madeOf present: [EarlierVersion]) {
        guard let first = present.first else { return nil }
        let isReduced = present.contains(where: \.isReduced)
        guard versions.count > 1 else {
            self.init(stamp: first.stamp, isSameName: first.isSameName, nameReturn: first.nameReturn, isReduced: isReduced)
            return
        }
        let own = present.first(where: \.isSameName)
        let counts = versions.reduce(into: [UInt64]()) { counts, version in
            // What its own version carries goes before all that is counted.
            for (index, rank) in version.stamp.ranks.prefix(own != nil && version.isSameName ? 1 : .max).enumerated() {
                if index < counts.count { counts[index] = counts[index].addingSaturated(rank) } else { counts.append(rank) }
            }
        }
        let list = versions.map { "\($0.place)\n\($0.stamp.counter)\n\($0.stamp.device)\n\($0.content)" }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "\n")
        let digest = SHA256Digest.digest(of: Data(list.utf8)).prefix(16).hexadecimal
        if let own {
            let stamp = SyncStamp(counter: own.stamp.counter, device: own.stamp.device + Self.text(of: counts[...]) + digest)
            self.init(stamp: stamp, isSameName: true, isReduced: isReduced)
        } else {
            let stamp = SyncStamp(counter: counts[0], device: Self.text(of: counts.dropFirst()) + digest)
            self.init(stamp: stamp, isSameName: false, isReduced: isReduced)
        }
    }

    private static func text(of counts: ArraySlice<UInt64>) -> String { counts.map { "~\($0.digits)." }.joined() }
}

extension UInt64 {
    /// 16 hexadecimal digits, which sort as the numbers do.
    fileprivate var digits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
