@testable import LocalData

/// A device whose storage operations that change something are counted, over files, preferences and keychain, and can be cut off at any of them.
struct CrashableDevice {
    let storage: TestDevice
    let crash = CrashPoint()

    init(_ storage: TestDevice = TestDevice()) { self.storage = storage }

    /// A process of the app: a router that knows nothing yet.
    func router() -> StorageRouter {
        var environment = storage.environment
        environment.fileSystem = CrashableFileSystem(base: storage.files, crash: crash)
        environment.defaults = CrashableDefaults(base: storage.defaults, crash: crash)
        environment.keychain = CrashableKeychain(base: storage.keychain, crash: crash)
        return StorageRouter(environment: environment)
    }
}
