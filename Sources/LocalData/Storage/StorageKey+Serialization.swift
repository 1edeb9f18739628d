import Foundation

/// A key's serializer, with errors that name the key.
extension StorageKey {
    /// - Parameter width: ``DeviceDescribing/integerBitWidth`` of this device.
    func encoded(_ value: Value, width: Int) throws -> Data {
        do {
            guard !IntegerRange.isExceeded(by: value, width: width) else { throw Self.beyondInt(width) }
            return try serializer.data(for: value)
        } catch let error as StorageError {
            throw error.at(key: name, domain: domain.kind)
        }
    }

    /// - Parameter width: ``DeviceDescribing/integerBitWidth`` of this device.
    /// - Throws: ``StorageError/Code/wrongType``, and ``StorageError/Code/outOfRange`` where it is an `Int` of this device that is too small.
    func decoded(_ plain: Data, width: Int) throws -> Value {
        do {
            do {
                let value = try serializer.value(from: plain)
                guard !IntegerRange.isExceeded(by: value, width: width) else { throw Self.beyondInt(width) }
                return value
            } catch let error as StorageError where error.code == .wrongType {
                guard IntegerRange.isExceeded(in: plain, format: serializer.format, width: width) else { throw error }
                throw Self.beyondInt(width)
            }
        } catch let error as StorageError {
            throw error.at(key: name, domain: domain.kind)
        }
    }

    private static func beyondInt(_ width: Int) -> StorageError {
        StorageError(.outOfRange, facts: ["\(Value.self): a whole number of more than \(width) bits"])
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

    /// Whether both read as the same value. Preferences keep some values in a form of their own, such as bytes, which the serializer writes otherwise.
    func readsSame(_ found: Data, _ written: Data, width: Int) -> Bool {
        if isSame(found, written) { return true }
        guard let value = try? decoded(found, width: width), let again = try? encoded(value, width: width) else { return false }
        return isSame(again, written)
    }
}

extension StorageKey {
    var serializerName: String { serializer.name }
}
