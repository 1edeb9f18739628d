/// The operations that an app's process asks of its device's storage. Each is numbered as it comes, and can be made to fail.
public enum StorageOperation: String, Sendable, Hashable, CaseIterable {
    // Files
    case create = "file.create"
    case write = "file.write"
    case synchronize = "file.synchronize"
    case close = "file.close"
    case read = "file.read"
    case attributes = "file.attributes"
    case rename = "file.rename"
    case remove = "file.remove"
    case exclude = "file.exclude"
    case setAttribute = "file.setAttribute"
    case readAttribute = "file.readAttribute"
    case synchronizeDirectory = "directory.synchronize"
    case createDirectory = "directory.create"
    case list = "directory.list"

    // Preferences
    case defaultsRead = "defaults.read"
    case defaultsSet = "defaults.set"
    case defaultsKeys = "defaults.keys"
    case defaultsSynchronize = "defaults.synchronize"

    // The keychain
    case keychainAdd = "keychain.add"
    case keychainRead = "keychain.read"
    case keychainUpdate = "keychain.update"
    case keychainDelete = "keychain.delete"
}

extension StorageOperation {
    public static let files: Set<StorageOperation> = [
        .create, .write, .synchronize, .close, .read, .attributes, .rename, .remove, .exclude, .setAttribute, .readAttribute,
        .synchronizeDirectory, .createDirectory, .list,
    ]
    public static let defaults: Set<StorageOperation> = [.defaultsRead, .defaultsSet, .defaultsKeys, .defaultsSynchronize]
    public static let keychain: Set<StorageOperation> = [.keychainAdd, .keychainRead, .keychainUpdate, .keychainDelete]
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
