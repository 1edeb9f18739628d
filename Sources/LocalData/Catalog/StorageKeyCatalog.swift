/// A list of an app's or module's keys, for registration, discovery and audits.
///
/// List the keys themselves in the instance property, to register and migrate them, or descriptors in the static one, to audit
/// them without instances; either may be left out.
public protocol StorageKeyCatalog: Sendable {
    /// The keys, for ``StorageRouter/registerCatalog(_:migrateImmediately:)``.
    var allKeys: [AnyStorageKey] { get }
    /// Descriptions of the keys, for `StorageAuditReport.renderText(for:)`.
    static var allKeys: [StorageKeyDescriptor] { get }
    /// Names the catalog in reports. Defaults to the type's name.
    var name: String { get }
}

extension StorageKeyCatalog {
    public var allKeys: [AnyStorageKey] { [] }
    public static var allKeys: [StorageKeyDescriptor] { [] }
    public var name: String { String(describing: Self.self) }
}
