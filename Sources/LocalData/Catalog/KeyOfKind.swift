/// A key of a kind whose names are made at run time, made of what the catalog lists for the kind and of a name alone: so that what lies under the name can travel
/// before code of the app has made the key itself.
///
/// All but the name is the kind's. So its migration names no source that there is: with a migration a key of a kind can tell what it has, and take nothing.
struct KeyOfKind<Kind: StorageKey>: StorageKey {
    typealias Value = Kind.Value

    let name: String
    private let kind: Kind

    init(_ kind: Kind, name: String) {
        self.name = name
        self.kind = kind
    }

    var domain: StorageDomain { kind.domain }
    var security: SecurityPolicy { kind.security }
    var formerSecurity: [SecurityPolicy] { kind.formerSecurity }
    var serializer: Serializer<Value> { kind.serializer }
    var owner: String { kind.owner }
    var description: String { kind.description }
    var availability: PlatformAvailability { kind.availability }
    var syncPolicy: SyncPolicy { kind.syncPolicy }
    var migration: AnyStorageMigration? { kind.migration }
    var accessGroup: String? { kind.accessGroup }
    var missingKeyPolicy: MissingKeyPolicy { kind.missingKeyPolicy }
    var schemaVersion: Int { kind.schemaVersion }
}

extension KeyOfKind: WatchRepresentable where Kind: WatchRepresentable {
    func watchRepresentation(of value: Value) throws -> Value { try kind.watchRepresentation(of: value) }
}

extension KeyOfKind: MadeOfKind {}

extension StorageKey {
    /// A key of this one's kind, with another name.
    func named(_ name: String) -> any StorageKey { KeyOfKind(self, name: name) }
}

/// The key that a description was made of. No part of what the description says: descriptions that say the same are equal.
struct DescribedInstance: Sendable, Hashable {
    var key: AnyStorageKey?

    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
