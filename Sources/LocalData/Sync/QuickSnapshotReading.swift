import Foundation

/// Reads the entry of a snapshot as LocalData's own current version writes it, in one pass.
///
/// The careful reading checks every value for what property lists hold and keeps the path of each, to name what is wrong. Snapshots are read at every
/// delivery and every launch, and nearly all are in order: this reading takes exactly those and answers `nil` for anything else, a newer format, an
/// entry that it does not know and every error included. The careful one then decides.
enum QuickSnapshotReading {
    static func snapshot(_ entry: Any) -> SyncSnapshot? {
        guard let root = dictionary(entry), counter(root["version"]) == UInt64(SyncSnapshot.formatVersion),
            let device = text(root["device"]), let epoch = text(root["epoch"]),
            let sequence = counter(root["sequence"]), let content = counter(root["content"]),
            let named = dictionary(root["entries"])
        else { return nil }
        var entries: [String: SyncEntry] = [:]
        entries.reserveCapacity(named.count)
        for (name, value) in named {
            guard let entry = self.entry(value) else { return nil }
            entries[name] = entry
        }
        var snapshot = SyncSnapshot(device: device, epoch: epoch, sequence: sequence, content: content, entries: entries)
        var known = 6
        if let value = root["acknowledged"] {
            guard let acknowledged = acknowledgement(value) else { return nil }
            snapshot.acknowledged = acknowledged
            known += 1
        }
        if let value = root["omitted"] {
            guard let omitted = texts(value) else { return nil }
            snapshot.omitted = omitted
            known += 1
        }
        return known == root.count ? snapshot : nil
    }

    private static func entry(_ any: Any) -> SyncEntry? {
        guard let members = dictionary(any), let counter = counter(members["counter"]), counter < UInt64(Int64.max),
            let device = text(members["device"])
        else { return nil }
        var known = 3
        var value: Data?
        if let found = members["value"] {
            guard let data: Data = exactly(found) else { return nil }
            value = data
        } else {
            guard flag(members["deleted"]) == true else { return nil }
        }
        var isSettled = false
        if let found = members["settled"] {
            guard let flag = flag(found) else { return nil }
            isSettled = flag
            known += 1
        }
        var isReduced = false
        if let found = members["reduced"] {
            guard let flag = flag(found) else { return nil }
            isReduced = flag
            known += 1
        }
        var schemaVersion = 1
        if let found = members["schema"] {
            guard let version = self.counter(found).flatMap({ Int(exactly: $0) }), StorageRouter.schemaVersions ~= version else {
                return nil
            }
            schemaVersion = version
            known += 1
        }
        guard known == members.count else { return nil }
        return SyncEntry(
            stamp: SyncStamp(counter: counter, device: device), value: value, isSettled: isSettled, isReduced: isReduced,
            schemaVersion: schemaVersion)
    }

    private static func acknowledgement(_ any: Any) -> SyncSnapshot.Acknowledgement? {
        guard let members = dictionary(any), members.count == 3, let epoch = text(members["epoch"]),
            let sequence = counter(members["sequence"]), let content = counter(members["content"])
        else { return nil }
        return SyncSnapshot.Acknowledgement(epoch: epoch, sequence: sequence, content: content)
    }

    // MARK: Values, by the type that is really there

    private static func dictionary(_ any: Any?) -> [String: Any]? { any.flatMap { exactly($0) } }
    private static func text(_ any: Any?) -> String? { any.flatMap { exactly($0) } }
    private static func flag(_ any: Any?) -> Bool? { any.flatMap { exactly($0) } }

    /// As counters come back from a session, as a Foundation number, or as they were put in.
    private static func counter(_ any: Any?) -> UInt64? {
        guard let any else { return nil }
        if let integer: Int64 = exactly(any) { return UInt64(exactly: integer) }
        if let integer: Int = exactly(any) { return UInt64(exactly: integer) }
        guard let number: NSNumber = exactly(any) ?? (any as? NSNumber), !(type(of: number) is NSDecimalNumber.Type),
            case .integer(let integer) = PropertyListValue(number)
        else { return nil }
        return UInt64(exactly: integer)
    }

    private static func texts(_ any: Any) -> [String]? {
        if let texts: [String] = exactly(any) { return texts.sorted() }
        guard let values: [Any] = exactly(any) else { return nil }
        var texts: [String] = []
        for value in values {
            guard let text = text(value) else { return nil }
            texts.append(text)
        }
        return texts.sorted()
    }
}
