import LocalData

/// Preferences that forget what is set under one key.
package struct ForgetfulDefaults: DefaultsStore {
    let base: any DefaultsStore
    let key: String

    package init(base: any DefaultsStore, key: String) {
        self.base = base
        self.key = key
    }

    package func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
    package func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        try base.value(forKey: key, in: suite)
    }
    package func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        guard key != self.key else { return }
        try base.set(value, forKey: key, in: suite)
    }
    package func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
    package func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
}

extension StorageEnvironment {
    /// Forgets what a person chose: the list is a file, and in the preferences.
    package mutating func forgetChoices() {
        fileSystem = ForgetfulFileSystem(base: fileSystem, flaw: .forgets(name: "policies.json"))
        defaults = ForgetfulDefaults(base: defaults, key: "com.localdata.choices")
    }
}
