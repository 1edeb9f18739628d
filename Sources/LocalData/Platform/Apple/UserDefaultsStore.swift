#if canImport(Darwin)
    import Foundation

    /// The system's preferences, by `UserDefaults`.
    final class UserDefaultsStore: DefaultsStore, @unchecked Sendable {
        private let bundleIdentifier: String
        private let isBeforeFirstUnlock: @Sendable () -> Bool?
        private let lock = NSLock()
        /// Guarded by `lock`. A process that was started before the first unlock keeps an empty snapshot of every suite, also after the unlock. `nil` as long as it
        /// could not be told.
        private var wasStartedBeforeFirstUnlock: Bool?
        /// Guarded by `lock`. `UserDefaults` itself may be used from any thread.
        private var suites: [DefaultsSuite: UserDefaults] = [:]

        /// - Parameter isBeforeFirstUnlock: Asked at once, and again as long as it does not know.
        init(bundleIdentifier: String, isBeforeFirstUnlock: @escaping @Sendable () -> Bool?) {
            self.bundleIdentifier = bundleIdentifier
            self.isBeforeFirstUnlock = isBeforeFirstUnlock
            wasStartedBeforeFirstUnlock = isBeforeFirstUnlock()
        }

        func isReadable(_ suite: DefaultsSuite) -> Bool {
            lock.withLock {
                if wasStartedBeforeFirstUnlock == nil { wasStartedBeforeFirstUnlock = isBeforeFirstUnlock() }
                return wasStartedBeforeFirstUnlock == false
            }
        }

        func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
            let defaults = try defaults(suite)
            guard let object = defaults.object(forKey: key) else { return nil }
            // That searches registered and global defaults as well; what counts is what is stored in the suite itself.
            guard let stored = defaults.persistentDomain(forName: domainName(suite)) else {
                // Of one key the domain may still tell, also where what is stored equals what all suites show.
                if let own = valueOfDomain(forKey: key, in: suite) { return try PropertyListValue(validating: own) }
                return isOfAnotherDomain(object, forKey: key, seenBy: defaults) ? nil : try PropertyListValue(validating: object)
            }
            return try stored[key].map { try PropertyListValue(validating: $0) }
        }

        private func valueOfDomain(forKey key: String, in suite: DefaultsSuite) -> Any? {
            CFPreferencesCopyValue(key as CFString, domainName(suite) as CFString, kCFPreferencesCurrentUser, kCFPreferencesAnyHost)
        }

        /// Whether a value that a suite shows is one of those that all suites show. For a suite of which the system does not tell what is stored in it.
        private func isOfAnotherDomain(_ object: Any, forKey key: String, seenBy defaults: UserDefaults) -> Bool {
            let domains = [
                defaults.volatileDomain(forName: UserDefaults.registrationDomain),
                defaults.volatileDomain(forName: UserDefaults.argumentDomain),
                defaults.persistentDomain(forName: UserDefaults.globalDomain) ?? [:],
            ]
            return domains.contains { ($0[key] as? NSObject).map { $0.isEqual(object) } ?? false }
        }

        func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
            let defaults = try defaults(suite)
            if let value {
                defaults.set(value.propertyList, forKey: key)
            } else {
                defaults.removeObject(forKey: key)
            }
            // Both only tell the system, which may not have heard of it yet where the process is killed next. This waits until it has.
            _ = defaults.synchronize()
        }

        func keys(in suite: DefaultsSuite) throws -> [String] {
            let defaults = try defaults(suite)
            let stored =
                defaults.persistentDomain(forName: domainName(suite))
                ?? defaults.dictionaryRepresentation().filter { !isOfAnotherDomain($0.value, forKey: $0.key, seenBy: defaults) }
            return stored.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }

        func byteCount(of suite: DefaultsSuite, without key: String) throws -> Int {
            let defaults = try defaults(suite)
            let stored = defaults.persistentDomain(forName: domainName(suite)) ?? defaults.dictionaryRepresentation()
            return stored.reduce(0) { count, entry in
                guard entry.key != key else { return count }
                let value = PropertyListValue(propertyList: entry.value)
                return count + PropertyListValue.approximateByteCount(of: entry.key) + (value?.approximateByteCount ?? 0)
            }
        }

        func synchronize(_ suite: DefaultsSuite) throws {
            _ = try defaults(suite).synchronize()
        }

        private func defaults(_ suite: DefaultsSuite) throws -> UserDefaults {
            try lock.withLock {
                if let defaults = suites[suite] { return defaults }
                let defaults = try open(suite)
                suites[suite] = defaults
                return defaults
            }
        }

        private func open(_ suite: DefaultsSuite) throws -> UserDefaults {
            let name = domainName(suite)
            // `UserDefaults(suiteName:)` refuses the app's own identifier, whose preferences are the standard ones.
            if name == bundleIdentifier { return .standard }
            if case .appGroup(let identifier) = suite, StorageEnvironment.groupContainer(identifier) == nil {
                throw StorageError(.unsupported, facts: ["App Group '\(identifier)' is not among the app's entitlements"])
            }
            guard let defaults = UserDefaults(suiteName: name) else {
                throw StorageError(.unsupported, facts: ["'\(name)' cannot name a suite of preferences"])
            }
            return defaults
        }

        private func domainName(_ suite: DefaultsSuite) -> String {
            switch suite {
            case .standard: bundleIdentifier
            case .named(let name): name
            case .appGroup(let identifier): identifier
            }
        }
    }
#endif
