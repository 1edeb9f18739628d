import Foundation

/// What LocalData keeps beside a secret, in the `generic` attribute of its item: written with it in one step, and readable without a person.
///
/// The attribute is the app's: other code may have put there whatever it liked. So a note says that it is one.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | magic `89 4C 44 4E` |
/// | 1 | version 1 |
/// | … | fields, each of a byte for its kind, a byte for its length, and that many bytes. Unknown kinds are passed over |
///
/// Kinds: 1 the tag; 2 the enrolment, 16 bytes; 3 the access control, as ``KeychainAccessControl``'s raw value; 4 the schema version of the value, where it
/// is not the first, as a number of 4 bytes, the greatest first; 5 the major version of the system that told the enrolment, as a number of 4 bytes likewise.
///
/// Earlier versions of LocalData wrote no magic. They are read for ever: a tag alone; and for items that are bound to the enrolled faces or fingers the
/// byte 2, a byte that tells of the tag (0: none, 1: 16 bytes, 2: 24 bytes), the tag or 16 zeros, and 16 bytes that identify the enrolment. What is
/// neither is somebody else's: it identifies a version, since it may have been taken for one already, and says nothing else.
struct KeychainItemMetadata: Sendable, Hashable {
    /// Identifies the version of a synced secret, see ``SyncRevision``.
    var tag: Data?
    /// Identifies the enrolment that the item was bound to.
    var enrolment: Data?
    /// The major version of the system that told the enrolment: another one may tell other bytes of the same faces and fingers (LAContext.h,
    /// `evaluatedPolicyDomainState`). `nil` where it is not noted, or was no number.
    var enrolmentSystem: UInt32?
    /// What the item was bound to, which the system does not tell.
    var accessControl: KeychainAccessControl?
    /// The ``StorageKey/schemaVersion`` of the secret's form, which outlives the app with it; 1 where nothing is said.
    var schema = 1
    /// Whether it says that it is a note: then an item without access control in it has none.
    private(set) var isMarked = true

    private static let magic: [UInt8] = [0x89, 0x4C, 0x44, 0x4E]
    private static let version: UInt8 = 1
    private static let enrolmentLength = 16

    private enum Field: UInt8 {
        case tag = 1
        case enrolment = 2
        case accessControl = 3
        case schema = 4
        case enrolmentSystem = 5
    }

    init(
        tag: Data?, enrolment: Data? = nil, enrolmentSystem: UInt32? = nil, accessControl: KeychainAccessControl? = nil, schema: Int = 1
    ) {
        self.schema = schema
        self.tag = tag
        self.enrolment = enrolment
        self.enrolmentSystem = enrolmentSystem
        self.accessControl = accessControl
    }

    init(stored: Data) {
        let bytes = [UInt8](stored)
        if bytes.starts(with: Self.magic), let note = Self(fields: bytes) {
            self = note
        } else {
            self.init(unmarked: bytes)
        }
    }

    /// `nil` where there is nothing to note.
    var stored: Data? {
        var fields: [(Field, [UInt8])] = []
        if let tag { fields.append((.tag, [UInt8](tag))) }
        if let enrolment { fields.append((.enrolment, [UInt8](enrolment))) }
        if let accessControl { fields.append((.accessControl, [UInt8](accessControl.rawValue.utf8))) }
        if schema > 1, let schema = UInt32(exactly: schema) {
            fields.append((.schema, Self.bytes(schema)))
        }
        if enrolment != nil, let enrolmentSystem { fields.append((.enrolmentSystem, Self.bytes(enrolmentSystem))) }
        fields.removeAll { $0.1.count > UInt8.max }
        guard !fields.isEmpty else { return nil }
        return Data(Self.magic + [Self.version] + fields.flatMap { [$0.rawValue, UInt8($1.count)] + $1 })
    }

    /// `nil` for what is not whole, or of another version.
    private init?(fields bytes: [UInt8]) {
        var rest = bytes.dropFirst(Self.magic.count)
        guard rest.popFirst() == Self.version else { return nil }
        self.init(tag: nil)
        while let kind = rest.popFirst() {
            guard let length = rest.popFirst().map(Int.init), rest.count >= length else { return nil }
            let field = rest.prefix(length)
            rest = rest.dropFirst(length)
            switch Field(rawValue: kind) {
            case .tag: tag = Data(field)
            case .enrolment: enrolment = Data(field)
            case .accessControl: accessControl = KeychainAccessControl(rawValue: String(decoding: field, as: UTF8.self))
            case .schema:
                guard let version = Self.number(field).flatMap(Int.init(exactly:)), KeyRules.schemaVersions ~= version else { return nil }
                schema = version
            case .enrolmentSystem: enrolmentSystem = Self.number(field)
            case nil: break
            }
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        bytes.count == 4 ? bytes.reduce(into: UInt32(0)) { $0 = $0 << 8 | UInt32($1) } : nil
    }
}

// MARK: Before there was a mark

extension KeychainItemMetadata {
    private static let form: UInt8 = 2
    /// By the byte that tells of the tag.
    private static let tagLengths = [0, SyncRevision.tagLength, SyncRevision.countedTagLength]

    /// Counters that are believed without a mark: those of 256 installations. Text, and other bytes that are no counter, have a higher one.
    private static let unmarkedCounters: Range<UInt64> = 0..<1 << 40

    private init(unmarked bytes: [UInt8]) {
        let room = bytes.count - 2 - Self.enrolmentLength
        if room > 0, bytes[0] == Self.form, bytes[1] < Self.tagLengths.count,
            room == max(Self.tagLengths[Int(bytes[1])], SyncRevision.tagLength)
        {
            self.init(tag: bytes[1] == 0 ? nil : Data(bytes[2..<(2 + room)]), enrolment: Data(bytes[(2 + room)...]))
        } else {
            let stored = Data(bytes)
            let isCounted = Self.unmarkedCounters.contains(SyncRevision.counter(of: stored))
            let isTag = stored.count != SyncRevision.countedTagLength || (isCounted && SyncRevision.counter(of: stored) > 0)
            // A counter that nobody counted would win over every version there is, and an extension always leaves a mark.
            let tag =
                isTag && !SyncRevision.isTagOfExtension(stored)
                ? stored : Data(SHA256Digest.digest(of: stored).prefix(SyncRevision.tagLength))
            self.init(tag: stored.isEmpty ? nil : tag)
        }
        isMarked = false
    }
}

extension BiometryEnrolment {
    /// What a note keeps of an enrolled set; `nil` where there is none, or none is known.
    var fingerprint: Data? {
        guard case .enrolled(let state) = self else { return nil }
        return Data(SHA256Digest.digest(of: state).prefix(16))
    }
}

extension KeychainHelper {
    /// What is stored beside a secret as its version's tag; empty for an item without one, `nil` where there is no item. Asks nobody.
    nonisolated func syncTag(of key: any StorageKey, service: String?) throws -> Data? {
        try syncTag(service: service, account: key.name, accessGroup: key.accessGroup)
    }

    nonisolated func syncTag(service: String?, account: String, accessGroup: String? = nil) throws -> Data? {
        var query = query(account, service, accessGroup)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, item, _) = found(query)
        switch status {
        case .success: return item.map { KeychainItemMetadata(stored: $0.generic ?? Data()).tag ?? Data() }
        case .itemNotFound: return nil
        default:
            throw StorageError(
                status.storageError(lockState: environment.device.lockState, stores: false), key: account, operation: "sync",
                facts: [status.fact(at: "copyMatching")])
        }
    }
}
