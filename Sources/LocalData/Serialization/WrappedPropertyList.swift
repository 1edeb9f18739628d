import Foundation

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
        if data.range(of: null) != nil { let _: Value = try decode(data) }
        return data
    }

    static func decode<Value: Codable>(_ data: Data) throws -> Value {
        try PropertyListInspection.check(data)
        if data.range(of: mark) != nil, let wrapper = try? Coders.plistDecoder.decode(Wrapper<Value>.self, from: data) {
            return wrapper.value
        }
        return try Coders.plistDecoder.decode(Value.self, from: data)
    }
}
