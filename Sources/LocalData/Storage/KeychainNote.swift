import Foundation

/// What LocalData keeps beside a secret, in the `generic` attribute of its item: written with it in one step, and readable without a person.
///
/// Stored forms: nothing, or a tag alone; and for items that are bound to the enrolled faces or fingers the byte 2, a byte that tells of the tag (0:
/// none, 1: 16 bytes, 2: 24 bytes), the tag or 16 zeros, and 16 bytes that identify the enrolment.
struct KeychainNote: Sendable, Hashable {
    /// Identifies the version of a synced secret, see ``SyncRevision``.
    var tag: Data?
    /// Identifies the enrolment that the item was bound to.
    var enrolment: Data?

    private static let form: UInt8 = 2
    /// By the byte that tells of the tag.
    private static let tagLengths = [0, SyncRevision.tagLength, SyncRevision.countedTagLength]
    private static let enrolmentLength = 16

    init(tag: Data?, enrolment: Data? = nil) {
        self.tag = tag
        self.enrolment = enrolment
    }

    init(stored: Data) {
        let bytes = [UInt8](stored)
        let room = bytes.count - 2 - Self.enrolmentLength
        guard room > 0, bytes[0] == Self.form, bytes[1] < Self.tagLengths.count,
            room == max(Self.tagLengths[Int(bytes[1])], SyncRevision.tagLength)
        else {
            self.init(tag: stored.isEmpty ? nil : stored)
            return
        }
        self.init(tag: bytes[1] == 0 ? nil : Data(bytes[2..<(2 + room)]), enrolment: Data(bytes[(2 + room)...]))
    }

    /// `nil` where there is nothing to note.
    var stored: Data? {
        guard let enrolment else { return tag }
        guard let kind = Self.tagLengths.firstIndex(of: tag?.count ?? 0), enrolment.count == Self.enrolmentLength else { return tag }
        return Data([Self.form, UInt8(kind)]) + (tag ?? Data(count: SyncRevision.tagLength)) + enrolment
    }
}

extension BiometryEnrolment {
    /// What a note keeps of an enrolled set; `nil` where there is none, or none is known.
    var fingerprint: Data? {
        guard case .enrolled(let state) = self else { return nil }
        return Data(SHA256Digest.digest(of: state).prefix(16))
    }
}
