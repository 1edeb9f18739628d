import Foundation

/// Turns the values of a key into bytes and back, under a name that audits show.
///
/// The bytes are a contract with what is stored: changing a key's serializer needs a migration. Serializers may be used from any thread.
public struct Serializer<Value: Codable & Sendable>: Sendable {
    /// Such as `json`, `plist`, `data`, or the name given to a custom one.
    public let name: String
    /// Which bytes come out, as far as the storage can make something of them.
    let format: SerializedFormat
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value

    init(
        name: String, format: SerializedFormat = .opaque, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.name = name
        self.format = format
        self.encode = encode
        self.decode = decode
    }

    /// The bytes of `value`.
    /// - Throws: ``StorageError/Code/encodingFailed``, with the type, never the value.
    public func data(for value: Value) throws -> Data {
        do {
            return try encode(value)
        } catch {
            throw StorageError(.encodingFailed, facts: Self.facts(of: error))
        }
    }

    /// The value of bytes that ``data(for:)`` made.
    /// - Throws: ``StorageError/Code/wrongType``, with the types, never the bytes.
    public func value(from data: Data) throws -> Value {
        do {
            return try decode(data)
        } catch {
            throw StorageError(.wrongType, facts: Self.facts(of: error))
        }
    }

    /// Descriptions and coding paths are left out: they quote the value, and names of dictionary entries.
    private static func facts(of error: any Error) -> [String] {
        let type = String(describing: Value.self)
        switch error {
        case DecodingError.typeMismatch(let expected, _): return ["\(type): expected \(expected)"]
        case DecodingError.valueNotFound(let expected, _): return ["\(type): expected \(expected), found null"]
        case DecodingError.keyNotFound(let key, _): return ["\(type): '\(key.stringValue)' is missing"]
        case DecodingError.dataCorrupted: return ["\(type): the data is malformed"]
        case EncodingError.invalidValue: return ["\(type): a value that the serializer cannot represent"]
        case let error as StorageError: return error.facts
        default: return ["\(type): \(Swift.type(of: error))"]
        }
    }
}
