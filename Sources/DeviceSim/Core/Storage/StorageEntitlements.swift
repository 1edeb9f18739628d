/// What the app's signature allows it to share. `nil` allows every name.
public struct StorageEntitlements: Sendable, Hashable {
    /// Whether the app may use the keychain at all; without that every call gives −34018.
    public var hasKeychain = true
    /// The keychain access groups beside the app's own, which is named like its bundle.
    public var keychainAccessGroups: Set<String>?
    /// The identifiers of the App Groups that the app belongs to; `nil`: all.
    public var appGroups: Set<String>?

    /// An app that may use every group.
    public init() {}
}
