#if canImport(Security)
    import Foundation
    import Security

    /// The access group that a process shares with no other: the team's prefix and its bundle identifier. Every process is entitled to it
    /// (Apple, "Sharing access to keychain items among a collection of apps").
    ///
    /// There is no call that names it. The group of an item that is added without one begins with the same prefix, whichever group that is.
    final class OwnAccessGroup: @unchecked Sendable {
        private let bundleIdentifier: String
        private let lock = NSLock()
        /// Guarded by `lock`. `.some(nil)` where items have no group.
        private var found: String??

        init(bundleIdentifier: String) {
            self.bundleIdentifier = bundleIdentifier
        }

        /// `nil` as long as the keychain does not tell, such as before the first unlock, and on a host whose items have no group.
        var name: String? { lookup.name }

        /// The group, and why it cannot be told: an item must not be added then, since it would lie in the first group of the Keychain Sharing capability.
        var lookup: (status: KeychainStatus, name: String?) {
            lock.withLock {
                if let found { return (.success, found) }
                let (status, prefix) = Self.prefix(of: bundleIdentifier)
                guard status == .success else { return (status, nil) }
                let name = prefix.map { "\($0).\(bundleIdentifier)" }
                found = .some(name)
                return (.success, name)
            }
        }

        /// Adds an item that says nothing, and takes it away again. Processes that share a group may do so at the same time, so each has an item of its own.
        private static func prefix(of bundleIdentifier: String) -> (status: KeychainStatus, prefix: String?) {
            let probe: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: "com.localdata.own-group",
                kSecAttrAccount: "probe of \(bundleIdentifier), process \(getpid())",
                kSecAttrSynchronizable: false,
                kSecUseDataProtectionKeychain: true,
            ]
            var added = probe
            added[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            added[kSecValueData] = Data([1])
            added[kSecReturnAttributes] = true
            var result: CFTypeRef?
            // An earlier process of that number may have ended before it took its probe away.
            SecItemDelete(probe as CFDictionary)
            let status = KeychainStatus(rawValue: SecItemAdd(added as CFDictionary, &result))
            guard status == .success else { return (status, nil) }
            SecItemDelete(probe as CFDictionary)
            let group = (result as? [String: Any])?[kSecAttrAccessGroup as String] as? String
            return (.success, group.flatMap { $0.split(separator: ".").first.map(String.init) })
        }
    }
#endif
