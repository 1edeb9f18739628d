import Foundation

/// A key as a catalog lists it, and as the declaration that is used under its name is compared with it. A class: every operation looks one up.
final class RegisteredDeclaration: Sendable {
    let descriptor: StorageKeyDescriptor
    /// `nil` where the catalog only describes the key, in words.
    let key: (any StorageKey)?

    init(_ entry: CatalogRegistry.Entry) {
        descriptor = entry.descriptor
        key = entry.key?.base
    }

    /// Whether values of the type are what the catalog lists, as far as it says.
    func holds(_ type: Any.Type) -> Bool { key.map { $0.valueType == type } ?? true }

    /// Where the value would lie under the name; `nil` where the declaration cannot work.
    func place(of name: String, in environment: StorageEnvironment) -> String? {
        Self.place(of: name, in: descriptor.domain, descriptor.security, environment)
    }

    /// What is different in a declaration that is used under the key's name: one text for each, empty where none is. Owner and description are for readers, and
    /// count for nothing. What a description says of type, serializer and migration is in words.
    ///
    /// The key's declaration is asked now, like the other one: what it says may depend on when. It is code of the app's, so no lock is held.
    func differences(from used: some StorageKey, in environment: StorageEnvironment) -> [String] {
        // Nearly always it is the very key. What is asked at every operation is not read twice over.
        if let key, Self.areSame(key, used) { return [] }
        var found = Differences()
        if let key {
            if key.valueType != used.valueType {
                let types = TypeNames.distinct(key.valueType, used.valueType)
                found.add("values of the type \(types.0)", "values of the type \(types.1)")
            }
            let serializer = key.serializerName
            if serializer != used.serializer.name { found.add("the serializer \(serializer)", used.serializer.name) }
            found.compare("the form", key.schemaVersion, used.schemaVersion) { "\($0)" }
            // Under a name that is made at run time the sources' names are made too.
            if !descriptor.isPlaceholder { compareMigrations(key.migration, used.migration, &found) }
            compare(
                key.domain, key.security, key.formerSecurity, key.availability, key.syncPolicy, key.missingKeyPolicy, key.accessGroup, used,
                &found,
                environment)
        } else {
            compare(
                descriptor.domain, descriptor.security, descriptor.formerSecurity, descriptor.availability, descriptor.syncPolicy,
                descriptor.missingKeyPolicy, descriptor.accessGroup, used, &found, environment)
        }
        return found.texts
    }

    private func compare(
        _ domain: StorageDomain, _ security: SecurityPolicy, _ former: [SecurityPolicy], _ availability: PlatformAvailability,
        _ sync: SyncPolicy, _ missingKey: MissingKeyPolicy, _ group: String?, _ used: some StorageKey, _ found: inout Differences,
        _ environment: StorageEnvironment
    ) {
        if !isOnePlace(domain, security, used, environment) {
            let other = used.domain.auditText
            found.add("the place \(domain.auditText)", domain.auditText == other ? "one of another path" : other)
        }
        // A salt may be another one each time: what it sealed is opened all the same.
        if security != used.security { found.compare("the security", security.auditText, used.security.auditText) { $0 } }
        if former != used.formerSecurity {
            found.compare("the former security", former.map(\.auditText), used.formerSecurity.map(\.auditText)) {
                "[\($0.joined(separator: "; "))]"
            }
        }
        found.compare("the availability", availability, used.availability) { $0.rawValue }
        found.compare("the sync policy", sync, used.syncPolicy) { $0.rawValue }
        found.compare("the policy for a missing key", missingKey, used.missingKeyPolicy) { $0.rawValue }
        found.compare("the access group", group, used.accessGroup) { $0 ?? "none" }
    }

    /// Two spellings of one place are one, such as the keychain service that is the app's own. A description of names that are made at run time may say of a
    /// suite, a service or a path too what is made.
    private func isOnePlace(_ domain: StorageDomain, _ security: SecurityPolicy, _ used: some StorageKey, _ environment: StorageEnvironment)
        -> Bool
    {
        let other = used.domain
        if domain == other || descriptor.isPlaceholder && domain.mayBe(other) { return true }
        guard domain.kind == other.kind, let own = Self.place(of: used.name, in: domain, security, environment) else { return false }
        return own == Self.place(of: used.name, in: other, used.security, environment)
    }

    private func compareMigrations(_ listed: AnyStorageMigration?, _ used: AnyStorageMigration?, _ found: inout Differences) {
        switch (listed?.base, used?.base) {
        case (nil, nil): break
        case (_?, nil): found.add("a migration", "none")
        case (nil, _?): found.add("no migration", "one")
        case (let listed?, let used?):
            // One of an app's own kind may answer otherwise the next time.
            guard let planned = listed as? any PlannedMigration, planned.hasFixedSources else { return }
            let sources = (listed.sourceKeys.map(\.base), used.sourceKeys.map(\.base))
            guard !sources.0.elementsEqual(sources.1, by: { $0.name == $1.name && $0.domain == $1.domain }) else { return }
            func text(_ keys: [any StorageKey]) -> String {
                keys.map { "'\($0.name)' in \($0.domain.auditText)" }.joined(separator: " and ")
            }
            found.add("a migration from \(text(sources.0))", "one from \(text(sources.1))")
        }
    }

    /// Whether two keys are of one type and made of the same bytes, so that whatever they declare is the same. Of two that are equal the bytes may differ all the
    /// same, such as those between their parts.
    private static func areSame<Key: StorageKey, Other: StorageKey>(_ key: Key, _ other: Other) -> Bool {
        guard Key.self == Other.self else { return false }
        return withUnsafeBytes(of: key) { own in
            withUnsafeBytes(of: other) { used in
                guard let one = own.baseAddress, let another = used.baseAddress else { return true }
                return memcmp(one, another, own.count) == 0
            }
        }
    }

    private static func place(
        of name: String, in domain: StorageDomain, _ security: SecurityPolicy, _ environment: StorageEnvironment
    ) -> String? {
        (try? StorageLocation(name: name, domain: domain, security: security))?.resolved(in: environment)
    }

    private struct Differences {
        var texts: [String] = []

        mutating func add(_ listed: String, _ used: String) {
            texts.append("it is registered with \(listed), and this declaration has \(used)")
        }

        mutating func compare<Part: Equatable>(_ what: String, _ listed: Part, _ used: Part, _ text: (Part) -> String) {
            if listed != used { add("\(what) \(text(listed))", text(used)) }
        }
    }
}

extension StorageDomain {
    /// Whether a placeholder in the domain's own text may stand for what the other one has there.
    fileprivate func mayBe(_ other: StorageDomain) -> Bool {
        kind == other.kind && KeyNamePattern(fullText)?.matches(other.fullText) == true
    }

    private var fullText: String {
        switch self {
        case .fileSystem(.custom(let url)), .encryptedFileSystem(.custom(let url)), .appGroupFileSystem(_, .custom(let url)): url.path
        default: auditText
        }
    }
}
