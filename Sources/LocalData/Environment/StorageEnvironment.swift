import Foundation

/// Everything impure that LocalData touches, as one value. Two environments make two devices.
public struct StorageEnvironment: Sendable {
    /// What it is made of, once for all of its copies: each engine of a process has one.
    private final class Shared: Sendable {
        let parts: Parts

        init(_ parts: Parts) { self.parts = parts }
    }

    private struct Parts: Sendable {
        var fileSystem: any FileSystem
        var defaults: any DefaultsStore
        var keychain: any KeychainStore
        var clock: any WallClock
        var entropy: any EntropySource
        var device: any DeviceDescribing
        var observer: (any StorageObserver)?
    }

    private var shared: Shared

    /// An environment of the given parts. Apps use ``StorageRouter/shared``, whose environment is the platform's; tests and simulations
    /// make their own.
    public init(
        fileSystem: any FileSystem,
        defaults: any DefaultsStore,
        keychain: any KeychainStore,
        clock: any WallClock,
        entropy: any EntropySource,
        device: any DeviceDescribing,
        observer: (any StorageObserver)? = nil
    ) {
        shared = Shared(
            Parts(
                fileSystem: fileSystem, defaults: defaults, keychain: keychain, clock: clock, entropy: entropy, device: device,
                observer: observer))
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        var parts = shared.parts
        change(&parts)
        shared = Shared(parts)
    }

    /// Where files are kept, and the app's containers.
    public var fileSystem: any FileSystem {
        get { shared.parts.fileSystem }
        set { change { $0.fileSystem = newValue } }
    }
    /// Where preferences are kept.
    public var defaults: any DefaultsStore {
        get { shared.parts.defaults }
        set { change { $0.defaults = newValue } }
    }
    /// Where secrets and master keys are kept.
    public var keychain: any KeychainStore {
        get { shared.parts.keychain }
        set { change { $0.keychain = newValue } }
    }
    /// The time of day, for reports and for how long derived keys are kept. Of versions only those have it in them that nothing else could count: see
    /// ``WallClock``.
    public var clock: any WallClock {
        get { shared.parts.clock }
        set { change { $0.clock = newValue } }
    }
    /// Where master keys, salts, nonces and names of installations come from.
    public var entropy: any EntropySource {
        get { shared.parts.entropy }
        set { change { $0.entropy = newValue } }
    }
    /// What the device and the running process are.
    public var device: any DeviceDescribing {
        get { shared.parts.device }
        set { change { $0.device = newValue } }
    }
    /// Is told what sync does; `nil` where nobody wants to know.
    public var observer: (any StorageObserver)? {
        get { shared.parts.observer }
        set { change { $0.observer = newValue } }
    }
}

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

/// What is enrolled for Face ID or Touch ID, as far as an app may know.
public enum BiometryEnrolment: Sendable, Hashable {
    /// The device does not say: it has no biometry, it is locked out for now, or the system has no such interface.
    case unknown
    /// The device has biometry, and no face or finger is enrolled.
    case none
    /// Bytes that are others whenever a face or finger was added or removed (`LAContext.evaluatedPolicyDomainState`).
    case enrolled(state: Data)
}

/// A store of preferences in named suites, with the semantics of `UserDefaults`: a set is visible at once and reaches the disk later.
///
/// Calls are synchronous and may come from any thread.
public protocol DefaultsStore: Sendable {
    /// Whether this process can see what is stored. False for a process that was started before the first unlock:
    /// its reads yield nothing although there may be something, so they must not be believed.
    func isReadable(_ suite: DefaultsSuite) -> Bool
    /// The stored value; `nil` where the suite itself has none of that key. Registered defaults and other domains do not count.
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue?
    /// Stores a value, or removes it with `nil`.
    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws
    /// The keys stored in the suite itself, sorted by their UTF-8 bytes.
    func keys(in suite: DefaultsSuite) throws -> [String]
    /// About how many bytes the names and values of the suite take, without those of `key`. Asked before a large value is set.
    func byteCount(of suite: DefaultsSuite, without key: String) throws -> Int
    /// Asks for pending changes to be handed to the system (`UserDefaults.synchronize`).
    func synchronize(_ suite: DefaultsSuite) throws
}

extension DefaultsStore {
    /// Of the values one by one.
    public func byteCount(of suite: DefaultsSuite, without key: String) throws -> Int {
        try keys(in: suite).filter { $0 != key }.reduce(0) { count, name in
            try count + PropertyListValue.approximateByteCount(of: name) + (value(forKey: name, in: suite)?.approximateByteCount ?? 0)
        }
    }
}

/// Which preferences are meant.
public enum DefaultsSuite: Sendable, Hashable {
    /// The app's own.
    case standard
    /// The suite of that name (`UserDefaults(suiteName:)`), which belongs to this app alone.
    case named(String)
    /// The suite that the members of an App Group share, by the group's identifier.
    case appGroup(String)
}

extension DefaultsSuite {
    /// A fixed order: App Groups, then suites of the app's own by name, then the standard one.
    static func isBefore(_ one: DefaultsSuite, _ other: DefaultsSuite) -> Bool {
        func text(_ suite: DefaultsSuite) -> String {
            switch suite {
            case .appGroup(let group): "a" + group
            case .named(let name): "n" + name
            case .standard: "s"
            }
        }
        return text(one).utf8.lexicographicallyPrecedes(text(other).utf8)
    }
}

/// The time of day, as the device believes it to be. It does not order writes. Where it cannot be known up to where an installation had counted, as after a
/// restore, the next number is far above all others, and the time of day is in it, so that two restores of one backup do not count alike.
public protocol WallClock: Sendable {
    /// The time of day at this moment. May jump forward and back.
    var now: Date { get }
    /// Seconds since the device was switched on, which no change of the time of day moves; sleep need not count. `nil` where nobody knows.
    var uptime: Double? { get }
}

/// How long the system has been running, as it is written down beside what has to outlast a while of it.
enum SystemUptime {
    /// Whether at least `span` seconds have passed since `then`, or the system was started anew. What was written down may be any number: nobody but this
    /// app should write there, and a file may be damaged.
    static func hasPassed(_ span: Int64, since then: Int64, at now: Int64) -> Bool {
        let (passed, isBeyond) = now.subtractingReportingOverflow(then)
        return isBeyond || passed < 0 || passed >= span
    }
}

/// A source of random bytes fit for keys, salts and nonces.
public protocol EntropySource: Sendable {
    /// That many fresh random bytes. Never fewer: LocalData takes another number for a failure. Throws where the system has none to give.
    func bytes(_ count: Int) throws -> Data
}

/// What the device is, for migrations that depend on it.
public struct DeviceInfo: Sendable, Hashable, Codable {
    /// Such as `iPhone17,1`.
    public let model: String
    /// Such as `iPhone`, `iPad`, `Apple Watch`, `Mac`, `Linux`.
    public let family: String

    /// A device as an environment describes it. On Apple's systems both are the system's own words.
    public init(model: String, family: String) {
        self.model = model
        self.family = family
    }
}

extension DeviceInfo {
    /// The family that a model's identifier names, such as `iPad` for `iPad14,1`; `nil` where it names none that is known, as a Mac's does not.
    static func family(ofModel model: String) -> String? {
        switch model.prefix(while: \.isLetter) {
        case "iPhone": "iPhone"
        case "iPad": "iPad"
        case "iPod": "iPod touch"
        case "Watch": "Apple Watch"
        case "MacBookPro", "MacBookAir", "Macmini", "MacPro", "iMac", "Mac": "Mac"
        default: nil
        }
    }
}

/// What the operating system is, for migrations that depend on it.
public struct SystemInfo: Sendable, Hashable, Codable {
    /// Such as `iOS`, `watchOS`, `Linux`.
    public let name: String
    /// Such as `17.4.1`.
    public let version: String

    /// A system as an environment describes it.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// The first number of the version.
    var major: UInt32? { version.split(separator: ".").first.flatMap { UInt32($0) } }
}
