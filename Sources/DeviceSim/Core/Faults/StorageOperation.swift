/// The operations that an app's process asks of its device's storage. Each is numbered as it comes, and can be made to fail.
public enum StorageOperation: String, Sendable, Hashable, CaseIterable {
    // Files
    /// A file is created.
    case create = "file.create"
    /// Bytes are written to an open file.
    case write = "file.write"
    /// An open file is made durable (`fsync`).
    case synchronize = "file.synchronize"
    /// An open file is closed.
    case close = "file.close"
    /// A file is read.
    case read = "file.read"
    /// The attributes of a path are read.
    case attributes = "file.attributes"
    /// A file is renamed.
    case rename = "file.rename"
    /// A file is removed.
    case remove = "file.remove"
    /// A file is taken out of backups, or let in.
    case exclude = "file.exclude"
    /// An extended attribute is set.
    case setAttribute = "file.setAttribute"
    /// An extended attribute is read.
    case readAttribute = "file.readAttribute"
    /// A directory is made durable (`fsync`).
    case synchronizeDirectory = "directory.synchronize"
    /// A directory is made.
    case createDirectory = "directory.create"
    /// The names in a directory are read.
    case list = "directory.list"

    // Preferences
    /// A preference is read.
    case defaultsRead = "defaults.read"
    /// A preference is set or removed.
    case defaultsSet = "defaults.set"
    /// The keys of a suite are read.
    case defaultsKeys = "defaults.keys"
    /// A suite's changes are handed to the system.
    case defaultsSynchronize = "defaults.synchronize"

    // The keychain
    /// A keychain item is added.
    case keychainAdd = "keychain.add"
    /// Keychain items are looked for.
    case keychainRead = "keychain.read"
    /// Keychain items are changed.
    case keychainUpdate = "keychain.update"
    /// Keychain items are deleted.
    case keychainDelete = "keychain.delete"
}

extension StorageOperation {
    /// The operations of the disk.
    public static let files: Set<StorageOperation> = [
        .create, .write, .synchronize, .close, .read, .attributes, .rename, .remove, .exclude, .setAttribute, .readAttribute,
        .synchronizeDirectory, .createDirectory, .list,
    ]
    /// The operations of preferences.
    public static let defaults: Set<StorageOperation> = [.defaultsRead, .defaultsSet, .defaultsKeys, .defaultsSynchronize]
    /// What is asked of the keychain: the four calls of SecItem.
    public static let keychain: Set<StorageOperation> = [.keychainAdd, .keychainRead, .keychainUpdate, .keychainDelete]
    /// What is asked of the disk, of preferences and of the keychain.
    public static let all = Set(StorageOperation.allCases)
}

extension StorageOperation {
    /// Whether it can change what is stored, or make that durable. A crash just before an operation leaves what a crash just before the next one of
    /// these leaves.
    public var isChange: Bool {
        switch self {
        case .create, .write, .synchronize, .rename, .remove, .exclude, .setAttribute, .synchronizeDirectory, .createDirectory,
            .defaultsSet, .defaultsSynchronize, .keychainAdd, .keychainUpdate, .keychainDelete:
            true
        case .close, .read, .attributes, .readAttribute, .list, .defaultsRead, .defaultsKeys, .keychainRead: false
        }
    }
}
