@testable import LocalData

/// A device whose storage operations that change something are counted, over files, preferences and keychain, and can be cut off at any of them.
struct CrashableDevice {
    let storage: TestDevice
    let crash = CrashPoint()

    init(_ storage: TestDevice = TestDevice()) { self.storage = storage }

    /// A process of the app: a router that knows nothing yet.
    func router() -> StorageRouter { StorageRouter(environment: storage.environment(cutAt: crash)) }
}
