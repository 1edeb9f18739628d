import Foundation

extension Serializer {
    /// JSON with sorted keys. Top-level strings, numbers, Booleans and null are allowed.
    public static var json: Serializer {
        Serializer(
            name: SerializerName.json,
            encode: { try Coders.json.encode($0) },
            decode: { try PlainJSON.value(in: $0) ?? Coders.fromJSON.decode(Value.self, from: $0) }
        )
    }

    /// A binary property list: an array that holds the value alone, since a property list's top level must be a container.
    public static var plist: Serializer {
        Serializer(
            name: SerializerName.plist,
            encode: { try Coders.plist.encode([$0]) },
            decode: { data in
                let values = try Coders.fromPlist.decode([Value].self, from: data)
                guard values.count == 1, let value = values.first else {
                    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not one value"))
                }
                return value
            }
        )
    }

    /// One's own encoding, under the name that audits show.
    public static func custom(
        name: String, encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) -> Serializer {
        Serializer(name: name, encode: encode, decode: decode)
    }

    /// One's own encoding, named `custom`.
    public static func custom(
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) -> Serializer {
        Serializer(name: SerializerName.custom, encode: encode, decode: decode)
    }
}

extension Serializer where Value == Data {
    /// The bytes as they are.
    public static var data: Serializer {
        Serializer(name: SerializerName.data, encode: { $0 }, decode: { $0 })
    }
}

/// The names of the serializers that LocalData brings.
enum SerializerName {
    static let json = "json"
    static let plist = "plist"
    static let data = "data"
    static let custom = "custom"
}

/// Foundation's coders, made once. They are `Sendable`, and nothing changes them after this.
private enum Coders {
    static let json: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    static let fromJSON = JSONDecoder()
    static let plist: PropertyListEncoder = {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return encoder
    }()
    static let fromPlist = PropertyListDecoder()
}
