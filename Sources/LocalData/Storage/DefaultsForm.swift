import Foundation

/// Between serialized bytes and what preferences hold.
///
/// A value of the JSON or property-list serializer without encryption is stored as a native property list value, so that other code and
/// ordinary tools can read it. That is done only where the way back gives the same bytes; everything else is stored as data. Property-list
/// data stands for serialized bytes with every serializer but `plist`, which has data of its own.
enum DefaultsForm {
    static func form(of plain: Data, serializer: String) -> StoredForm {
        switch serializer {
        case SerializerName.json:
            if let value = JSONValue.native(plain), JSONValue.bytes(of: value) == plain { return .propertyList(value) }
        case SerializerName.plist:
            if let value = try? soleElement(of: plain) { return .propertyList(value) }
        default: break
        }
        return .propertyList(.data(plain))
    }

    /// The serialized bytes of what preferences hold, also where other code put it there.
    static func plain(of value: PropertyListValue, serializer: String) throws -> Data {
        switch (serializer, value) {
        case (SerializerName.plist, _): return try PropertyListValue.array([value]).encoded()
        case (_, .data(let data)): return data
        case (SerializerName.json, _):
            guard let bytes = JSONValue.bytes(of: value) else {
                throw StorageError(.wrongType, facts: ["preferences hold a value that JSON cannot say"])
            }
            return bytes
        default:
            throw StorageError(.wrongType, facts: ["preferences hold a value that the serializer '\(serializer)' did not write"])
        }
    }

    private static func soleElement(of plain: Data) throws -> PropertyListValue? {
        guard case .array(let values) = try PropertyListValue(encoded: plain), values.count == 1 else { return nil }
        return values.first
    }
}

/// Between JSON and property list values. Quick for the scalars that settings mostly are.
private enum JSONValue {
    static func native(_ json: Data) -> PropertyListValue? {
        scalar(json) ?? (try? JSONSerialization.jsonObject(with: json, options: [.fragmentsAllowed])).flatMap { PropertyListValue(propertyList: $0) }
    }

    static func bytes(of value: PropertyListValue) -> Data? {
        switch value {
        case .bool(let bool): return Data((bool ? "true" : "false").utf8)
        case .integer(let integer): return Data(String(integer).utf8)
        case .string(let text) where isPlain(text.utf8): return Data("\"\(text)\"".utf8)
        default:
            let object = value.propertyList
            guard JSONSerialization.isValidJSONObject([object]) else { return nil }
            return try? JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
        }
    }

    private static func scalar(_ json: Data) -> PropertyListValue? {
        guard let first = json.first else { return nil }
        switch first {
        case UInt8(ascii: "\"") where json.count >= 2:
            let inner = json.dropFirst().dropLast()
            return isPlain(inner) ? String(bytes: inner, encoding: .utf8).map(PropertyListValue.string) : nil
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return first == UInt8(ascii: "t") ? .bool(true) : .bool(false)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return Int64(String(decoding: json, as: UTF8.self)).map(PropertyListValue.integer)
        default: return nil
        }
    }

    /// Whether JSON writes these characters as they are.
    private static func isPlain(_ characters: some Sequence<UInt8>) -> Bool {
        characters.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
