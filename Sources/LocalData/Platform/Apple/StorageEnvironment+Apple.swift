#if canImport(Darwin)
    import Foundation
    import Security

    extension StorageEnvironment {
        static func makePlatform() -> StorageEnvironment {
            let bundleIdentifier = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            let roots = hasContainer ? roots : rootsOutsideOfContainer(bundleIdentifier)
            let fileSystem = PosixFileSystem(roots: roots)
            let own = "\(roots.applicationSupport)/com.localdata"
            let entropy = SystemEntropy()
            let identifier = DeviceIdentifier(file: "\(own)/device-identifier", fileSystem: fileSystem, entropy: entropy)
            let lockProbe = LockProbe(directory: "\(own)/lock", fileSystem: fileSystem)
            return StorageEnvironment(
                fileSystem: fileSystem,
                defaults: UserDefaultsStore(
                    bundleIdentifier: bundleIdentifier, isBeforeFirstUnlock: { lockProbe.isBeforeFirstUnlock }),
                keychain: SecItemKeychain(bundleIdentifier: bundleIdentifier),
                clock: SystemClock(),
                entropy: entropy,
                device: AppleDevice(identifier: identifier.text, bundleIdentifier: bundleIdentifier, lockProbe: lockProbe))
        }

        /// Whether the system's folders are the app's own. A Mac app outside of the sandbox shares them with all others.
        private static var hasContainer: Bool {
            #if os(macOS) || targetEnvironment(macCatalyst)
                ProcessInfo.processInfo.environment["APP_SANDBOX_CONTAINER_ID"] != nil
            #else
                true
            #endif
        }

        /// Folders of the app's own, within those that it shares; the shared ones themselves for an app that an earlier version of LocalData, which knew no
        /// others, may have kept files in: they would be missed.
        private static func rootsOutsideOfContainer(_ bundleIdentifier: String) -> PosixFileSystem.Roots {
            func hasFiles(_ roots: PosixFileSystem.Roots) -> Bool {
                FileManager.default.fileExists(atPath: "\(roots.applicationSupport)/com.localdata")
            }
            let own = roots.ownPart(of: bundleIdentifier)
            return hasFiles(roots) && !hasFiles(own) ? roots : own
        }

        private static var roots: PosixFileSystem.Roots {
            PosixFileSystem.Roots(
                documents: path(of: .documentDirectory, below: "Documents"),
                caches: path(of: .cachesDirectory, below: "Library/Caches"),
                applicationSupport: path(of: .applicationSupportDirectory, below: "Library/Application Support"),
                temporary: withoutTrailingSlash(NSTemporaryDirectory()),
                appGroup: { identifier in
                    groupContainer(identifier).map { withoutTrailingSlash($0.path(percentEncoded: false)) }
                })
        }

        /// `nil` where the process may not use the App Group. A Mac names a folder for any group (Apple, `containerURL(forSecurityApplicationGroupIdentifier:)`),
        /// and keeps a sandboxed app out of it that is not entitled to it.
        static func groupContainer(_ identifier: String) -> URL? {
            #if os(macOS)
                if hasContainer, !isEntitled(to: identifier) { return nil }
            #endif
            return FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
        }

        #if os(macOS)
            private static func isEntitled(to group: String) -> Bool {
                guard let task = SecTaskCreateFromSelf(nil) else { return true }
                let groups = SecTaskCopyValueForEntitlement(task, "com.apple.security.application-groups" as CFString, nil)
                return (groups as? [String])?.contains(group) ?? false
            }
        #endif

        private static func path(of directory: FileManager.SearchPathDirectory, below standard: String) -> String {
            let url = FileManager.default.urls(for: directory, in: .userDomainMask).first
            return withoutTrailingSlash(url?.path(percentEncoded: false) ?? "\(NSHomeDirectory())/\(standard)")
        }

        private static func withoutTrailingSlash(_ path: String) -> String {
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
#endif
