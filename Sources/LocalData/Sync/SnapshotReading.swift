import Foundation

/// A place in a snapshot that is being read, so that an error can name it.
struct SnapshotReading {
    let value: PropertyListValue
    let path: String

    init(value: PropertyListValue, path: String) {
        self.value = value
        self.path = path
    }

    /// - Throws: ``StorageError/Code/invalidSnapshot`` for what is no property list, naming the place.
    init(validating any: Any, path: String) throws {
        do {
            self.init(value: try PropertyListValue(validating: any), path: path)
        } catch let error as PropertyListValueError {
            let place = error.keyPath.isEmpty ? path : "\(path).\(error.keyPath)"
            throw StorageError(.invalidSnapshot, operation: "sync", facts: ["\(place): \(error.problem)"])
        }
    }

    func problem(_ key: String?, _ problem: String) -> StorageError {
        let place = key.map { "\(path).\($0)" } ?? path
        return StorageError(.invalidSnapshot, operation: "sync", facts: ["\(place): \(problem)"])
    }

    func optional(_ key: String) throws -> SnapshotReading? {
        guard case .dictionary(let members) = value else { throw problem(nil, "not a dictionary") }
        return members[key].map { SnapshotReading(value: $0, path: "\(path).\(key)") }
    }

    func member(_ key: String) throws -> SnapshotReading {
        guard let member = try optional(key) else { throw problem(key, "missing") }
        return member
    }

    /// All members, sorted, so that of several malformed ones the same one is always named.
    func members() throws -> [(name: String, reading: SnapshotReading)] {
        guard case .dictionary(let members) = value else { throw problem(nil, "not a dictionary") }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, SnapshotReading(value: $0.value, path: "\(path).\($0.key)")) }
    }

    func text(_ key: String) throws -> String {
        let member = try member(key)
        guard case .string(let text) = member.value else { throw member.problem(nil, "not a string") }
        return text
    }

    func counter(_ key: String) throws -> UInt64 {
        let member = try member(key)
        guard case .integer(let integer) = member.value, let counter = UInt64(exactly: integer) else {
            throw member.problem(nil, "not a whole number from 0")
        }
        return counter
    }

    /// The version of a form: 1 where it is missing, as in what earlier versions of LocalData sent.
    func schemaVersion() throws -> Int {
        guard let member = try optional("schema") else { return 1 }
        guard case .integer(let integer) = member.value, let version = Int(exactly: integer), KeyRules.schemaVersions ~= version else {
            throw member.problem(nil, "not the version of a form")
        }
        return version
    }

    /// A counter, `nil` where it is missing.
    func optionalCounter(_ key: String) throws -> UInt64? { try optional(key) == nil ? nil : counter(key) }

    /// A flag, false where it is missing.
    func flag(_ key: String) throws -> Bool {
        guard let member = try optional(key) else { return false }
        guard case .bool(let flag) = member.value else { throw member.problem(nil, "not a Boolean") }
        return flag
    }

    func data() throws -> Data {
        guard case .data(let data) = value else { throw problem(nil, "not data") }
        return data
    }

    func texts() throws -> [String] {
        guard case .array(let values) = value else { throw problem(nil, "not an array") }
        return try values.enumerated().map { index, element in
            guard case .string(let text) = element else { throw problem("[\(index)]", "not a string") }
            return text
        }
    }
}

/// Reads the entry of a snapshot as LocalData's own current version writes it, in one pass.
///
/// The careful reading checks every value for what property lists hold and keeps the path of each, to name what is wrong. Snapshots are read at every
/// delivery and every launch, and nearly all are in order: this reading takes exactly those and answers `nil` for anything else, a newer format, an
/// entry that it does not know and every error included. The careful one then decides.
enum QuickSnapshotReading {
    static func snapshot(_ entry: Any) -> SyncSnapshot? {
        guard let root = dictionary(entry) else { return nil }
        var (version, sequence, content) = (UInt64?.none, UInt64?.none, UInt64?.none)
        var (device, epoch) = (String?.none, String?.none)
        var named: [String: Any]?
        var acknowledged: SyncSnapshot.Acknowledgement?
        var omitted: [String] = []
        var omittedVersions: [String: SyncSnapshot.OmittedVersion] = [:]
        // Member by member: to look for each by its name would hash them all.
        for (name, value) in root {
            switch name {
            case "version": version = counter(value)
            case "device": device = text(value)
            case "epoch": epoch = text(value)
            case "sequence": sequence = counter(value)
            case "content": content = counter(value)
            case "entries": named = dictionary(value)
            case "acknowledged":
                guard let found = acknowledgement(value) else { return nil }
                acknowledged = found
            case "omitted":
                guard let found = texts(value) else { return nil }
                omitted = found
            case "omittedVersions":
                guard let found = dictionary(value) else { return nil }
                for (name, value) in found {
                    guard let version = omittedVersion(value) else { return nil }
                    omittedVersions[name] = version
                }
            default: return nil
            }
        }
        guard version == UInt64(SyncSnapshot.formatVersion), let device, let epoch, let sequence, let content, let named else { return nil }
        var entries: [String: SyncEntry] = [:]
        entries.reserveCapacity(named.count)
        for (name, value) in named {
            guard let entry = self.entry(value) else { return nil }
            entries[name] = entry
        }
        var snapshot = SyncSnapshot(device: device, epoch: epoch, sequence: sequence, content: content, entries: entries)
        snapshot.acknowledged = acknowledged
        snapshot.omitted = omitted
        snapshot.omittedVersions = omittedVersions
        return snapshot
    }

    private static func entry(_ any: Any) -> SyncEntry? {
        guard let members = dictionary(any) else { return nil }
        var (counter, device) = (UInt64?.none, String?.none)
        var value: Data?
        var (isDeleted, isSettled, isReduced) = (false, false, false)
        var schemaVersion = 1
        for (name, member) in members {
            switch name {
            case "counter": counter = self.counter(member)
            case "device": device = text(member)
            case "value":
                guard let data: Data = exactly(member) else { return nil }
                value = data
            case "deleted":
                guard flag(member) == true else { return nil }
                isDeleted = true
            case "settled":
                guard let flag = flag(member) else { return nil }
                isSettled = flag
            case "reduced":
                guard let flag = flag(member) else { return nil }
                isReduced = flag
            case "schema":
                guard let version = self.schemaVersion(member) else { return nil }
                schemaVersion = version
            default: return nil
            }
        }
        // One or the other.
        guard let counter, counter < UInt64(Int64.max), let device, isDeleted == (value == nil) else { return nil }
        return SyncEntry(
            stamp: SyncStamp(counter: counter, device: device), value: value, isSettled: isSettled, isReduced: isReduced,
            schemaVersion: schemaVersion)
    }

    private static func omittedVersion(_ any: Any) -> SyncSnapshot.OmittedVersion? {
        guard let members = dictionary(any), let counter = counter(members["counter"]), counter < UInt64(Int64.max),
            let device = text(members["device"])
        else { return nil }
        let known = members["schema"] == nil ? 2 : 3
        guard let schemaVersion = schemaVersion(members["schema"]), known == members.count else { return nil }
        return .init(stamp: SyncStamp(counter: counter, device: device), schemaVersion: schemaVersion)
    }

    /// 1 where it is missing; `nil` for what is none.
    private static func schemaVersion(_ any: Any?) -> Int? {
        guard let any else { return 1 }
        return counter(any).flatMap { Int(exactly: $0) }.flatMap { KeyRules.schemaVersions ~= $0 ? $0 : nil }
    }

    private static func acknowledgement(_ any: Any) -> SyncSnapshot.Acknowledgement? {
        guard let members = dictionary(any) else { return nil }
        var (epoch, sequence, content, lacksNames) = (String?.none, UInt64?.none, UInt64?.none, false)
        for (name, member) in members {
            switch name {
            case "epoch": epoch = text(member)
            case "sequence": sequence = counter(member)
            case "content": content = counter(member)
            case "lacksNames":
                guard let flag = flag(member) else { return nil }
                lacksNames = flag
            default: return nil
            }
        }
        guard let epoch, let sequence, let content else { return nil }
        var acknowledgement = SyncSnapshot.Acknowledgement(epoch: epoch, sequence: sequence, content: content)
        acknowledgement.lacksNames = lacksNames
        return acknowledgement
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

/// What a counterpart may send. Whatever arrives is looked over against this before anything is made of it, so that one that is broken, or lies, costs
/// bounded time and memory and moves nothing that lasts.
enum SnapshotLimits {
    /// Many times what a context can hold.
    static let maximumEntryCount = 16_384
    static let maximumEpochLength = 128
    static let maximumDeviceLength = 1_024
    /// A session carries 262,144 bytes; an app may carry a snapshot of large manual values by another channel.
    static let maximumValueByteCount = 1 << 26
    /// The greatest number of a snapshot. Whose own would go beyond begins a new epoch (``SyncLedger/renew()``).
    static let maximumSequence: UInt64 = 1 << 56

    /// The largest serialized value that is taken for a key. No snapshot carries more of a small one, whatever policy the sender has.
    static func maximumValueByteCount(of policy: SyncPolicy) -> Int {
        policy == .manual ? maximumValueByteCount : SyncSnapshot.maximumContextByteCount
    }
}

extension SyncSnapshot {
    /// The snapshot without what no honest counterpart sends.
    /// - Throws: ``StorageError/Code/invalidSnapshot`` where the snapshot itself is such.
    func withinLimits() throws -> SyncSnapshot {
        func invalid(_ problem: String) -> StorageError {
            StorageError(.invalidSnapshot, operation: "sync", facts: ["\(Self.entryKey).\(problem)"])
        }
        guard sequence <= SnapshotLimits.maximumSequence else { throw invalid("sequence: out of range") }
        guard content <= sequence else { throw invalid("content: later than the snapshot") }
        guard epoch.utf8.count <= SnapshotLimits.maximumEpochLength else { throw invalid("epoch: too long") }
        guard device.utf8.count <= SnapshotLimits.maximumDeviceLength else { throw invalid("device: too long") }
        guard entries.count <= SnapshotLimits.maximumEntryCount, omitted.count <= SnapshotLimits.maximumEntryCount,
            omittedVersions.count <= SnapshotLimits.maximumEntryCount
        else {
            throw invalid("entries: too many")
        }
        var checked = self
        for (name, entry) in entries {
            guard let problem = entry.problem(under: name) else { continue }
            checked.entries[name] = nil
            checked.refuse(name, because: problem)
        }
        for (name, version) in omittedVersions {
            guard let problem = version.stamp.problem(under: name) else { continue }
            checked.omittedVersions[name] = nil
            checked.refuse(name, because: problem)
        }
        // As that of an entry. What was left out gives way then, as it does where nothing is said of it.
        if omittedCounter >= UInt64(Int64.max) { checked.omittedCounter = 0 }
        checked.omitted = omitted.filter { $0.utf8.count <= KeyRules.maximumNameLength }
        return checked
    }

    /// Notes an entry that is refused. Its name is cut where nobody can have a key of it.
    mutating func refuse(_ name: String, because problem: String) {
        let isName = name.utf8.count <= KeyRules.maximumNameLength
        refused[isName ? name : String(name.prefix(64)) + "…"] = problem
    }
}

extension SyncEntry {
    fileprivate func problem(under name: String) -> String? {
        if let problem = stamp.problem(under: name) { return problem }
        if let value, value.count > SnapshotLimits.maximumValueByteCount { return "a value of \(value.count) bytes" }
        return nil
    }
}

extension SyncStamp {
    fileprivate func problem(under name: String) -> String? {
        if name.utf8.count > KeyRules.maximumNameLength { return "a name of \(name.utf8.count) bytes" }
        // One more must still fit, whoever counts on from it.
        if counter >= UInt64(Int64.max) { return "a counter out of range" }
        if device.utf8.count > SnapshotLimits.maximumDeviceLength { return "a device of \(device.utf8.count) bytes" }
        return nil
    }
}
