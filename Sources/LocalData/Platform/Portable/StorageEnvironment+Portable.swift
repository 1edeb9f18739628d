#if !canImport(Darwin)
    import Foundation

    extension StorageEnvironment {
        static func makePlatform() -> StorageEnvironment {
            let process = ProcessInfo.processInfo
            let app = Bundle.main.bundleIdentifier ?? process.processName
            return portable(XDGDirectories(variables: process.environment, home: NSHomeDirectory(), app: app))
        }

        /// The stores of a host without Apple's, below the directories given. Nothing is created but the device's identifier.
        static func portable(_ directories: XDGDirectories) -> StorageEnvironment {
            let fileSystem = PosixFileSystem(roots: directories.roots)
            let entropy = SystemEntropy()
            let identifier = DeviceIdentifier(file: "\(directories.state)/device-identifier", fileSystem: fileSystem, entropy: entropy)
            return StorageEnvironment(
                fileSystem: fileSystem,
                defaults: FileDefaultsStore(
                    directory: directories.preferences, standardName: directories.app,
                    appGroupDirectory: { directories.preferences(ofAppGroup: $0) }),
                keychain: FileKeychainStore(file: directories.keychain),
                clock: SystemClock(),
                entropy: entropy,
                device: HostDevice(identifier: identifier.text, bundleIdentifier: directories.app))
        }
    }
#endif
