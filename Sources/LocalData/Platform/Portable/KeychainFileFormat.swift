import Foundation

/// The property list of a ``FileKeychainStore``: a version, and the items as dictionaries.
enum KeychainFileFormat {
    static let version: Int64 = 1

    enum Failure: Error {
        case notAKeychain
        case unknownVersion
        case damagedItem
    }

    /// Written by the encoder and not as a ``PropertyListValue``: outside of Apple's systems that takes fifty times as long, longer than to store the bytes durably.
    static func data(of items: [KeychainItem]) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(StoredFile(version: version, items: items.map(StoredItem.init)))
    }

    private struct StoredFile: Encodable {
        let version: Int64
        let items: [StoredItem]
    }

    private struct StoredItem: Encodable {
        let service, account: String
        let accessGroup: String?
        let synchronizable: Bool
        let data: Data
        let generic: Data?
        let accessibility: String
        let accessControl: String?

        init(_ item: KeychainItem) {
            (service, account, accessGroup) = (item.service, item.account, item.accessGroup)
            (synchronizable, data, generic) = (item.isSynchronizable, item.data, item.generic)
            (accessibility, accessControl) = (item.accessibility.rawValue, item.accessControl?.rawValue)
        }
    }

    /// The items of a file; none where there is no file. Strict: an item with a field that is missing or of another type spoils the file,
    /// because dropping it would lose it at the next change.
    static func items(in data: Data?) throws -> [KeychainItem] {
        guard let data else { return [] }
        guard case .dictionary(let file) = try PropertyListValue(encoded: data), case .integer(let found)? = file["version"] else {
            throw Failure.notAKeychain
        }
        guard found == version else { throw Failure.unknownVersion }
        guard case .array(let values)? = file["items"] else { throw Failure.notAKeychain }
        return try values.map(item)
    }

    private static func item(from value: PropertyListValue) throws -> KeychainItem {
        guard case .dictionary(let fields) = value,
            case .string(let service)? = fields["service"],
            case .string(let account)? = fields["account"],
            case .bool(let isSynchronizable)? = fields["synchronizable"],
            case .data(let data)? = fields["data"],
            case .string(let accessibilityName)? = fields["accessibility"],
            let accessibility = KeychainAccessibility(rawValue: accessibilityName)
        else { throw Failure.damagedItem }
        return KeychainItem(
            service: service, account: account,
            accessGroup: try optional(fields["accessGroup"]) { if case .string(let group) = $0 { group } else { nil } },
            isSynchronizable: isSynchronizable, data: data,
            generic: try optional(fields["generic"]) { if case .data(let data) = $0 { data } else { nil } },
            accessibility: accessibility,
            accessControl: try optional(fields["accessControl"]) {
                if case .string(let name) = $0 { KeychainAccessControl(rawValue: name) } else { nil }
            })
    }

    private static func optional<Field>(_ value: PropertyListValue?, _ convert: (PropertyListValue) -> Field?) throws -> Field? {
        guard let value else { return nil }
        guard let field = convert(value) else { throw Failure.damagedItem }
        return field
    }
}
