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
        /// Guarded by `lock`.
        private var found: String?

        init(bundleIdentifier: String) {
            self.bundleIdentifier = bundleIdentifier
        }

        /// `nil` as long as the keychain does not tell: on a host without one, or before the first unlock.
        var name: String? {
            lock.withLock {
                if found == nil { found = Self.prefix(of: bundleIdentifier).map { "\($0).\(bundleIdentifier)" } }
                return found
            }
        }

        /// Adds an item that says nothing, and takes it away again. Processes that share a group may do so at the same time, so each has an item of its own.
        private static func prefix(of bundleIdentifier: String) -> String? {
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
            guard SecItemAdd(added as CFDictionary, &result) == errSecSuccess else { return nil }
            SecItemDelete(probe as CFDictionary)
            let group = (result as? [String: Any])?[kSecAttrAccessGroup as String] as? String
            return group.flatMap { $0.split(separator: ".").first.map(String.init) }
        }
    }
#endif
