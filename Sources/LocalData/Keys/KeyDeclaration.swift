import Foundation

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

/// A directory of a container, or one of the app's own choosing.
public enum FileDirectory: Sendable, Hashable {
    /// User data. Backed up.
    case documents
    /// Data that can be made again. Not backed up, purged when space is short.
    case caches
    /// An absolute file URL.
    case custom(URL)
}

extension FileDirectory {
    /// The case's name without its payload, as audits and errors show it.
    public var kind: String {
        switch self {
        case .documents: "documents"
        case .caches: "caches"
        case .custom: "custom"
        }
    }
}

/// The devices a key's value exists on.
public enum PlatformAvailability: String, Sendable, Hashable, CaseIterable {
    /// Phone and watch, synced if the ``SyncPolicy`` says so.
    case all
    /// Phone only; using the key on a watch throws ``StorageError/Code/phoneOnly``.
    case phoneOnly
    /// Watch only; using the key on a phone throws ``StorageError/Code/watchOnly``.
    case watchOnly
    /// Belongs to the phone app and is wanted on the watch. Syncs both ways, like ``all``, so that both devices converge.
    case phoneWithWatchSync
}

extension PlatformAvailability {
    /// Whether values of such keys may leave the device they were set on.
    public var allowsSync: Bool { self == .all || self == .phoneWithWatchSync }

    /// Whether a device of `role` may read and write such keys.
    public func isAvailable(on role: DeviceRole) -> Bool {
        switch self {
        case .all, .phoneWithWatchSync: true
        case .phoneOnly: role != .watch
        case .watchOnly: role == .watch
        }
    }
}

/// Whether and when a value travels to the counterpart.
public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Never sent, and nothing that the counterpart sends for the key is stored.
    case never
    /// Sent by ``StorageRouter/syncRegisteredKeysIfNeeded()`` and ``StorageRouter/syncNow()`` only. What was sent so goes along later as well, such as in the
    /// answer to a request of the counterpart; what was set since does not.
    case manual
    /// Sent after each `set` and `remove`, for serialized values up to ``maximumAutomaticByteCount``.
    case automaticSmall
}

extension SyncPolicy {
    /// The largest serialized value that ``automaticSmall`` sends, in bytes: 100 KB.
    public static let maximumAutomaticByteCount = 100_000
}

/// What becomes of a sealed value whose master key verifiably is not on this device, such as after a backup was restored to another device and the
/// keychain did not come along.
///
/// A key that is merely out of reach, on a locked device or with a failing keychain, is not missing: nothing is decided then. Neither is anything
/// decided about key material of a provider (``KeyMaterialProviding``), which may supply it later.
///
/// Neither is anything decided where another process may have the key: in an App Group, outside of the app's own container, and of a key with a
/// ``StorageKey/accessGroup``. Such a value is reported, whatever the policy.
///
/// Whatever the policy, a synced value is healed: any version that the counterpart holds takes the place of one that nobody can open any more.
public enum MissingKeyPolicy: String, Sendable, Hashable, CaseIterable {
    /// Reading throws ``StorageError/Code/keyMissing`` until the app sets or removes the value, or the counterpart's version arrives.
    case report
    /// Reading removes what cannot be opened, and finds no value. That is no deletion: the counterpart keeps its value, and gives it back.
    case discard
}
