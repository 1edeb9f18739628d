import Foundation

/// The version that a migrated value was at its old place, or at its old places.
struct LegacyVersion: Sendable, Hashable {
    let stamp: SyncStamp
    /// Both places have one name, by which versions are kept: to the counterpart it is the same value.
    let isSameName: Bool
    /// The value, or a part of it, is the smaller form that the counterpart made for this device. So is what is made of it.
    var isReduced = false
    /// Nothing was found: the value replaces what lies there, as an edit does.
    var isEdit = false

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
    static func found(as earlier: LegacyVersion?, on device: String) -> SyncStamp {
        guard let earlier else { return SyncStamp(counter: 0, device: device) }
        guard !earlier.isSameName else { return earlier.stamp }
        return SyncStamp(counter: 0, device: "~\(earlier.stamp.rank.digits).\(earlier.stamp.device)")
    }

    /// The counter, as a number that grows from one lineage to the next.
    fileprivate var rank: UInt64 {
        guard let lineage else { return counter }
        return Self.maximumCounter.multipliedReportingOverflow(by: UInt64(lineage.ended.count) + 1).partialValue.addingSaturated(counter)
    }

    /// Whether only values that a migration found have such a stamp, or values without any version.
    var isOfFoundValue: Bool { counter == 0 && lineage == nil }
}

/// One of the old places of a value, as the ledger knew it.
struct EarlierVersion: Sendable, Hashable {
    /// The name and the kind of the place, which are the same on both devices.
    let place: String
    let stamp: SyncStamp
    let isSameName: Bool
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
    /// Of one value it is that value's. Of several it counts the edits of all of them, so that a later edit of any of them makes a later version; after
    /// that, which versions they are decides, the same on both devices. A value that is the destination's own under an older form keeps its
    /// version, and what was added to it comes right after that.
    init?(combining all: [EarlierVersion]) {
        let versions = all.filter { $0.content != .gone }
        let present = versions.filter { $0.content == .value }
        guard let first = present.first else { return nil }
        let isReduced = present.contains(where: \.isReduced)
        guard versions.count > 1 else {
            self.init(stamp: first.stamp, isSameName: first.isSameName, isReduced: isReduced)
            return
        }
        let count = versions.reduce(UInt64(0)) { $0.addingSaturated($1.stamp.rank) }
        let list = versions.map { "\($0.place)\n\($0.stamp.counter)\n\($0.stamp.device)\n\($0.content)" }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "\n")
        let digest = SHA256Digest.digest(of: Data(list.utf8)).prefix(16).hexadecimal
        if let own = present.first(where: \.isSameName) {
            let stamp = SyncStamp(counter: own.stamp.counter, device: "\(own.stamp.device)~\(count.digits).\(digest)")
            self.init(stamp: stamp, isSameName: true, isReduced: isReduced)
        } else {
            self.init(stamp: SyncStamp(counter: count, device: digest), isSameName: false, isReduced: isReduced)
        }
    }
}

extension UInt64 {
    /// 16 hexadecimal digits, which sort as the numbers do.
    fileprivate var digits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
