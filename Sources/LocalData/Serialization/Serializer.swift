import Foundation

/// Turns the values of a key into bytes and back, under a name that audits show.
public struct Serializer<Value: Codable & Sendable>: Sendable {
    /// Such as `json`, `plist`, `data`, or the name given to a custom one.
    public let name: String
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value

    init(name: String, encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value) {
        self.name = name
        self.encode = encode
        self.decode = decode
    }

    /// The bytes of `value`.
    /// - Throws: ``StorageError/Code/encodingFailed``, with the type and the coding path, never the value.
    public func data(for value: Value) throws -> Data {
        do {
            return try encode(value)
        } catch {
            throw StorageError(.encodingFailed, facts: ["\(Value.self) as \(name)"] + CodingFacts.of(error))
        }
    }

    /// The value of bytes that ``data(for:)`` made.
    /// - Throws: ``StorageError/Code/wrongType``, with the type and the coding path, never the bytes.
    public func value(from data: Data) throws -> Value {
        do {
            return try decode(data)
        } catch {
            throw StorageError(.wrongType, facts: ["\(Value.self) from \(name)"] + CodingFacts.of(error))
        }
    }
}

/// What an error of a coder tells without telling a value.
private enum CodingFacts {
    static func of(_ error: any Error) -> [String] {
        switch error {
        case EncodingError.invalidValue(_, let context): path(context.codingPath)
        case DecodingError.typeMismatch(let type, let context): ["expected \(type)"] + path(context.codingPath)
        case DecodingError.valueNotFound(let type, let context): ["no \(type)"] + path(context.codingPath)
        case DecodingError.keyNotFound(let key, let context): ["no entry '\(key.stringValue)'"] + path(context.codingPath)
        case DecodingError.dataCorrupted(let context): path(context.codingPath)
        default: []
        }
    }

    private static func path(_ keys: [any CodingKey]) -> [String] {
        keys.isEmpty ? [] : ["at \(keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))"]
    }
}
