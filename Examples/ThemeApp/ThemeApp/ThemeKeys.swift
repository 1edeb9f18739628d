import LocalData

extension StorageKeys {
    /// The colour theme that the person chose.
    public struct ThemeKey: StorageKey {
        public typealias Value = String

        public let name = "theme"
        public let domain: StorageDomain = .userDefaults(suite: nil)
        public let security: SecurityPolicy = .none
        public let owner = "Settings"
        public let description = "The colour theme that the person chose"
        public let syncPolicy: SyncPolicy = .automaticSmall

        public init() {}
    }
}

public struct ThemeCatalog: StorageKeyCatalog {
    public var allKeys: [AnyStorageKey] { [.key(StorageKeys.ThemeKey())] }

    public init() {}
}
