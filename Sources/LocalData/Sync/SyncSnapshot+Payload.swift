import Foundation

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
                epoch: try $0.text("epoch"), sequence: try $0.counter("sequence"), content: try $0.counter("content"))
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
        for (name, problem) in refused { refuse(name, because: problem) }
    }

    /// The snapshot under LocalData's own entry, as a message or reply, or to be merged into a context.
    public var payload: [String: Any] { [Self.entryKey: entryPayload] }

    var entryPayload: [String: Any] {
        var root: [String: Any] = [
            "version": Self.formatVersion,
            "device": device,
            "epoch": epoch,
            "sequence": Int64(clamping: sequence),
            "content": Int64(clamping: content),
            // Of the type that dictionaries have when they come out of a session: every reading is quickest with it.
            "entries": entries.mapValues { $0.payload as Any },
        ]
        if let acknowledged {
            root["acknowledged"] = acknowledged.payload
        }
        if !omitted.isEmpty { root["omitted"] = omitted }
        return root
    }

    /// An upper bound of what everything but the entries adds to a context.
    var maximumHeaderByteCount: Int {
        let names = omitted.reduce(0) { $0 + PayloadSize.string($1) }
        return 600 + PayloadSize.string(device) + PayloadSize.string(epoch) + PayloadSize.string(acknowledged?.epoch ?? "") + names
    }
}

extension SyncSnapshot.Acknowledgement {
    fileprivate var payload: [String: Any] {
        ["epoch": epoch, "sequence": Int64(clamping: sequence), "content": Int64(clamping: content)]
    }
}

extension SyncEntry {
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
