import Foundation

/// What LocalData keeps beside a secret, in the `generic` attribute of its item: written with it in one step, and readable without a person.
///
/// Stored forms: nothing, or a tag alone; and for items that are bound to the enrolled faces or fingers the byte 2, a byte that is 1 if there is a
/// tag, 16 bytes of the tag or of zeros, and 16 bytes that identify the enrolment.
struct KeychainNote: Sendable, Hashable {
    /// Identifies the version of a synced secret, see ``SyncRevision``.
    var tag: Data?
    /// Identifies the enrolment that the item was bound to.
    var enrolment: Data?

    private static let form: UInt8 = 2
    private static let length = 2 + 2 * SyncRevision.tagLength

    init(tag: Data?, enrolment: Data? = nil) {
        self.tag = tag
        self.enrolment = enrolment
    }

    init(stored: Data) {
        let bytes = [UInt8](stored)
        guard bytes.count == Self.length, bytes[0] == Self.form, bytes[1] <= 1 else {
            self.init(tag: stored.isEmpty ? nil : stored)
            return
        }
        let tag = Data(bytes[2..<(2 + SyncRevision.tagLength)])
        self.init(tag: bytes[1] == 1 ? tag : nil, enrolment: Data(bytes[(2 + SyncRevision.tagLength)...]))
    }

    /// `nil` where there is nothing to note.
    var stored: Data? {
        guard let enrolment else { return tag }
        let tagBytes = tag ?? Data(count: SyncRevision.tagLength)
        guard tagBytes.count == SyncRevision.tagLength, enrolment.count == SyncRevision.tagLength else { return tag }
        return Data([Self.form, tag == nil ? 0 : 1]) + tagBytes + enrolment
    }
}

extension BiometryEnrolment {
    /// What a note keeps of an enrolled set; `nil` where there is none, or none is known.
    var fingerprint: Data? {
        guard case .enrolled(let state) = self else { return nil }
        return Data(SHA256Digest.digest(of: state).prefix(SyncRevision.tagLength))
    }
}
