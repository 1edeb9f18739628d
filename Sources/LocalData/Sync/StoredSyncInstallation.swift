/// What is written of a ``SyncInstallation``, as it is read.
struct StoredSyncInstallation: SyncFileContent {
    var version: Int64
    /// Left out where the app knows every form, and by earlier versions of LocalData.
    var awaitedForms: [String: [String: UInt64]]?
    var counterparts: [StoredCounterpart]
    /// Left out where no extension edited a synced value, and by earlier versions of LocalData.
    var edits: [String: [String: UInt64]]?
    var epoch: String
    var floor: UInt64
    /// Left out where none was raised, and by earlier versions of LocalData.
    var floors: [String: UInt64]?
    /// Left out where there is none, and by earlier versions of LocalData.
    var former: [String: String]?
    /// 1, or left out where its folder is kept out of backups, and by earlier versions of LocalData.
    var inBackups: UInt64?
    /// 1 for each. Left out where the app was not restored, and by earlier versions of LocalData.
    var inherited: [String: UInt64]?
    /// Left out where no key in preferences was edited, and by earlier versions of LocalData.
    var mark: UInt64?
    /// Left out where nothing was missed, and by earlier versions of LocalData.
    var missed: [String: UInt64]?
    /// Left out where no deletion was forgotten, and by earlier versions of LocalData.
    var removed: [String: [String: UInt64]]?
    var reserved: UInt64
    /// Left out where there is none, and by earlier versions of LocalData.
    var unclaimed: [String: UInt64]?
    /// Left out where there is none, and by earlier versions of LocalData.
    var unclaimedAt: UInt64?
    /// 1 for each. Left out where there is none, and by earlier versions of LocalData.
    var unseen: [String: UInt64]?

    init?(canonical reader: inout CanonicalJSONReader) {
        counterparts = []
        guard reader.skip("{") else { return nil }
        if reader.skip("\"awaitedForms\":") {
            guard let awaited = reader.countersByName(), reader.skip(",") else { return nil }
            awaitedForms = awaited
        }
        guard reader.skip("\"counterparts\":[") else { return nil }
        while !reader.skip("]") {
            guard counterparts.isEmpty || reader.skip(","), reader.skip("{\"content\":"), let content = reader.number()
            else { return nil }
            var device: String?
            if reader.skip(",\"device\":") {
                guard let name = reader.text() else { return nil }
                device = name
            }
            guard reader.skip(",\"epoch\":"), let epoch = reader.text() else { return nil }
            var lacksNames: UInt64?
            if reader.skip(",\"lacksNames\":") {
                guard let number = reader.number() else { return nil }
                lacksNames = number
            }
            guard reader.skip(",\"sequence\":"), let sequence = reader.number(), reader.skip("}") else { return nil }
            counterparts.append(
                StoredCounterpart(content: content, device: device, epoch: epoch, lacksNames: lacksNames, sequence: sequence))
        }
        if reader.skip(",\"edits\":") {
            guard let edits = reader.countersByName() else { return nil }
            self.edits = edits
        }
        guard reader.skip(",\"epoch\":"), let epoch = reader.text(), reader.skip(",\"floor\":"), let floor = reader.number()
        else { return nil }
        if reader.skip(",\"floors\":") {
            guard let floors = reader.counters() else { return nil }
            self.floors = floors
        }
        if reader.skip(",\"former\":") {
            guard let names = reader.textsByName() else { return nil }
            former = names
        }
        if reader.skip(",\"inBackups\":") {
            guard let number = reader.number() else { return nil }
            self.inBackups = number
        }
        if reader.skip(",\"inherited\":") {
            guard let inherited = reader.counters() else { return nil }
            self.inherited = inherited
        }
        if reader.skip(",\"mark\":") {
            guard let mark = reader.number() else { return nil }
            self.mark = mark
        }
        if reader.skip(",\"missed\":") {
            guard let missed = reader.counters() else { return nil }
            self.missed = missed
        }
        if reader.skip(",\"removed\":") {
            guard let removed = reader.countersByName() else { return nil }
            self.removed = removed
        }
        guard reader.skip(",\"reserved\":"), let reserved = reader.number() else { return nil }
        if reader.skip(",\"unclaimed\":") {
            guard let unclaimed = reader.counters(), reader.skip(",\"unclaimedAt\":"), let instant = reader.number() else { return nil }
            (self.unclaimed, unclaimedAt) = (unclaimed, instant)
        }
        if reader.skip(",\"unseen\":") {
            guard let unseen = reader.counters() else { return nil }
            self.unseen = unseen
        }
        guard reader.skip(",\"version\":"), let version = reader.number(), reader.skip("}") else { return nil }
        self.epoch = epoch
        self.floor = floor
        self.reserved = reserved
        self.version = Int64(clamping: version)
    }
}

struct StoredCounterpart: Decodable {
    var content: UInt64
    /// Left out by earlier versions of LocalData.
    var device: String?
    var epoch: String
    /// 1, or left out where all names were known, and by earlier versions of LocalData.
    var lacksNames: UInt64?
    var sequence: UInt64

    var acknowledgement: SyncSnapshot.Acknowledgement {
        SyncSnapshot.Acknowledgement(epoch: epoch, sequence: sequence, content: content, lacksNames: lacksNames == 1)
    }
}
