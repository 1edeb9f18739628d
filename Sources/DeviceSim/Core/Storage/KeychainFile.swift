import Foundation
import LocalData

/// The items of a device's keychain as a real file, `Keychains/keychain.plist`: a property list that ordinary tools and ``FileKeychainStore`` can read.
///
/// The secrets lie in it in the clear: it belongs to a simulated device, not to a real one.
package final class KeychainFile {
    package static let path = "Keychains/keychain.plist"

    package enum Loaded {
        /// Since the last call.
        case unchanged
        case items([SimulatedKeychain.Stored])
        case failed(KeychainStatus)
    }

    private let folder: RealFolder
    /// As last read or written. A file that is not there counts as empty.
    private var bytes = Data()

    package init(folder: RealFolder) {
        self.folder = folder
    }

    package func load() -> Loaded {
        do {
            let found = try folder.read(Self.path) ?? Data()
            if found == bytes { return .unchanged }
            guard !found.isEmpty else {
                // Emptied, not removed: somebody's truncation must not pass for an empty keychain.
                if try folder.kind(of: "/" + Self.path) != nil { return .failed(.decode) }
                bytes = found
                return .items([])
            }
            guard let items = Self.decode(found) else { return .failed(.decode) }
            bytes = found
            return .items(items)
        } catch {
            return .failed(.inputOutput)
        }
    }

    /// - Returns: why it could not be saved; then the file is as it was.
    func save(_ items: [SimulatedKeychain.Stored]) -> KeychainStatus? {
        do {
            let encoded = try PropertyListValue.dictionary(["version": .integer(1), "items": .array(items.map(Self.encode))]).encoded()
            try folder.replace(Self.path, with: encoded)
            bytes = encoded
            return nil
        } catch let error as FileSystemError where error.errno == ENOSPC {
            return .diskFull
        } catch {
            return .inputOutput
        }
    }

    private static func encode(_ stored: SimulatedKeychain.Stored) -> PropertyListValue {
        let item = stored.item
        var fields: [String: PropertyListValue] = [
            "service": .string(item.service), "account": .string(item.account), "synchronizable": .bool(item.isSynchronizable),
            "data": .data(item.data), "accessibility": .string(item.accessibility.rawValue),
        ]
        fields["accessGroup"] = item.accessGroup.map { .string($0) }
        fields["generic"] = item.generic.map { .data($0) }
        fields["accessControl"] = item.accessControl.map { .string($0.rawValue) }
        fields["biometrySet"] = stored.biometrySet.map { .integer(Int64($0)) }
        return .dictionary(fields)
    }

    private static func decode(_ bytes: Data) -> [SimulatedKeychain.Stored]? {
        guard case .dictionary(let file)? = try? PropertyListValue(encoded: bytes), file["version"] == .integer(1),
            case .array(let values)? = file["items"]
        else { return nil }
        var items: [SimulatedKeychain.Stored] = []
        for value in values {
            guard case .dictionary(let fields) = value, let stored = decode(fields) else { return nil }
            items.append(stored)
        }
        return items
    }

    private static func decode(_ fields: [String: PropertyListValue]) -> SimulatedKeychain.Stored? {
        guard case .string(let service)? = fields["service"], case .string(let account)? = fields["account"],
            case .bool(let isSynchronizable)? = fields["synchronizable"], case .data(let data)? = fields["data"],
            case .string(let accessibilityName)? = fields["accessibility"],
            let accessibility = KeychainAccessibility(rawValue: accessibilityName)
        else { return nil }
        var item = KeychainItem(
            service: service, account: account, isSynchronizable: isSynchronizable, data: data, accessibility: accessibility)
        if let value = fields["accessGroup"] {
            guard case .string(let group) = value else { return nil }
            item.accessGroup = group
        }
        if let value = fields["generic"] {
            guard case .data(let generic) = value else { return nil }
            item.generic = generic
        }
        if let value = fields["accessControl"] {
            guard case .string(let name) = value, let control = KeychainAccessControl(rawValue: name) else { return nil }
            item.accessControl = control
        }
        var set: Int?
        if let value = fields["biometrySet"] {
            guard case .integer(let number) = value else { return nil }
            set = Int(number)
        }
        return SimulatedKeychain.Stored(item: item, biometrySet: set)
    }
}
