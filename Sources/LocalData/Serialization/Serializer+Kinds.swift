import Foundation

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
    ///   - decode: Makes the value of such bytes. May throw any error; of it only the type is reported.
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
