/// Where a value is stored.
public enum StorageDomain: Sendable, Hashable {
    /// The app's preferences, or those of `suite`. For small settings.
    case userDefaults(suite: String?)
    /// The preferences that the apps of an App Group share.
    case appGroupUserDefaults(identifier: String)
    /// A generic password item of `service`; `nil` is the app's own bundle identifier. For credentials and tokens.
    case keychain(service: String?)
    /// A file in the app's container.
    case fileSystem(directory: FileDirectory)
    /// A file in the app's container under complete file protection, for values secured by an encryption policy.
    case encryptedFileSystem(directory: FileDirectory)
    /// A file in the container that the apps of an App Group share.
    case appGroupFileSystem(identifier: String, directory: FileDirectory)
}

extension StorageDomain {
    /// The case's name without its payload, as audits and errors show it.
    public var kind: String {
        switch self {
        case .userDefaults: "userDefaults"
        case .appGroupUserDefaults: "appGroupUserDefaults"
        case .keychain: "keychain"
        case .fileSystem: "fileSystem"
        case .encryptedFileSystem: "encryptedFileSystem"
        case .appGroupFileSystem: "appGroupFileSystem"
        }
    }
}
