/// Everything there is to know about one piece of persisted data: where it is stored, how it is secured and
/// serialized, who owns it, which device it belongs to and whether it syncs.
///
/// Declare keys in an extension of ``StorageKeys`` and pass them to ``StorageRouter``.
public protocol StorageKey: Sendable {
    /// The type of the values. What is stored is a contract: a change that old bytes do not decode as needs a ``migration`` or another
    /// ``schemaVersion``.
    associatedtype Value: Codable & Sendable

    /// The stored name, unique among the keys of all catalogs that are registered, wherever they lie. It is a contract with the data on disk.
    var name: String { get }
    /// Where the value is stored: preferences, the keychain, a file, or what an App Group shares.
    ///
    /// Domain and name together are the value's place, and a contract with the data on disk: to change either, declare a new key and give it a
    /// ``migration`` from the old one. A domain that does not go with the ``security``, such as preferences with `.keychain` security, is refused:
    /// registering a catalog throws ``StorageError/Code/invalidCatalog``, an operation ``StorageError/Code/invalidKey``.
    var domain: StorageDomain { get }
    /// How the stored bytes are secured. Defaults to ``SecurityPolicy/recommended``.
    var security: SecurityPolicy { get }
    /// Policies that earlier versions of the app declared for this key, and what they stored may still lie there. Defaults to none.
    ///
    /// A value is read if it was stored under ``security`` or under one of these: sealed by the same source of key material (the app's master keys, or
    /// the ``KeyMaterialSource`` named), or plain where one of them is ``SecurityPolicy/none`` or ``SecurityPolicy/keychain(accessibility:accessControl:)``.
    /// The next write, and ``StorageRouter/resealValues()``, store it as ``security`` says. Anything else is
    /// ``StorageError/Code/undeclaredPolicy`` and stays as it is. Cipher, derivation, accessibility and access control may change without
    /// being listed here.
    ///
    /// A former policy is a promise that is not kept yet: as long as `none` is listed, who can write at the place can give it a value. Take it out
    /// when no installation has such values any more.
    var formerSecurity: [SecurityPolicy] { get }
    /// Turns values into bytes and back. Defaults to ``Serializer/json``.
    var serializer: Serializer<Value> { get }
    /// The module or team that answers for this data. Shown by the audit; a catalog refuses a key without one.
    var owner: String { get }
    /// What the data is for, in words. Shown by the audit; a catalog refuses a key without one.
    var description: String { get }
    /// The devices this data exists on. Defaults to ``PlatformAvailability/all``.
    var availability: PlatformAvailability { get }
    /// Whether the value travels to the counterpart. Defaults to ``SyncPolicy/never``.
    var syncPolicy: SyncPolicy { get }
    /// Where the value may still lie from an earlier version of the app. Defaults to `nil`.
    var migration: AnyStorageMigration? { get }
    /// The keychain access group that shares the value with other processes of the same developer, such as a widget; `nil`, the default, shares nothing.
    ///
    /// The master keys that seal the value lie in the group, and so does the item of a key of ``StorageDomain/keychain(service:)``, which needs a
    /// service that all of them call by one name. Of a value in an App Group, it is what lets the others open it. Key material of a provider
    /// (``KeyMaterialProviding``) is in no group: each process supplies it.
    ///
    /// The app and its extensions declare the same group. On iOS and watchOS the name of an App Group is one, without a further entitlement (Apple: "Sharing access
    /// to keychain items among a collection of apps"); a process that lacks the entitlement gets ``StorageError/Code/accessDenied``.
    /// What was stored before the group was declared stays readable: the app hands the master key that opens it on to the group when it starts, and
    /// moves an item there, in one step, when it reads or writes it; one under access control when it writes it or seals values anew. An item does not
    /// come back when the group is taken out of the declaration: it is found where it is.
    var accessGroup: String? { get }
    /// What becomes of the sealed value if its master key did not come along. Defaults to ``MissingKeyPolicy/report``.
    var missingKeyPolicy: MissingKeyPolicy { get }
    /// The version of the form that values are stored in, counted from 1, which is the default. Raise it when older versions of the app must neither read
    /// nor replace what this one stores: they get ``StorageError/Code/superseded``, on this device and on the counterpart, which keeps what it is sent until its app is updated. What
    /// earlier versions stored is still read, by this key's serializer. What the counterpart's earlier version sends comes by the key's
    /// ``migration``, where that has a source of the same name, and else by the serializer too.
    var schemaVersion: Int { get }
}

extension StorageKey {
    public var security: SecurityPolicy { .recommended }
    public var formerSecurity: [SecurityPolicy] { [] }
    public var serializer: Serializer<Value> { .json }
    public var description: String { "" }
    public var availability: PlatformAvailability { .all }
    public var syncPolicy: SyncPolicy { .never }
    public var migration: AnyStorageMigration? { nil }
    public var accessGroup: String? { nil }
    public var missingKeyPolicy: MissingKeyPolicy { .report }
    public var schemaVersion: Int { 1 }
}

extension StorageKey {
    var valueType: Any.Type { Value.self }
}

/// A storage key without its static type, as catalogs list them.
public struct AnyStorageKey: Sendable {
    /// The key itself. Open it with a generic function.
    public let base: any StorageKey

    /// Wraps a key. See ``key(_:)`` for lists.
    public init(_ key: some StorageKey) {
        base = key
    }

    /// The spelling for lists: `[.key(StorageKeys.ThemeKey()), …]`.
    public static func key(_ key: some StorageKey) -> AnyStorageKey {
        AnyStorageKey(key)
    }

    /// The stored name: ``StorageKey/name``.
    public var name: String { base.name }
    /// Where the value is stored: ``StorageKey/domain``.
    public var domain: StorageDomain { base.domain }
    /// How the stored bytes are secured: ``StorageKey/security``.
    public var security: SecurityPolicy { base.security }
    /// What earlier versions of the app declared: ``StorageKey/formerSecurity``.
    public var formerSecurity: [SecurityPolicy] { base.formerSecurity }
    /// Who answers for the data: ``StorageKey/owner``.
    public var owner: String { base.owner }
    /// What the data is for: ``StorageKey/description``.
    public var description: String { base.description }
    /// The devices that the data exists on: ``StorageKey/availability``.
    public var availability: PlatformAvailability { base.availability }
    /// Whether the value travels to the counterpart, as declared: ``StorageKey/syncPolicy``.
    public var syncPolicy: SyncPolicy { base.syncPolicy }
    /// Where the value may still lie from an earlier version of the app: ``StorageKey/migration``.
    public var migration: AnyStorageMigration? { base.migration }
    /// The keychain access group that shares the value: ``StorageKey/accessGroup``.
    public var accessGroup: String? { base.accessGroup }
    /// What becomes of a sealed value whose master key is gone: ``StorageKey/missingKeyPolicy``.
    public var missingKeyPolicy: MissingKeyPolicy { base.missingKeyPolicy }
    /// The version of the form that values are stored in: ``StorageKey/schemaVersion``.
    public var schemaVersion: Int { base.schemaVersion }
}

/// The namespace that apps extend with their keys, after the pattern of `Notification.Name`.
///
/// ```swift
/// extension StorageKeys {
///     struct ThemeKey: StorageKey { … }
/// }
/// ```
public enum StorageKeys {}

/// A key name with parts in angle brackets, each of which stands for any text of at least one character.
struct KeyNamePattern: Sendable, Hashable {
    /// The literal parts between the placeholders; empty ones at the ends where a placeholder begins or ends the name.
    private let literals: [Substring]

    /// `nil` for a name without placeholders.
    init?(_ name: String) {
        guard name.utf8.contains(UInt8(ascii: "<")) else { return nil }
        var literals: [Substring] = []
        var rest = name[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">"), rest.index(after: open) < close {
            literals.append(rest[..<open])
            rest = rest[rest.index(after: close)...]
        }
        guard !literals.isEmpty else { return nil }
        self.literals = literals + [rest]
    }

    /// How much of a name the pattern says.
    var literalByteCount: Int { literals.reduce(0) { $0 + $1.utf8.count } }

    func matches(_ name: String) -> Bool {
        guard let first = literals.first, let last = literals.last, name.hasPrefix(first), name.hasSuffix(last) else { return false }
        var rest = name.dropFirst(first.count)
        // The shortest match of each inner part leaves the most for the ones after it.
        for literal in literals.dropFirst().dropLast() {
            guard let found = rest.dropFirst().firstRange(of: literal) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }
}
