import Foundation

/// A keychain of generic passwords, shaped like SecItem: four calls, each with its `OSStatus`.
///
/// The primary key of an item is access group, synchronizable, account and service. Accessibility is not part of it.
/// Calls are synchronous, may wait for a person to authenticate, and may come from any thread.
public protocol KeychainStore: Sendable {
    /// `SecItemAdd`.
    func add(_ item: KeychainItem) -> KeychainStatus
    /// `SecItemCopyMatching`. Items are sorted by service, account.
    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem])
    /// `SecItemUpdate`.
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus
    /// `SecItemDelete`, of all items that match.
    func delete(_ query: KeychainQuery) -> KeychainStatus
    /// The access group that the process shares with no other; `nil` where it is not known, and where items have no group. An item that
    /// names another lies where other processes may use it.
    var ownAccessGroup: String? { get }
}

/// A generic password item.
public struct KeychainItem: Sendable, Hashable {
    /// `kSecAttrService`. Of keys without a service of their own, the app's bundle identifier.
    public var service: String
    /// `kSecAttrAccount`: the key's stored name.
    public var account: String
    /// `kSecAttrAccessGroup`; `nil` for the process's default group.
    public var accessGroup: String?
    /// `kSecAttrSynchronizable`: whether iCloud Keychain takes it to the person's other devices. LocalData stores no such items.
    public var isSynchronizable: Bool
    /// The secret. Empty in results of queries that did not ask for data.
    public var data: Data
    /// `kSecAttrGeneric`: bytes of the app's own, not secret, stored with the item in one step.
    public var generic: Data?
    /// `kSecAttrAccessible`: when the item can be read, and whether it is restored to another device.
    public var accessibility: KeychainAccessibility
    /// What a person must do. The system does not tell: items that a query returns need not carry it.
    public var accessControl: KeychainAccessControl?

    /// An item to be added, or one that a store returns.
    public init(
        service: String, account: String, accessGroup: String? = nil, isSynchronizable: Bool = false, data: Data, generic: Data? = nil,
        accessibility: KeychainAccessibility = .whenUnlocked, accessControl: KeychainAccessControl? = nil
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.isSynchronizable = isSynchronizable
        self.data = data
        self.generic = generic
        self.accessibility = accessibility
        self.accessControl = accessControl
    }
}

/// Which items are meant. `nil` fields match anything.
public struct KeychainQuery: Sendable, Hashable {
    /// `kSecAttrService`.
    public var service: String?
    /// `kSecAttrAccount`.
    public var account: String?
    /// `kSecAttrAccessGroup`. `nil` matches all groups that the process belongs to.
    public var accessGroup: String?
    /// `kSecAttrSynchronizable`: items of the other kind never match.
    public var isSynchronizable: Bool
    /// `kSecAttrAccessible`.
    public var accessibility: KeychainAccessibility?
    /// Whether matches carry their ``KeychainItem/data`` (`kSecReturnData`); without it no authentication is needed
    /// to see attributes, but the class key is (−25308 also for a mere existence query).
    public var returnsData: Bool
    /// All matches or the first (`kSecMatchLimit`).
    public var matchesAll: Bool
    /// Whether a prompt may be shown (`kSecUseAuthenticationContext` with `interactionNotAllowed` unset).
    public var allowsInteraction: Bool

    /// A query for items; by default for the first that matches, with its secret, asking the person where that is needed.
    public init(
        service: String? = nil, account: String? = nil, accessGroup: String? = nil, isSynchronizable: Bool = false,
        accessibility: KeychainAccessibility? = nil, returnsData: Bool = true, matchesAll: Bool = false, allowsInteraction: Bool = true
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.isSynchronizable = isSynchronizable
        self.accessibility = accessibility
        self.returnsData = returnsData
        self.matchesAll = matchesAll
        self.allowsInteraction = allowsInteraction
    }
}

/// What an update changes. `nil` fields stay as they are; so an item keeps its access control when only its accessibility is named.
public struct KeychainChange: Sendable, Hashable {
    /// The new secret (`kSecValueData`).
    public var data: Data?
    /// New bytes beside the secret (`kSecAttrGeneric`).
    public var generic: Data?
    /// The new ``KeychainItem/accessibility``.
    public var accessibility: KeychainAccessibility?
    /// What a person must do from now on.
    public var accessControl: KeychainAccessControl?
    /// Whether access control is taken away, if none is given: from then on the item asks nobody.
    public var removesAccessControl: Bool
    /// Moves the item to another access group (`kSecAttrAccessGroup`), with all else in one step. One of that name in the group makes it fail
    /// (−25299).
    public var accessGroup: String?

    /// A change of the named fields, made by the store in one step.
    public init(
        data: Data? = nil, generic: Data? = nil, accessibility: KeychainAccessibility? = nil, accessControl: KeychainAccessControl? = nil,
        removesAccessControl: Bool = false, accessGroup: String? = nil
    ) {
        self.accessGroup = accessGroup
        self.data = data
        self.generic = generic
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.removesAccessControl = removesAccessControl
    }
}

extension KeychainChange {
    /// The access control of an item that had `current`, after this change.
    public func accessControl(from current: KeychainAccessControl?) -> KeychainAccessControl? {
        accessControl ?? (removesAccessControl ? nil : current)
    }
}

/// An `OSStatus` of the keychain.
public struct KeychainStatus: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `errSecSuccess`
    public static let success = KeychainStatus(rawValue: 0)
    /// `errSecIO`
    public static let inputOutput = KeychainStatus(rawValue: -36)
    /// `errSecUserCanceled`
    public static let userCanceled = KeychainStatus(rawValue: -128)
    /// `errSecDiskFull`
    public static let diskFull = KeychainStatus(rawValue: -34)
    /// `errSecNotAvailable`: the store cannot be opened, or (−25291) is full
    public static let notAvailable = KeychainStatus(rawValue: -25291)
    /// `errSecAuthFailed`
    public static let authFailed = KeychainStatus(rawValue: -25293)
    /// `errSecDuplicateItem`
    public static let duplicateItem = KeychainStatus(rawValue: -25299)
    /// `errSecItemNotFound`
    public static let itemNotFound = KeychainStatus(rawValue: -25300)
    /// `errSecInteractionNotAllowed`
    public static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    /// `errSecDecode`: the stored item cannot be read
    public static let decode = KeychainStatus(rawValue: -26275)
    /// `errSecMissingEntitlement`
    public static let missingEntitlement = KeychainStatus(rawValue: -34018)
}

/// When a keychain item can be read: the seven values of `kSecAttrAccessible`.
public enum KeychainAccessibility: String, Sendable, Hashable, CaseIterable {
    /// While the device is unlocked. The system's default.
    case whenUnlocked
    /// From the first unlock after a restart.
    case afterFirstUnlock
    /// While the device is unlocked; never restored to another device.
    case whenUnlockedThisDeviceOnly
    /// From the first unlock after a restart; never restored to another device.
    case afterFirstUnlockThisDeviceOnly
    /// Always. Deprecated by Apple; the audit warns.
    case always
    /// Always, never restored to another device. Deprecated by Apple; the audit warns.
    case alwaysThisDeviceOnly
    /// While unlocked, on a device with a passcode; removing the passcode destroys the item.
    case whenPasscodeSetThisDeviceOnly
}

/// What a person must do before a keychain item is handed out: the flags of `SecAccessControlCreateFlags`.
public enum KeychainAccessControl: String, Sendable, Hashable, CaseIterable {
    /// Biometry or passcode.
    case userPresence
    /// Any enrolled biometry.
    case biometryAny
    /// The biometry enrolled when the item was stored; editing the enrolment invalidates the item.
    case biometryCurrentSet
    /// The device's passcode.
    case devicePasscode
    /// Any enrolled biometry; where that fails or there is none, the passcode.
    case biometryAnyOrDevicePasscode
    /// The biometry enrolled when the item was stored, or the passcode, which still opens the item after the enrolment was edited.
    case biometryCurrentSetOrDevicePasscode
}
