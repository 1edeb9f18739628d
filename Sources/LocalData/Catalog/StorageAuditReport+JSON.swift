import Foundation

extension StorageAuditReport {
    static let formatVersion = 1

    /// The report for programs: JSON with sorted keys. The same declarations give the same bytes.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            version: Self.formatVersion, catalogs: catalogs, keys: items.map(Document.Key.init), orphans: orphans)
        // Strings, numbers and lists of them always encode.
        guard let data = try? encoder.encode(document) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private struct Document: Encodable {
        var version: Int
        var catalogs: [String]
        var keys: [Key]
        var orphans: [String]?

        struct Key: Encodable {
            var availability: String
            var catalog: String
            var description: String
            var domain: String
            var leaves: String
            var legacyCopies: [String]?
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
                catalog = item.catalog
                description = item.key.description
                domain = item.key.domain.kind
                leaves = item.key.travelText
                legacyCopies = item.presence == nil ? nil : item.legacyCopies
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
                case .unreadable(let code):
                    state = "unreadable"
                    error = code.rawValue
                case .notApplicable: state = "notApplicable"
                }
            }
        }
    }
}
