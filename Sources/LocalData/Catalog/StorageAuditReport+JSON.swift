import Foundation

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
