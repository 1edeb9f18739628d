import Foundation

/// The version of a synced value: a logical counter and the device that wrote it. No wall clock is involved.
///
/// Stamps are ordered by counter and then by device, so that both devices pick the same winner. A counter that cannot be exceeded ends nothing: the next
/// version begins another lineage, which goes before the counter.
public struct SyncStamp: Sendable, Hashable, Comparable, Codable {
    /// Counts the writes of one key; each write has a higher counter than all that the writer has seen of that key.
    /// 0 is a value that LocalData found, such as one that a migration brought over, and that nobody wrote through it.
    public let counter: UInt64
    /// The writer: ``DeviceDescribing/identifier``, and which installation of the app on that device. Another installation is another writer, since
    /// it counts from what a backup held, or from the beginning.
    public let device: String

    /// A version put together by hand, for tests. LocalData gives its own.
    public init(counter: UInt64, device: String) {
        self.counter = counter
        self.device = device
    }

    public static func < (lhs: SyncStamp, rhs: SyncStamp) -> Bool {
        if let precedes = precedesByLineage(lhs, rhs) { return precedes }
        return lhs.counter == rhs.counter ? lhs.device.utf8.lexicographicallyPrecedes(rhs.device.utf8) : lhs.counter < rhs.counter
    }
}

/// Counting that never comes to an end.
///
/// Counters have 64 bits, so there is a greatest one, and a broken counterpart, or one that lies, can send it. Nothing could ever come after that version. So
/// counting on stops early, at ``maximumCounter``, and the next edit begins another *lineage*: it counts from 1 again and names the lineages that it
/// ends. Its versions come after all versions of those, whatever their counters. Honest devices never get there: it takes a clock that is wrong by millennia, and then 100 million installations.
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

    /// What the device part begins with where it names no writer: that of a secret that LocalData found with its counter.
    static let foundMark = "!"

    /// What the device part begins with in a record that tells of an edit without a version, and knows which one it is to have.
    static let unrecordedMark = "="

    /// Whether it is the version of a secret that outlived its app.
    var isOfFoundSecret: Bool { device.hasPrefix(Self.foundMark) }

    /// The version right after this one, before any edit that follows it.
    func followed(by replica: String) -> SyncStamp { SyncStamp(counter: counter, device: "\(writer)~\(replica)", in: lineage) }

    /// Whether this version is known to come after everything up to `floor` (see ``SyncInstallation/floor``). Where no deletion was forgotten, that is
    /// nothing, and a value that a migration found comes after it too.
    func isAbove(_ floor: UInt64) -> Bool { floor == 0 || counter > floor || lineage != nil }

    /// Whether one with this counter, of whichever writer, may come after it.
    func isBefore(_ counter: UInt64) -> Bool { lineage == nil && self.counter < counter }

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

/// What a key's place holds, and which version that is.
struct SyncVersion: Sendable, Hashable {
    var stamp: SyncStamp
    var content: Content
    /// The value is the smaller form that the counterpart made for this device (see ``WatchRepresentable``).
    var isReduced = false

    enum Content: Sendable, Hashable {
        /// A value whose stored form has this revision (see ``SyncRevision``).
        case value(revision: Data)
        /// Nothing, because somebody removed it.
        case deleted
        /// Nothing, and nobody removed it: purged by the system, or lost. Any version from the counterpart replaces it.
        case lost
    }
}

extension SyncVersion.Content {
    /// Whether this is what lies at the key's place: something with `revision`, or nothing where that is `nil`.
    func matches(_ revision: Data?) -> Bool {
        switch self {
        case .value(let known): known == revision
        case .deleted, .lost: revision == nil
        }
    }
}

/// Identifies the stored form of a value without being the value, so that a later process can tell whether it is still the same.
///
/// For files and defaults it is a digest of what is stored: the ciphertext, where the value is sealed. For keychain items it is a random tag that is
/// stored with the item in one step: a digest of a short secret would give the secret away to anyone who can read the ledger.
///
/// Keychain items outlive the app and its ledger, so a tag may carry the version's counter: 16 random bytes, and where the counter is known 8 more, the
/// highest first. What an extension sets has 16 random bytes and an `e`.
enum SyncRevision {
    static let tagLength = 16
    static let countedTagLength = tagLength + 8
    private static let extensionTagLength = tagLength + 1
    private static let extensionMark = UInt8(ascii: "e")

    /// A tag for the version with this counter; 0 where nothing is to be counted on from it.
    static func tag(_ random: Data, counter: UInt64) -> Data {
        counter == 0 ? random : random + withUnsafeBytes(of: counter.bigEndian) { Data($0) }
    }

    /// A tag for what an extension of the app sets: it has no version yet, and is an edit.
    static func tagOfExtension(_ random: Data) -> Data { random + [extensionMark] }

    /// Whether an extension of the app set what has that tag.
    static func isTagOfExtension(_ tag: Data) -> Bool { tag.count == extensionTagLength && tag.last == extensionMark }

    /// The counter that a tag carries; 0 where it carries none.
    static func counter(of tag: Data) -> UInt64 {
        guard tag.count == countedTagLength else { return 0 }
        let counter = tag.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        // Like all counters that are read: one more must still fit.
        return counter < UInt64(Int64.max) ? counter : 0
    }

    static func digest(of form: StoredForm) -> Data {
        switch form {
        case .bytes(let bytes): SHA256Digest.digest(of: bytes)
        case .propertyList(let value): SHA256Digest.digest(of: value.canonicalBytes)
        }
    }
}

/// A change of a synced value that is announced in the ledger and not yet confirmed.
struct SyncTicket: Sendable {
    let location: StorageLocation
    let keyName: String
    let stamp: SyncStamp
    /// What to store with the value in one step: for keychain items as ``KeychainItem/generic``, for files as the ``SyncFileNote/attribute``. A file whose
    /// version is recorded has none.
    let tag: Data?
    /// False where the ledger could not be read. The change is then found and stamped like an edit made outside LocalData.
    let isRecorded: Bool
}

/// What is said of a file in an extended attribute of it: the version that the ledger could not record, that an extension of the app set it, which gives
/// no versions, or which form it has, where several processes store it. It is set before the file gets its name, so the value and its note are there together or not at all.
///
/// The stored form is one line of JSON with sorted keys, pinned by a fixture. File systems without such attributes, and earlier versions of LocalData,
/// know nothing of it; the value then counts as one that LocalData found.
struct SyncFileNote: Sendable, Hashable {
    static let attribute = "com.localdata.version"
    static let formatVersion: Int64 = 1
    /// What is longer is not LocalData's.
    static let maximumByteCount = 4_096

    /// The counter of the version, as in the tag of a keychain item (see ``SyncRevision``); 0 of what an extension set.
    let counter: UInt64
    /// The ``ExtensionEdit/identifier`` of what an extension set.
    var edit: String?
    /// The revision of the file's bytes. Others were put there since, by somebody who leaves attributes as they are.
    let revision: Data
    /// Attributes are copied with a file, also to the place of another key.
    let keyName: String
    /// The ``StorageKey/schemaVersion`` of a value that other processes than the app store too; `nil` where nothing is said of it.
    var schema: Int?

    var encoded: Data {
        var text = CanonicalJSONWriter(capacity: 160)
        text.append("{\"content\":")
        text.append(hexadecimal: revision)
        text.append(",\"counter\":")
        text.append(number: counter)
        if let edit {
            text.append(",\"edit\":")
            text.append(text: edit)
        }
        text.append(",\"key\":")
        text.append(text: keyName)
        if let schema {
            text.append(",\"schema\":")
            text.append(number: UInt64(clamping: schema))
        }
        text.append(",\"version\":")
        text.append(number: UInt64(Self.formatVersion))
        text.append("}")
        return Data(text.bytes)
    }
}
