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

extension Serializer {
    /// JSON with sorted keys. Top-level strings, numbers, Booleans and `null` are values like any other.
    ///
    /// Dates are seconds since 2001 and data is base64, as `JSONEncoder` has them by default. JSON has no NaN and no infinity: `set` refuses them.
    public static var json: Serializer {
        Serializer(
            name: "json", format: .json,
            encode: { try Coders.jsonEncoder.encode($0) },
            decode: { try PlainJSON.value(in: $0) ?? Coders.jsonDecoder.decode(Value.self, from: $0) }
        )
    }

    /// A binary property list. A value that is not a container, which a property list file cannot hold alone, is wrapped in one.
    ///
    /// Foundation writes `nil` as the string `$null`, so that very string is refused where it could not be told apart.
    public static var plist: Serializer {
        Serializer(
            name: "plist", format: .propertyList, encode: { try WrappedPropertyList.encode($0) },
            decode: { try WrappedPropertyList.decode($0) })
    }

    /// Bytes of the app's own making.
    /// - Parameters:
    ///   - name: Shown by audits, such as `protobuf`.
    ///   - encode: Must give bytes that `decode` turns into an equal value, in this and every later version of the app.
    ///   - decode: Makes the value of such bytes. May throw any error; of it only the type is reported, unless it is a ``StorageError``.
    public static func custom(
        name: String, encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) -> Serializer {
        Serializer(name: name, encode: encode, decode: decode)
    }

    /// Bytes of the app's own making, with the name last.
    public static func custom(
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value, name: String = "custom"
    ) -> Serializer {
        Serializer(name: name, encode: encode, decode: decode)
    }
}

extension Serializer where Value == Data {
    /// The bytes themselves.
    public static var data: Serializer {
        Serializer(name: "data", format: .opaque, encode: { $0 }, decode: { $0 })
    }
}

/// Shared: making a coder costs more than coding a small value. They are never reconfigured, and coding with them is thread-safe.
enum Coders {
    static let jsonEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    static let jsonDecoder = JSONDecoder()
    static let plistEncoder = {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return encoder
    }()
    static let plistDecoder = PropertyListDecoder()
}

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

/// Property lists of any value. What cannot be the outermost value is put into a dictionary with one reserved key.
///
/// A value that looks like such a dictionary itself is wrapped as well, so that what is unwrapped is always what was wrapped.
enum WrappedPropertyList {
    static let key = "com.localdata.value"
    private static let mark = Data(key.utf8)
    private static let null = Data("$null".utf8)

    private struct Wrapper<Value: Codable>: Codable {
        var value: Value

        enum CodingKeys: String, CodingKey {
            case value = "com.localdata.value"
        }
    }

    static func encode<Value: Codable>(_ value: Value) throws -> Data {
        let bare = try? Coders.plistEncoder.encode(value)
        let data: Data
        if let bare, bare.range(of: mark) == nil {
            data = bare
        } else {
            data = try Coders.plistEncoder.encode(Wrapper(value: value))
        }
        // The string "$null" reads as nil, and where no nil can be it does not read at all.
        if data.range(of: null) != nil {
            let _: Value = try decode(data)
            if hasNullText(value) {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "the text \"$null\" would read as nil from a property list"))
            }
        }
        return data
    }

    /// Whether a text of the value is `$null`, and no `nil`: JSON tells the two apart.
    private static func hasNullText(_ value: some Encodable) -> Bool {
        guard let json = try? Coders.jsonEncoder.encode(value) else { return false }
        let text = Data("\"$null\"".utf8)
        var rest = json[...]
        while let found = rest.range(of: text) {
            let isWithin = found.lowerBound > json.startIndex && json[found.lowerBound - 1] == UInt8(ascii: "\\")
            let isName = found.upperBound < json.endIndex && json[found.upperBound] == UInt8(ascii: ":")
            if !isWithin, !isName { return true }
            rest = json[found.upperBound...]
        }
        return false
    }

    static func decode<Value: Codable>(_ data: Data) throws -> Value {
        try PropertyListInspection.check(data)
        if data.range(of: mark) != nil, let wrapper = try? Coders.plistDecoder.decode(Wrapper<Value>.self, from: data) {
            return wrapper.value
        }
        return try Coders.plistDecoder.decode(Value.self, from: data)
    }
}
