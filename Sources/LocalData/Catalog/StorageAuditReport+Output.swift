import Foundation

extension StorageAuditReport {
    /// The report for people. The same declarations give the same text.
    public var text: String {
        let count = warnings.count
        var lines = [
            "Storage audit: \(catalogs.isEmpty ? "no catalogs" : catalogs.joined(separator: ", "))",
            "\(Self.counted(items.count, "key")), \(Self.counted(count, "warning"))",
        ]
        for item in items {
            lines.append("")
            lines.append(item.key.name)
            for (label, value) in item.rows(showsCatalog: catalogs.count > 1) { lines.append("    \(Self.padded(label))\(value)") }
        }
        if let findings {
            lines.append("")
            if findings.isEmpty { lines.append("Nothing without a key was found.") }
            // They are sorted by kind.
            for (index, finding) in findings.enumerated() {
                if index == 0 || findings[index - 1].kind != finding.kind { lines.append("\(finding.kind.heading):") }
                lines.append("    \(finding.auditText)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

    private static func padded(_ label: String) -> String {
        label + String(repeating: " ", count: max(1, 14 - label.count))
    }
}

extension StorageAuditReport.Item {
    /// The key with the sync policy in force.
    var keyInForce: StorageKeyDescriptor {
        var key = key
        if let chosenSyncPolicy { key.syncPolicy = chosenSyncPolicy }
        if mayHaveChosenSyncPolicy { key.syncPolicy = .never }
        return key
    }

    var leavesText: String {
        syncPolicyProblem.map { "no, as long as the policies chosen at run time cannot be read (\($0.rawValue))" } ?? keyInForce.travelText
    }

    private var syncText: String {
        if mayHaveChosenSyncPolicy {
            return "never, as long as the policies chosen at run time cannot be read; declared is \(key.syncPolicy.rawValue)"
        }
        return chosenSyncPolicy.map { "\($0.rawValue), chosen at run time; declared is \(key.syncPolicy.rawValue)" }
            ?? key.syncPolicy.rawValue
    }

    fileprivate func rows(showsCatalog: Bool) -> [(String, String)] {
        var rows: [(String, String)] = []
        if showsCatalog { rows.append(("catalog", catalog)) }
        rows += [
            ("description", key.description.isEmpty ? "missing" : key.description),
            ("owner", key.owner.isEmpty ? "missing" : key.owner),
            ("value", key.valueType),
            ("serializer", key.serializer),
            ("stored in", key.domain.auditText),
            ("security", key.security.auditText),
            ("devices", key.availability.rawValue),
            ("sync", syncText),
            ("leaves", leavesText),
            ("backup", key.backupText),
        ]
        rows += key.formerSecurity.map { ("formerly", $0.auditText) }
        if key.missingKeyPolicy != .report { rows.append(("missing key", key.missingKeyPolicy.rawValue)) }
        if let group = key.accessGroup { rows.append(("access group", group)) }
        if key.hasMigration { rows.append(("migration", "yes")) }
        if let notes = key.notes { rows.append(("notes", notes)) }
        if let presence { rows.append(("on device", presence.auditText)) }
        if !differences.isEmpty { rows.append(("differs in", differences.map(\.rawValue).joined(separator: ", "))) }
        rows += legacyCopies.map { ("legacy copy", $0.auditText) }
        return rows + warnings.map { ("warning", $0) }
    }
}

extension StorageFinding {
    var auditText: String {
        [place, name, byteCount.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "", error?.rawValue ?? ""].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}

extension StorageFinding.Kind {
    fileprivate var heading: String {
        switch self {
        case .orphanedValue: "Sealed values without a key"
        case .strandedValue: "Values of keys that this device does not have"
        case .orphanedRecord: "Sync records without a key"
        case .orphanedPolicy: "Sync policies without a key"
        case .orphanedMark: "Migration marks without a key"
        case .orphanedKey: "Master keys that seal nothing here"
        case .unknown: "LocalData's own, and not known to this version"
        case .leftover: "Left by writes that did not end; removed at the next use"
        case .damaged: "Damaged"
        case .unreadable: "Not to be looked into for now"
        case .abandoned: "In places of which no key is left, perhaps values of keys that are gone"
        case .unclaimed: "Beside registered values, perhaps the app's own"
        }
    }
}

extension LegacyCopy {
    var auditText: String {
        switch state {
        case .residual: "\(name), \(place), left over"
        case .waiting: "\(name), \(place), to be brought over"
        case .unreadable(let code): "\(name), \(place), unreadable: \(code.rawValue)"
        }
    }
}

extension StorageKeyDescriptor {
    /// In which form the value goes into backups.
    var backupText: String {
        let form = if case .encrypted = security { "sealed" } else { "as serialized" }
        switch domain {
        case .keychain:
            let accessibility = security.keychainAttributes.accessibility
            if accessibility == .whenPasscodeSetThisDeviceOnly { return "never" }
            return accessibility.isThisDeviceOnly
                ? "\(form), restored to this device only" : "\(form), to other devices from encrypted backups on a computer"
        case .fileSystem(.caches), .encryptedFileSystem(.caches), .appGroupFileSystem(_, .caches): return "never"
        case .fileSystem(.custom), .encryptedFileSystem(.custom), .appGroupFileSystem(_, .custom): return "\(form), if the directory is"
        case .userDefaults, .appGroupUserDefaults, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: return form
        }
    }

    /// In which form values leave the device.
    var travelText: String {
        guard travels else { return "never" }
        return security == .none
            ? "as serialized, to the paired device"
            : "as serialized, opened, to the paired device, which secures it by its own policy"
    }
}

extension StoragePresence {
    var auditText: String {
        switch self {
        case .missing: "missing"
        case .present(let byteCount?): "present, \(byteCount) bytes"
        case .present(nil): "present"
        case .damaged(let code): "damaged: \(code.rawValue)"
        case .unreadable(let code): "unreadable: \(code.rawValue)"
        case .notApplicable: "not applicable"
        }
    }
}

extension StorageDomain {
    package var auditText: String {
        switch self {
        case .userDefaults(let suite): suite.map { "userDefaults, suite \($0)" } ?? kind
        case .appGroupUserDefaults(let identifier): "\(kind), group \(identifier)"
        case .keychain(let service): service.map { "keychain, service \($0)" } ?? "keychain, service of the app"
        case .fileSystem(let directory): "\(kind), \(directory.auditText)"
        case .encryptedFileSystem(let directory): "\(kind), \(directory.auditText), complete protection"
        case .appGroupFileSystem(let identifier, let directory): "\(kind), group \(identifier), \(directory.auditText)"
        }
    }
}

extension FileDirectory {
    /// Of a custom directory the last part of the path only: the rest differs from device to device.
    fileprivate var auditText: String {
        if case .custom(let url) = self { "\(kind) \(url.lastPathComponent)" } else { kind }
    }
}

extension SecurityPolicy {
    var auditText: String {
        switch self {
        case .none: "none"
        case .keychain(let accessibility, let control):
            "keychain, \(accessibility.rawValue)" + (control.map { ", \($0.rawValue)" } ?? "")
        case .encrypted(.aes256(let derivation)): "AES-256-GCM, \(derivation.auditText)"
        case .encrypted(.chacha20Poly1305(let derivation)): "ChaCha20-Poly1305, \(derivation.auditText)"
        case .encrypted(.external(let source, let derivation)):
            "ChaCha20-Poly1305, key material of \(source.id), \(derivation.auditText)"
        }
    }
}

extension SecurityPolicy.KeyDerivation {
    /// Names the derivation. A salt or info given in the declaration is not shown.
    fileprivate var auditText: String {
        switch self {
        case .pbkdf2(let iterations, _): "PBKDF2-SHA256 with \(iterations ?? Self.defaultPBKDF2Iterations) iterations"
        case .hkdf: "HKDF-SHA256"
        }
    }
}

extension StorageAuditReport {
    /// Of ``json``. 2 since findings have kinds.
    public static let formatVersion = 2

    /// The report for programs, such as a CI job that compares it: JSON with sorted keys, no values, no absolute paths. The same declarations, and the
    /// same things on the device, give the same bytes.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            version: Self.formatVersion, catalogs: catalogs, keys: items.map(Document.Key.init),
            findings: findings?.map(Document.ExpectationResult.init))
        // Strings, numbers and lists of them always encode.
        guard let data = try? encoder.encode(document) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private struct Document: Encodable {
        var version: Int
        var catalogs: [String]
        var keys: [Key]
        var findings: [ExpectationResult]?

        struct Key: Encodable {
            var availability: String
            var backup: String
            var catalog: String
            /// The sync policy chosen at run time, where one is.
            var chosenSync: String?
            var description: String
            /// What sealing anew would change, where anything.
            var differences: [String]?
            var domain: String
            var formerSecurity: [String]?
            var leaves: String
            var legacyCopies: [Copy]?
            var migration: Bool
            /// Where it is not the default.
            var missingKey: String?
            var name: String
            var notes: String?
            var owner: String
            var presence: Presence?
            var security: String
            var serializer: String
            var storedIn: String
            var sync: String
            var valueType: String
            var warnings: [String]

            init(_ item: Item) {
                availability = item.key.availability.rawValue
                backup = item.key.backupText
                catalog = item.catalog
                chosenSync = item.chosenSyncPolicy?.rawValue
                description = item.key.description
                differences = item.differences.isEmpty ? nil : item.differences.map(\.rawValue)
                domain = item.key.domain.kind
                formerSecurity = item.key.formerSecurity.isEmpty ? nil : item.key.formerSecurity.map(\.auditText)
                leaves = item.leavesText
                legacyCopies = item.presence == nil ? nil : item.legacyCopies.map(Copy.init)
                migration = item.key.hasMigration
                missingKey = item.key.missingKeyPolicy == .report ? nil : item.key.missingKeyPolicy.rawValue
                name = item.key.name
                notes = item.key.notes
                owner = item.key.owner
                presence = item.presence.map(Presence.init)
                security = item.key.security.auditText
                serializer = item.key.serializer
                storedIn = item.key.domain.auditText
                sync = item.key.syncPolicy.rawValue
                valueType = item.key.valueType
                warnings = item.warnings
            }
        }

        struct Copy: Encodable {
            var error: String?
            var name: String
            var place: String
            var state: String

            init(_ copy: LegacyCopy) {
                name = copy.name
                place = copy.place
                switch copy.state {
                case .residual: state = "residual"
                case .waiting: state = "waiting"
                case .unreadable(let code): (state, error) = ("unreadable", code.rawValue)
                }
            }
        }

        struct ExpectationResult: Encodable {
            var byteCount: Int?
            var error: String?
            var kind: String
            var name: String
            var place: String

            init(_ finding: StorageFinding) {
                byteCount = finding.byteCount
                error = finding.error?.rawValue
                kind = finding.kind.rawValue
                name = finding.name
                place = finding.place
            }
        }

        struct Presence: Encodable {
            var state: String
            var byteCount: Int?
            var error: String?

            init(_ presence: StoragePresence) {
                switch presence {
                case .missing: state = "missing"
                case .present(let count):
                    state = "present"
                    byteCount = count
                case .damaged(let code): (state, error) = ("damaged", code.rawValue)
                case .unreadable(let code): (state, error) = ("unreadable", code.rawValue)
                case .notApplicable: state = "notApplicable"
                }
            }
        }
    }
}
