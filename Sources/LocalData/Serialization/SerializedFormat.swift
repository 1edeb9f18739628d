import Foundation

/// What a serializer's bytes are, for places that can hold the value itself.
///
/// Preferences hold property list values. Serialized JSON and property lists are stored there as the values they stand for, so that
/// `defaults read`, settings bundles and the app's older code see strings, numbers and dictionaries. The mapping loses nothing: whatever would
/// not come back exactly, such as `null` or a number that no 64-bit number holds, is stored as the serialized bytes.
enum SerializedFormat: Sendable, Hashable {
    case json
    case propertyList
    case opaque

    /// The property list value that stands for serialized bytes.
    /// - Parameter isData: Whether the key's values are `Data`.
    func native(_ serialized: Data, isData: Bool) -> PropertyListValue {
        switch self {
        case .json: PropertyListValue(json: serialized) ?? .data(serialized)
        case .propertyList: native(propertyList: serialized, isData: isData)
        case .opaque: .data(serialized)
        }
    }

    /// The serialized bytes that `native` stands for: those that were stored, or other ones that decode as the same value.
    ///
    /// Values that were not stored by LocalData have their bytes too, so an app's older preferences can be read and migrated.
    /// - Throws: ``StorageError/Code/wrongType`` for a value that the format cannot have written.
    func serialized(_ native: PropertyListValue, isData: Bool) throws -> Data {
        switch (self, native) {
        case (.json, .data(let bytes)), (.opaque, .data(let bytes)): return bytes
        case (.json, _):
            guard let text = native.json else { throw StorageError(.wrongType, facts: ["a \(native.kind) that JSON does not have"]) }
            return text
        case (.propertyList, .data(let bytes)) where !isData: return bytes
        case (.propertyList, _):
            do {
                return try (native.isContainer ? native : .dictionary([WrappedPropertyList.key: native])).encoded()
            } catch {
                throw StorageError(.wrongType, facts: ["a \(native.kind) that is not a property list"])
            }
        case (.opaque, _):
            throw StorageError(.wrongType, facts: ["a \(native.kind) where there should be data"])
        }
    }

    /// Whether two runs of serialized bytes stand for the same value, although they may differ in the order of keys.
    func isSame(_ first: Data, _ second: Data) -> Bool {
        if first == second { return true }
        switch self {
        case .opaque: return false
        case .json:
            guard let value = PropertyListValue(json: first) else { return false }
            return value == PropertyListValue(json: second)
        case .propertyList:
            guard let value = try? PropertyListValue(encoded: first) else { return false }
            return value == (try? PropertyListValue(encoded: second))
        }
    }

    private func native(propertyList serialized: Data, isData: Bool) -> PropertyListValue {
        guard let value = try? PropertyListValue(encoded: serialized) else { return .data(serialized) }
        let native =
            if case .dictionary(let members) = value, members.count == 1, let inner = members[WrappedPropertyList.key], !inner.isContainer {
                inner
            } else {
                value
            }
        // Data that stands for itself and data that stands for serialized bytes are told apart by the type of the key alone.
        if case .data = native, !isData { return .data(serialized) }
        return native
    }
}

extension PropertyListValue {
    var isContainer: Bool {
        switch self {
        case .array, .dictionary: true
        default: false
        }
    }

    /// The name of the type, for errors.
    var kind: String {
        switch self {
        case .string: "string"
        case .bool: "Boolean"
        case .integer, .unsigned: "integer"
        case .real: "number"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dictionary"
        }
    }
}
