#if canImport(Darwin)
    import Foundation

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
                    bundleIdentifier: bundleIdentifier, wasStartedBeforeFirstUnlock: lockProbe.state == .beforeFirstUnlock),
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
                    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
                        .map { withoutTrailingSlash($0.path(percentEncoded: false)) }
                })
        }

        private static func path(of directory: FileManager.SearchPathDirectory, below standard: String) -> String {
            let url = FileManager.default.urls(for: directory, in: .userDomainMask).first
            return withoutTrailingSlash(url?.path(percentEncoded: false) ?? "\(NSHomeDirectory())/\(standard)")
        }

        private static func withoutTrailingSlash(_ path: String) -> String {
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
#endif
