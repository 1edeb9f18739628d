import Foundation

/// Identifies the stored form of a value without being the value, so that a later process can tell whether it is still the same.
///
/// For files and defaults it is a digest of what is stored: the ciphertext, where the value is sealed. For keychain items it is a random tag that is
/// stored with the item in one step: a digest of a short secret would give the secret away to anyone who can read the ledger.
enum SyncRevision {
    static let tagLength = 16

    static func digest(of form: StoredForm) -> Data {
        switch form {
        case .bytes(let bytes): SHA256Digest.digest(of: bytes)
        case .propertyList(let value): SHA256Digest.digest(of: value.canonicalBytes)
        }
    }
}
