import Foundation

/// Identifies the stored form of a value without being the value, so that a later process can tell whether it is still the same.
///
/// For files and defaults it is a digest of what is stored: the ciphertext, where the value is sealed. For keychain items it is a random tag that is
/// stored with the item in one step: a digest of a short secret would give the secret away to anyone who can read the ledger.
///
/// Keychain items outlive the app and its ledger, so a tag may carry the version's counter: 16 random bytes, and where the counter is known 8 more, the
/// highest first.
enum SyncRevision {
    static let tagLength = 16
    static let countedTagLength = tagLength + 8

    /// A tag for the version with this counter; 0 where nothing is to be counted on from it.
    static func tag(_ random: Data, counter: UInt64) -> Data {
        counter == 0 ? random : random + withUnsafeBytes(of: counter.bigEndian) { Data($0) }
    }

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
