import Foundation

/// A key's serializer, with errors that name the key.
extension StorageKey {
    func encoded(_ value: Value) throws -> Data {
        do {
            return try serializer.data(for: value)
        } catch let error as StorageError {
            throw error.at(key: name, domain: domain.kind)
        }
    }

    func decoded(_ plain: Data) throws -> Value {
        do {
            return try serializer.value(from: plain)
        } catch let error as StorageError {
            throw error.at(key: name, domain: domain.kind)
        }
    }

    /// The property list value that stands for serialized bytes in preferences.
    func native(_ plain: Data) -> PropertyListValue {
        serializer.format.native(plain, isData: Value.self == Data.self)
    }

    /// The property list value that stands for serialized bytes of a form that this key does not know.
    func opaque(_ plain: Data) -> PropertyListValue {
        // Bytes that stand for serialized ones are told from data by the type of the key alone.
        serializer.format == .propertyList && Value.self == Data.self ? native(plain) : .data(plain)
    }

    /// The serialized bytes that a property list value stands for.
    func serialized(_ native: PropertyListValue) throws -> Data {
        try serializer.format.serialized(native, isData: Value.self == Data.self)
    }

    func isSame(_ first: Data, _ second: Data) -> Bool {
        serializer.format.isSame(first, second)
    }
}
