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
}
