/// Counting that never comes to an end.
///
/// Counters have 64 bits, so there is a greatest one, and a broken counterpart, or one that lies, can send it. Nothing could ever come after that version. So
/// counting on stops early, at ``maximumCounter``, and the next edit begins another *lineage*: it counts from 1 again and names the lineages that it
/// ends. Its versions come after all versions of those, whatever their counters. Honest devices never get there: it takes 16 million installations.
///
/// The device part of the stamp says it, so that old ledgers and other versions of LocalData need not know: `^`, the lineage in 16 hexadecimal digits,
/// a `,` and 16 digits for each lineage that it ends, `.`, and the device. The first lineage has no name, and is ended by all others.
extension SyncStamp {
    /// Nothing is counted on from here.
    static let maximumCounter: UInt64 = 1 << 56
    private static let mark = UInt8(ascii: "^")
    private static let digitCount = 16
    /// How many lineages are named as ended, the latest first.
    private static let maximumEnded = 4

    struct Lineage: Sendable, Hashable {
        let name: String
        let ended: [String]

        /// What stamps of this lineage begin with.
        var prefix: String { "^" + ([name] + ended).joined(separator: ",") + "." }
    }

    /// `nil` for the first one.
    var lineage: Lineage? {
        guard device.utf8.first == Self.mark, let end = device.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let names = device[device.index(after: device.startIndex)..<end].split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        guard (1...1 + Self.maximumEnded).contains(names.count), names.allSatisfy(Self.isName) else { return nil }
        return Lineage(name: names[0], ended: Array(names.dropFirst()))
    }

    /// The device part without the lineage.
    var writer: String {
        guard let lineage else { return device }
        return String(Substring(device.utf8.dropFirst(lineage.prefix.utf8.count)))
    }

    init(counter: UInt64, device: String, in lineage: Lineage?) {
        self.init(counter: counter, device: (lineage?.prefix ?? "") + device)
    }

    /// Whether this version is known to come after everything up to `floor` (see ``SyncInstallation/floor``).
    func isAbove(_ floor: UInt64) -> Bool { counter > floor || lineage != nil }

    /// Which goes before the other; `nil` within one lineage, where counters decide.
    static func precedesByLineage(_ left: SyncStamp, _ right: SyncStamp) -> Bool? {
        guard left.device.utf8.first == mark || right.device.utf8.first == mark else { return nil }
        let (one, other) = (left.lineage, right.lineage)
        guard one?.name != other?.name else { return nil }
        guard let one else { return true }
        guard let other else { return false }
        let (ends, isEnded) = (one.ended.contains(other.name), other.ended.contains(one.name))
        guard ends == isEnded else { return isEnded }
        return one.name < other.name
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension SyncStamp.Lineage {
    /// A lineage that comes after `previous`.
    static func after(_ previous: SyncStamp.Lineage?, entropy: any EntropySource) throws -> SyncStamp.Lineage {
        let ended = previous.map { [$0.name] + $0.ended } ?? []
        return SyncStamp.Lineage(name: try entropy.exactly(8).hexadecimal, ended: Array(ended.prefix(4)))
    }
}
