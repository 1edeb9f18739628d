import LocalData

/// Power, lock, passcode and biometry of a device: what decides which data is within reach.
public struct DeviceState: Sendable, Hashable {
    /// Whether the device is switched on.
    public var isPoweredOn = true
    /// Whether a passcode is set. Without one nothing is ever locked.
    public var hasPasscode = true
    /// Whether the screen is locked. Meaningless without a passcode; read ``lockState``.
    public var isLocked = false
    /// Whether the device has been unlocked since it was switched on.
    public var wasUnlockedSinceBoot = true
    /// The enrolled faces or fingers, as a set with an identity.
    public var biometry = Biometry.none
    /// How often biometry was enrolled or edited, which is what names the next set.
    var biometryEdits = 0

    /// A device that is on and unlocked, with a passcode and without biometry.
    public init() {}

    /// What data protection goes by. A device without a passcode is always unlocked.
    public var lockState: DeviceLockState {
        guard hasPasscode else { return .unlocked }
        guard wasUnlockedSinceBoot else { return .beforeFirstUnlock }
        return isLocked ? .locked : .unlocked
    }
}

/// Names a simulated device: the phone, or one of its watches.
public struct DeviceID: Sendable, Hashable, Comparable {
    /// 0 is the phone, 1 the watch, 2 the second watch.
    public let index: UInt8

    /// A device by its number.
    public init(index: UInt8) {
        self.index = index
    }

    /// The iPhone. Its index is 0.
    public static let phone = DeviceID(index: 0)
    /// The first watch.
    public static let watch = DeviceID(index: 1)
    /// The phone's second watch, where it has one.
    public static let watch2 = DeviceID(index: 2)
    /// Those that there can be, in the order of their indices.
    package static let all: [DeviceID] = [.phone, .watch, .watch2]

    /// Whether it is the phone.
    public var isPhone: Bool { index == 0 }

    public static func < (lhs: DeviceID, rhs: DeviceID) -> Bool { lhs.index < rhs.index }
}

extension DeviceID: CustomStringConvertible {
    /// As scenario files and traces write it: `phone`, `watch`, `watch2`.
    public var description: String {
        switch index {
        case 0: "phone"
        case 1: "watch"
        default: "watch\(index)"
        }
    }
}

/// Which of an installed app's programs a process runs. Each has a process, a container, preferences and a keychain access group of its own; what App
/// Groups and shared access groups hold is common to them.
public enum AppPart: String, Sendable, Hashable, CaseIterable {
    /// The app itself.
    case app
    /// The app's widget extension. It has no session with the counterpart: `WCSession` is not for extensions, as developers report.
    case widget

    /// The part's bundle identifier, which also names its own keychain access group.
    package func bundleIdentifier(ofApp bundleIdentifier: String) -> String {
        switch self {
        case .app: bundleIdentifier
        case .widget: bundleIdentifier + ".widget"
        }
    }
}

/// The life-cycle state of a running app. An app that does not run has none.
public enum AppState: String, Sendable, Hashable, CaseIterable {
    /// On the screen.
    case foreground
    /// Running without being on the screen.
    case background
    /// In memory, running nothing.
    case suspended
}

/// What is enrolled for Face ID or Touch ID.
public enum Biometry: Sendable, Hashable {
    /// No face or finger is enrolled.
    case none
    /// Faces or fingers, known by the identity of their set: every edit of the enrolment makes another set.
    case enrolled(set: Int)

    /// What a person does in the settings of Face ID or Touch ID.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        /// The first one is enrolled.
        case enrolled
        /// Another face or finger: the set's identity changes.
        case changed
        /// All are removed.
        case removed
    }

    /// The identity of the enrolled set.
    public var set: Int? {
        switch self {
        case .none: nil
        case .enrolled(let set): set
        }
    }
}

extension DeviceState {
    /// Enrols biometry, or edits what is enrolled: from now on the set is another one than ever before on this device.
    public mutating func editBiometry() {
        biometryEdits += 1
        biometry = .enrolled(set: biometryEdits)
    }

    /// Removes all faces and fingers. Items bound to the set are invalid for good.
    public mutating func removeBiometry() {
        biometry = .none
    }
}
