import Foundation

/// Everything that one device has to say about the synced values, as it travels: in the application context or in the answer to a request.
///
/// It is a value and may cross any boundary; the dictionaries that the session hands out may not. So parse in the session's callback, then hop:
///
/// ```swift
/// func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
///     guard let snapshot = try? SyncSnapshot(in: applicationContext) else { return }
///     Task { try await StorageRouter.shared.apply(snapshot) }
/// }
/// ```
///
/// Its values are serialized and opened: they leave the device protected by the session's own transport, and the receiver secures them again
/// by its own policy.
public struct SyncSnapshot: Sendable, Hashable {
    /// LocalData's own entry in contexts and messages. What else is in them belongs to the app and is left alone.
    public static let entryKey = "com.localdata.sync"
    /// The format that ``payload`` has.
    public static let formatVersion: Int64 = 1
    /// What an application context may take, in bytes of its serialized form (W100).
    public static let maximumContextByteCount = 262_144
    /// What a message or a reply may take, in bytes of its serialized form (W100).
    public static let maximumMessageByteCount = 65_536

    /// ``DeviceDescribing/identifier`` of the sender.
    public var device: String
    /// Random, one for each installation of the sender. A new one means that the sender knows nothing of what went before.
    public var epoch: String
    /// Counts the sender's snapshots of this epoch. Of a snapshot older than one already applied most is passed over: it may hold what was deleted since.
    public var sequence: UInt64
    /// The ``sequence`` at which ``entries`` became what they are. A snapshot that was merely sent again has the same one.
    public var content: UInt64
    /// The latest snapshot of the receiver that the sender took into account.
    public var acknowledged: Acknowledgement?
    /// The versions, by key name.
    public var entries: [String: SyncEntry]
    /// Names that the sender has a version of and could not put in: too large, or unreadable for now. Sorted.
    public var omitted: [String]
    /// Which versions those are, by name, as far as they are known and there is room to say so: an edit of the receiver comes after them. Also later ones of what
    /// is in ``entries``, which another device of the sender's has, and of which the sender knows the counter alone.
    public var omittedVersions: [String: OmittedVersion]
    /// The highest counter of the versions of what is omitted and has none in ``omittedVersions``, for want of room: an edit of any of those counts above it. 0 where
    /// there is none. Versions of LocalData that know nothing of it pass over it.
    public var omittedCounter: UInt64 = 0
    /// Whether there was no room either for the names of all that is omitted: of a name that stands nowhere in the snapshot it then says nothing.
    public var omitsMore = false
    /// What was wrong with entries that were left out when the snapshot was read, by name. They are refused alone; nothing of them is believed.
    public internal(set) var refused: [String: String] = [:]

    /// Names a snapshot of the other side.
    public struct Acknowledgement: Sendable, Hashable, Codable {
        /// The sender's epoch, as in ``SyncSnapshot/epoch``.
        public var epoch: String
        /// Which of its snapshots, as in ``SyncSnapshot/sequence``.
        public var sequence: UInt64
        /// Which content that had, as in ``SyncSnapshot/content``.
        public var content: UInt64
        /// Whether it had names that the sender's process does not know: it took nothing of those, and may know them later, in this process or the next. Who
        /// hears this keeps saying what it said under them, also where its own process does not know them, until the other side is seen to have it.
        public var lacksNames: Bool

        /// An acknowledgement of the snapshot with these numbers.
        public init(epoch: String, sequence: UInt64, content: UInt64, lacksNames: Bool = false) {
            self.epoch = epoch
            self.sequence = sequence
            self.content = content
            self.lacksNames = lacksNames
        }

        /// Whether both name the same content, be it sent once or again.
        func isSameContent(as other: Acknowledgement?) -> Bool { epoch == other?.epoch && content == other?.content }
    }

    /// A snapshot put together by hand, for tests. LocalData's own come from ``StorageRouter/syncSnapshot(maximumByteCount:)``, or from
    /// what the session delivered.
    public init(
        device: String, epoch: String, sequence: UInt64, content: UInt64, acknowledged: Acknowledgement? = nil,
        entries: [String: SyncEntry], omitted: [String] = [], omittedVersions: [String: OmittedVersion] = [:]
    ) {
        self.device = device
        self.epoch = epoch
        self.sequence = sequence
        self.content = content
        self.acknowledged = acknowledged
        self.entries = entries
        self.omitted = omitted
        self.omittedVersions = omittedVersions
    }

    /// The version of a value that is not in the snapshot.
    public struct OmittedVersion: Sendable, Hashable {
        /// When the value that is not in the snapshot was written, and on which device: what an edit of it has to count above.
        public let stamp: SyncStamp
        /// As ``SyncEntry/schemaVersion``.
        public let schemaVersion: Int

        /// A version in a snapshot. LocalData makes its own; this is for tests.
        public init(stamp: SyncStamp, schemaVersion: Int = 1) {
            self.stamp = stamp
            self.schemaVersion = schemaVersion
        }
    }
}

extension SyncSnapshot {
    /// Takes over what another one says of itself, and its entries in the place of those of the same names.
    mutating func change(to other: SyncSnapshot, takingOut gone: [String]) {
        (device, epoch, sequence, content, acknowledged) = (other.device, other.epoch, other.sequence, other.content, other.acknowledged)
        omissions = other.omissions
        for name in gone { entries[name] = nil }
        for (name, entry) in other.entries { entries[name] = entry }
    }

    /// What is said of values that are left out.
    struct Omissions: Sendable {
        fileprivate var names: [String]
        fileprivate var versions: [String: OmittedVersion]
        fileprivate var counter: UInt64
        fileprivate var isCutShort: Bool
    }

    var omissions: Omissions {
        get { Omissions(names: omitted, versions: omittedVersions, counter: omittedCounter, isCutShort: omitsMore) }
        set {
            (omitted, omittedVersions, omittedCounter, omitsMore) = (
                newValue.names, newValue.versions, newValue.counter, newValue.isCutShort
            )
        }
    }

    /// Whether both tell of the same versions.
    func saysTheSame(as other: SyncSnapshot) -> Bool {
        entries == other.entries && omittedVersions == other.omittedVersions && omittedCounter == other.omittedCounter
    }

    /// Whether the sender may have a version of a name and could not put it in.
    func leavesOut(_ name: String) -> Bool { omitted.contains(name) || (omitsMore && entries[name] == nil) }

    /// Whether it says by its silence that the sender has no version of a name.
    func isSilent(about name: String) -> Bool { entries[name] == nil && !leavesOut(name) }

    /// What another snapshot acknowledges that took this one into account.
    var acknowledgement: Acknowledgement { Acknowledgement(epoch: epoch, sequence: sequence, content: content) }
}

/// One key's version as it travels: its stamp, and the serialized value or the fact that it was deleted.
public struct SyncEntry: Sendable, Hashable {
    /// The version.
    public let stamp: SyncStamp
    /// The serialized value, opened: the receiver secures it by its own policy. `nil` is a deletion.
    public let value: Data?
    /// Of a deletion: the sender knows that the receiver has it as well.
    public var isSettled: Bool
    /// The value is a smaller form made for the receiver (see ``WatchRepresentable``). The full value of the same stamp goes before it.
    public var isReduced: Bool
    /// The ``StorageKey/schemaVersion`` that the value's form has, from 1. A receiver whose key knows less keeps the value, and neither reads nor
    /// replaces it.
    public var schemaVersion: Int

    /// An entry of a snapshot. LocalData makes its own; this is for tests, and for apps that carry snapshots by a channel of their own.
    public init(stamp: SyncStamp, value: Data?, isSettled: Bool = false, isReduced: Bool = false, schemaVersion: Int = 1) {
        self.stamp = stamp
        self.value = value
        self.isSettled = isSettled
        self.isReduced = isReduced
        self.schemaVersion = schemaVersion
    }

    /// Whether the version is that the value was removed.
    public var isDeletion: Bool { value == nil }
}

extension SyncEntry {
    /// An upper bound of what the entry adds to a context under `name`, in bytes.
    func maximumByteCount(under name: String) -> Int {
        PayloadSize.string(name) + PayloadSize.string(stamp.device) + (value.map(PayloadSize.data) ?? 0) + Self.fixedByteCount
            + (schemaVersion > 1 ? Self.schemaByteCount : 0)
    }

    /// The dictionary, its keys, its numbers and flags.
    private static let fixedByteCount = 220
    private static let schemaByteCount = 60
}

/// From and to the dictionaries of the session. The format is a contract with the counterpart's version of the app, pinned by a fixture.
///
/// Numbers travel as `Int64`: `Int` has 32 bits on some watches, and counters go beyond them.
extension SyncSnapshot {
    /// The snapshot in a context or message.
    /// - Throws: ``StorageError/Code/invalidSnapshot``, naming the offending place, if there is none or it is malformed;
    ///   ``StorageError/Code/superseded`` if it comes from a newer format.
    public init(_ dictionary: [String: Any]) throws {
        guard let snapshot = try SyncSnapshot(in: dictionary) else {
            throw StorageError(.invalidSnapshot, operation: "sync", facts: ["\(Self.entryKey): missing"])
        }
        self = snapshot
    }

    /// The snapshot in a context or message, or `nil` if there is none: then it is the app's own.
    /// - Throws: As ``init(_:)``, for one that is there and cannot be read.
    public init?(in dictionary: [String: Any]) throws {
        guard let entry = dictionary[Self.entryKey] else { return nil }
        if let snapshot = QuickSnapshotReading.snapshot(entry) {
            self = snapshot
            return
        }
        var (members, named) = (entry as? [String: Any] ?? [:], [String: Any]())
        // The entries are read one by one, so that a bad one is refused alone.
        if let entries = members["entries"] as? [String: Any] {
            guard entries.count <= SnapshotLimits.maximumEntryCount else {
                throw StorageError(.invalidSnapshot, operation: "sync", facts: ["\(Self.entryKey).entries: too many"])
            }
            named = entries
            members["entries"] = [String: Any]()
        }
        let root = try SnapshotReading(validating: members.isEmpty ? entry : members, path: Self.entryKey)
        let version = try root.counter("version")
        guard version <= UInt64(Self.formatVersion) else {
            throw StorageError(
                .superseded, operation: "sync", facts: ["the snapshot has version \(version), this app knows \(Self.formatVersion)"])
        }
        guard version >= 1 else { throw root.problem("version", "not a version") }
        device = try root.text("device")
        epoch = try root.text("epoch")
        sequence = try root.counter("sequence")
        content = try root.counter("content")
        acknowledged = try root.optional("acknowledged").map {
            Acknowledgement(
                epoch: try $0.text("epoch"), sequence: try $0.counter("sequence"), content: try $0.counter("content"),
                lacksNames: try $0.flag("lacksNames"))
        }
        var entries: [String: SyncEntry] = [:]
        _ = try root.member("entries").members()
        var refused: [String: String] = [:]
        for (name, entry) in named {
            do {
                entries[name] = try SyncEntry(SnapshotReading(validating: entry, path: "\(Self.entryKey).entries.\(name.prefix(64))"))
            } catch let error as StorageError {
                refused[name] = error.facts.first ?? "malformed"
            }
        }
        self.entries = entries
        omitted = try root.optional("omitted")?.texts().sorted() ?? []
        omittedVersions = [:]
        for (name, reading) in try root.optional("omittedVersions")?.members() ?? [] {
            do {
                omittedVersions[name] = try OmittedVersion(reading)
            } catch let error as StorageError {
                refused[name] = error.facts.first ?? "malformed"
            }
        }
        omittedCounter = try root.optionalCounter("omittedCounter") ?? 0
        omitsMore = try root.flag("omitsMore")
        for (name, problem) in refused { refuse(name, because: problem) }
    }

    /// The snapshot under LocalData's own entry, as a message or reply, or to be merged into a context.
    public var payload: [String: Any] { [Self.entryKey: entryPayload] }

    var entryPayload: [String: Any] { payload(ofEntries: entryPayloads) }

    /// Of the type that dictionaries have when they come out of a session: every reading is quickest with it.
    var entryPayloads: [String: Any] { entries.mapValues { $0.payload as Any } }

    /// The payload with these entries in the place of its own.
    func payload(ofEntries entries: [String: Any]) -> [String: Any] {
        var root: [String: Any] = [
            "version": Self.formatVersion,
            "device": device,
            "epoch": epoch,
            "sequence": Int64(clamping: sequence),
            "content": Int64(clamping: content),
            "entries": entries,
        ]
        if let acknowledged {
            root["acknowledged"] = acknowledged.payload
        }
        if !omitted.isEmpty { root["omitted"] = omitted }
        // Versions of LocalData that know of none pass over it.
        if !omittedVersions.isEmpty { root["omittedVersions"] = omittedVersions.mapValues { $0.payload as Any } }
        if omittedCounter > 0 { root["omittedCounter"] = Int64(clamping: omittedCounter) }
        if omitsMore { root["omitsMore"] = true }
        return root
    }

    /// An upper bound of what everything but the entries adds to a context.
    var maximumHeaderByteCount: Int {
        let names =
            omitted.reduce(0) { $0 + PayloadSize.string($1) }
            + omittedVersions.reduce(0) { $0 + $1.value.maximumByteCount(under: $1.key) }
        return 660 + PayloadSize.string(device) + PayloadSize.string(epoch) + PayloadSize.string(acknowledged?.epoch ?? "") + names
    }
}

extension SyncSnapshot.Acknowledgement {
    fileprivate var payload: [String: Any] {
        var members: [String: Any] = ["epoch": epoch, "sequence": Int64(clamping: sequence), "content": Int64(clamping: content)]
        // Versions of LocalData that know of none pass over it.
        if lacksNames { members["lacksNames"] = true }
        return members
    }
}

extension SyncSnapshot.OmittedVersion {
    /// An upper bound of what it adds to a context under `name`, in bytes.
    func maximumByteCount(under name: String) -> Int {
        // The dictionary, its keys and its numbers.
        PayloadSize.string(name) + PayloadSize.string(stamp.device) + 160
    }

    fileprivate var payload: [String: Any] {
        var dictionary: [String: Any] = ["counter": Int64(clamping: stamp.counter), "device": stamp.device]
        if schemaVersion > 1 { dictionary["schema"] = Int64(schemaVersion) }
        return dictionary
    }

    fileprivate init(_ reading: SnapshotReading) throws {
        let counter = try reading.counter("counter")
        // One more must still fit, whoever counts on from it.
        guard counter < UInt64(Int64.max) else { throw reading.problem("counter", "out of range") }
        self.init(
            stamp: SyncStamp(counter: counter, device: try reading.text("device")), schemaVersion: try reading.schemaVersion())
    }
}

extension SyncEntry {
    /// What is said of it where there is no room for it.
    var omittedVersion: SyncSnapshot.OmittedVersion { .init(stamp: stamp, schemaVersion: schemaVersion) }

    fileprivate var payload: [String: Any] {
        var dictionary: [String: Any] = ["counter": Int64(clamping: stamp.counter), "device": stamp.device]
        if let value { dictionary["value"] = value } else { dictionary["deleted"] = true }
        if isSettled { dictionary["settled"] = true }
        if isReduced { dictionary["reduced"] = true }
        // Versions of LocalData that know of no schemas in snapshots pass over it.
        if schemaVersion > 1 { dictionary["schema"] = Int64(schemaVersion) }
        return dictionary
    }

    fileprivate init(_ reading: SnapshotReading) throws {
        let value = try reading.optional("value").map { try $0.data() }
        let isDeleted = try reading.flag("deleted")
        guard (value == nil) == isDeleted else { throw reading.problem(nil, "neither a value nor deleted, or both") }
        let counter = try reading.counter("counter")
        // One more must still fit, whoever counts on from it.
        guard counter < UInt64(Int64.max) else { throw reading.problem("counter", "out of range") }
        self.init(
            stamp: SyncStamp(counter: counter, device: try reading.text("device")),
            value: value,
            isSettled: try reading.flag("settled"),
            isReduced: try reading.flag("reduced"),
            schemaVersion: try reading.schemaVersion()
        )
    }
}

/// Upper bounds of the size of property lists in Apple's binary format, without writing one.
///
/// An object costs a marker byte, a length of up to 9 bytes, its content, up to 4 bytes in the offset table and 4 for each reference to it.
enum PayloadSize {
    static let overhead = 18
    /// The file's header and trailer.
    static let envelope = 8 + 32

    static func string(_ string: String) -> Int {
        let utf8 = string.utf8.count
        // ASCII is stored as it is, everything else as UTF-16.
        return overhead + (utf8 == string.utf16.count ? utf8 : 2 * string.utf16.count)
    }

    static func data(_ data: Data) -> Int { overhead + data.count }

    /// An upper bound for anything that a context may hold. Things that it may not hold count little: the session refuses them anyway (W102).
    static func any(_ value: Any) -> Int {
        switch value {
        case let text as String: string(text)
        case let bytes as Data: data(bytes)
        case let values as [Any]: values.reduce(overhead) { $0 + any($1) }
        case let values as [String: Any]: dictionary(values)
        default: overhead + 16
        }
    }

    static func dictionary(_ values: [String: Any]) -> Int {
        values.reduce(overhead) { $0 + string($1.key) + any($1.value) }
    }
}
