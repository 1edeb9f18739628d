/// The physical place of a value, independent of the paths of this installation.
///
/// Two keys with equal ``physical`` would overwrite each other, whatever their names and domains.
public struct StorageLocation: Sendable, Hashable {
    /// Such as `defaults/standard/theme`, `keychain/com.example/token`, `file/documents/profile.json`.
    public let physical: String
    /// What an envelope authenticates: domain, location and key name. Never an absolute path, which changes on reinstall and restore.
    public let identity: String
}
