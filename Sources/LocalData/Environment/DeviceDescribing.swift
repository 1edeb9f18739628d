/// What the running device and app are, and the state of the device's lock.
public protocol DeviceDescribing: Sendable {
    /// Whether this is a phone, a watch, or neither. Decides which keys exist here (``PlatformAvailability``) and what the session is
    /// asked.
    var role: DeviceRole { get }
    /// Names this device in version stamps: stable over relaunches, different from the counterpart's, not personal. It need not change when the app
    /// is installed again or restored from a backup: stamps also name the installation.
    var identifier: String { get }
    /// The app's bundle identifier, such as `com.example.notes`: the service of keychain items that name none. An extension has one of its
    /// own.
    var bundleIdentifier: String { get }
    /// The version of the running app, such as `2.1.0`.
    var appVersion: String { get }
    /// The model and family of the device, for migrations that depend on them.
    var deviceInfo: DeviceInfo { get }
    /// The operating system and its version, for migrations that depend on them.
    var systemInfo: SystemInfo { get }
    /// Before the first unlock after a restart nothing but data without protection can be read.
    var lockState: DeviceLockState { get }
    /// What is enrolled now. Tells an item that a change of biometry has invalidated for ever from a failed authentication.
    /// ``BiometryEnrolment/unknown`` where that cannot be told.
    var biometryEnrolment: BiometryEnrolment { get }
    /// Whether the running process is an extension of the app, such as a widget: it shares the containers of the App Groups with the app and has no
    /// session with the counterpart. Versions of synced values are the app's to give.
    var isAppExtension: Bool { get }
    /// How many bits an app's `Int` has: 32 on an arm64_32 watch. `Int.bitWidth`; only a simulated device says less. What
    /// LocalData stores and sends itself does not depend on it.
    var integerBitWidth: Int { get }
    /// Whether the system started this process before anybody opened the app, so that it may have begun before the first unlock although the device was
    /// unlocked when the app's code began (iOS 15, `ActivePrewarm`).
    var wasPrewarmed: Bool { get }
    /// Names the time since the device was switched on: another text after each restart. `nil` on platforms without prewarming, and where that cannot
    /// be told.
    var bootIdentifier: String? { get }
}

/// What kind of device runs the app.
public enum DeviceRole: String, Sendable, Hashable, CaseIterable {
    /// An iPhone, or an iPad.
    case phone
    /// An Apple Watch.
    case watch
    /// A Mac or a Linux host: like a phone for availability, without a counterpart.
    case host
}

/// How far the device is unlocked, which decides what its data protection lets an app read.
public enum DeviceLockState: String, Sendable, Hashable, CaseIterable {
    /// The device was restarted and not unlocked since. Only data without protection can be read.
    case beforeFirstUnlock
    /// The device was unlocked since its restart, and is locked now. Data that is bound to the lock cannot be read.
    case locked
    /// Everything can be read. Devices without a passcode are always in this state.
    case unlocked
}
