import Foundation

@testable import LocalData

/// A device in memory: every part of a ``StorageEnvironment``, each of which a test can script. Nothing in it is random, late or shared.
///
/// The parts outlive routers, as a device outlives the processes of an app: `device.router()` again is a relaunch.
final class TestDevice: Sendable {
    let files: MemoryFileSystem
    let defaults: MemoryDefaults
    let keychain: MemoryKeychain
    let clock = FixedClock()
    let entropy: SeededEntropy
    let description: FixedDevice

    init(
        role: DeviceRole = .phone, identifier: String = "device-a", seed: UInt64 = 1, files: MemoryFileSystem? = nil,
        defaults: MemoryDefaults? = nil, keychain: MemoryKeychain? = nil
    ) {
        description = FixedDevice(role: role, identifier: identifier)
        entropy = SeededEntropy(seed: seed)
        self.files = files ?? MemoryFileSystem()
        self.defaults = defaults ?? MemoryDefaults()
        self.keychain = keychain ?? MemoryKeychain()
        self.files.device = description
        self.keychain.device = description
    }

    var environment: StorageEnvironment {
        StorageEnvironment(
            fileSystem: files, defaults: defaults, keychain: keychain, clock: clock, entropy: entropy, device: description)
    }

    /// A process of the app: a router that knows nothing yet.
    func router() -> StorageRouter { StorageRouter(environment: environment) }

    /// Locks or unlocks what depends on the lock.
    var lockState: DeviceLockState {
        get { description.lockState }
        set { description.lockState = newValue }
    }

    /// The same device after its power failed: see ``MemoryFileSystem/afterPowerLoss(keepingPending:)``. It has copies of
    /// the defaults and the keychain, whole.
    func afterPowerLoss(keepingPending: Bool = false) -> TestDevice {
        TestDevice(
            role: description.role, identifier: description.identifier, seed: 99,
            files: files.afterPowerLoss(keepingPending: keepingPending), defaults: defaults.copy(), keychain: keychain.copy())
    }
}

/// The time of day, which moves only when a test moves it.
final class FixedClock: WallClock, @unchecked Sendable {
    private let lock = NSLock()
    private var date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    private var running: Double?

    var now: Date {
        get { lock.withLock { date } }
        set { lock.withLock { date = newValue } }
    }

    /// In seconds. Not known, until a test says so.
    var uptime: Double? {
        get { lock.withLock { running } }
        set { lock.withLock { running = newValue } }
    }
}

/// Bytes that follow from a seed (SplitMix64).
final class SeededEntropy: EntropySource, @unchecked Sendable {
    private let lock = NSLock()
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    func bytes(_ count: Int) throws -> Data {
        lock.withLock {
            var data = Data(capacity: count + 8)
            while data.count < count {
                state &+= 0x9E37_79B9_7F4A_7C15
                var mixed = state
                mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                mixed ^= mixed >> 31
                withUnsafeBytes(of: mixed.littleEndian) { data.append(contentsOf: $0) }
            }
            return Data(data.prefix(count))
        }
    }
}

/// A device that is what a test says.
final class FixedDevice: DeviceDescribing, @unchecked Sendable {
    let role: DeviceRole
    let identifier: String
    let bundleIdentifier = "com.example.app"
    let deviceInfo: DeviceInfo

    private let lock = NSLock()
    private var system: SystemInfo
    private var enrolment = BiometryEnrolment.unknown
    private var version = "1.0.0"
    private var state = DeviceLockState.unlocked
    private var prewarmed = false
    private var boot: String?

    let isAppExtension = false
    let integerBitWidth = Int.bitWidth
    /// Of the process that is made next.
    var wasPrewarmed: Bool {
        get { lock.withLock { prewarmed } }
        set { lock.withLock { prewarmed = newValue } }
    }
    var bootIdentifier: String? {
        get { lock.withLock { boot } }
        set { lock.withLock { boot = newValue } }
    }

    init(role: DeviceRole = .phone, identifier: String = "device-a") {
        self.role = role
        self.identifier = identifier
        let isWatch = role == .watch
        deviceInfo = DeviceInfo(model: isWatch ? "Watch7,1" : "iPhone17,1", family: isWatch ? "Apple Watch" : "iPhone")
        system = SystemInfo(name: isWatch ? "watchOS" : "iOS", version: isWatch ? "10.4" : "17.4")
    }

    /// After an update of the system, another one.
    var systemInfo: SystemInfo {
        get { lock.withLock { system } }
        set { lock.withLock { system = newValue } }
    }
    var biometryEnrolment: BiometryEnrolment {
        get { lock.withLock { enrolment } }
        set { lock.withLock { enrolment = newValue } }
    }
    var appVersion: String {
        get { lock.withLock { version } }
        set { lock.withLock { version = newValue } }
    }
    var lockState: DeviceLockState {
        get { lock.withLock { state } }
        set { lock.withLock { state = newValue } }
    }
}
