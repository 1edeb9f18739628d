import DeviceSimCore
import LocalData

extension ScenarioKey {
    /// The key's line and block as a scenario file writes them; `nil` for a key of a catalog.
    public var notation: String? {
        guard let declaration else { return nil }
        let lines = declaration.attributes(of: identifier).map { "    " + $0 }
        return (["key \(identifier): \(type)"] + lines).joined(separator: "\n")
    }
}

extension KeyDeclaration {
    /// The lines of the block: what differs from the defaults.
    fileprivate func attributes(of identifier: String) -> [String] {
        let plain = KeyDeclaration(name: identifier)
        var lines: [String] = []
        if name != plain.name { lines.append("name \(ScenarioValue.quoted(name))") }
        if domain != plain.domain { lines.append("domain \(domain.notation)") }
        if security != plain.security { lines.append("security \(security.notation)") }
        lines += formerSecurity.map { "formerly \($0.formerNotation)" }
        if serializer != plain.serializer { lines.append("serializer \(serializer.notation)") }
        if owner != plain.owner { lines.append("owner \(ScenarioValue.quoted(owner))") }
        if description != plain.description { lines.append("description \(ScenarioValue.quoted(description))") }
        if availability != plain.availability { lines.append("availability \(availability.rawValue)") }
        if syncPolicy != plain.syncPolicy { lines.append("sync \(syncPolicy.rawValue)") }
        if let accessGroup { lines.append("access group \(ScenarioValue.quoted(accessGroup))") }
        if let watchForm { lines.append("watch form first \(watchForm.length)") }
        if missingKeyPolicy != plain.missingKeyPolicy { lines.append("missing key \(missingKeyPolicy == .discard ? "discard" : "report")") }
        if catalog != plain.catalog { lines.append(catalog.map { "catalog \($0)" } ?? "unregistered") }
        if let placeholder { lines.append("listed as \(ScenarioValue.quoted(placeholder))") }
        if let since { lines.append("since \(since)") }
        if let until { lines.append("until \(until)") }
        if schemaVersion != plain.schemaVersion { lines.append("schema \(schemaVersion)") }
        if let migrationSource { lines.append("migrates from \(migrationSource.notation)") }
        if let migrationCondition { lines.append("migrates when \(migrationCondition.notation)") }
        return lines
    }
}

extension StorageDomain {
    fileprivate var notation: String {
        switch self {
        case .userDefaults(let suite): "userDefaults" + (suite.map { " suite \(ScenarioValue.quoted($0))" } ?? "")
        case .appGroupUserDefaults(let group): "appGroupUserDefaults \(ScenarioValue.quoted(group))"
        case .keychain(let service): "keychain" + (service.map { " service \(ScenarioValue.quoted($0))" } ?? "")
        case .fileSystem(let directory): "fileSystem \(directory.notation)"
        case .encryptedFileSystem(let directory): "encryptedFileSystem \(directory.notation)"
        case .appGroupFileSystem(let group, let directory): "appGroupFileSystem \(ScenarioValue.quoted(group)) \(directory.notation)"
        }
    }
}

extension FileDirectory {
    fileprivate var notation: String {
        switch self {
        case .documents: "documents"
        case .caches: "caches"
        case .custom(let url): "custom \(ScenarioValue.quoted(url.path))"
        }
    }
}

extension SecurityPolicy {
    /// Only what seals, which is all that matters of a former policy.
    fileprivate var formerNotation: String {
        switch self {
        case .none, .keychain: "none"
        case .encrypted(.aes256), .encrypted(.chacha20Poly1305): "recommended"
        case .encrypted(.external(let source, _)): "encrypted external \(ScenarioValue.quoted(source.id))"
        }
    }

    fileprivate var notation: String {
        switch self {
        case .none: "none"
        case .recommended: "recommended"
        case .keychain(let accessibility, let control): "keychain \(accessibility.rawValue)" + (control.map { " \($0.rawValue)" } ?? "")
        case .encrypted(.aes256(let derivation)): "encrypted aes256 \(derivation.notation)"
        case .encrypted(.chacha20Poly1305(let derivation)): "encrypted chacha20Poly1305 \(derivation.notation)"
        case .encrypted(.external(let source, let derivation)):
            "encrypted external \(ScenarioValue.quoted(source.id)) \(derivation.notation)"
        }
    }
}

extension SecurityPolicy.KeyDerivation {
    fileprivate var notation: String {
        switch self {
        case .hkdf(let salt, let info):
            "hkdf" + (salt.map { " salt \(ScenarioValue.data($0).notation)" } ?? "")
                + (info.map { " info \(ScenarioValue.data($0).notation)" } ?? "")
        case .pbkdf2(let iterations, let salt):
            "pbkdf2" + (iterations.map { " iterations \($0)" } ?? "") + (salt.map { " salt \(ScenarioValue.data($0).notation)" } ?? "")
        }
    }
}

extension KeyDeclaration.SerializerKind {
    fileprivate var notation: String {
        switch self {
        case .json: "json"
        case .plist: "plist"
        case .data: "data"
        case .custom(let name): "custom \(ScenarioValue.quoted(name))"
        }
    }
}

extension MigrationDeclaration.Condition {
    fileprivate var notation: String {
        switch self {
        case .fromVersion(let version): "version at least \(version)"
        case .belowVersion(let version): "version below \(version)"
        case .device(let device): "device \(device)"
        }
    }
}

extension MigrationDeclaration.Source {
    fileprivate var notation: String {
        switch self {
        case .key(let key): key.identifier
        case .transformed(let key, let transformation): "\(key.identifier) by \(transformation.rawValue)"
        case .combined(let keys, let combination, let missing):
            keys.map(\.identifier).joined(separator: " and ") + " by \(combination.rawValue)" + (missing == .awaited ? " awaiting all" : "")
        case .place(let name, .userDefaults(let suite)):
            "userDefaults" + (suite.map { " suite \(ScenarioValue.quoted($0))" } ?? "") + " name \(ScenarioValue.quoted(name))"
        case .place(let name, let domain): "\(domain.kind) name \(ScenarioValue.quoted(name))"
        }
    }
}
