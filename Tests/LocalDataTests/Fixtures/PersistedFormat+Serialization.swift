import Foundation

@testable import LocalData

extension PersistedFormat {
    static let serialized: [PersistedFormat] = [
        form("text.json", "h\u{e9}llo \"x\"", String.self, .json),
        form("text.plist", "h\u{e9}llo", String.self, .plist),
        form("numbers.json", [1, -2, Int.max], [Int].self, .json),
        form("date.json", Date(timeIntervalSinceReferenceDate: 700_000_000.5), Date.self, .json),
        form("dictionary.plist", ["a": 1.5], [String: Double].self, .plist),
        form("bytes.data", Data([0, 1, 254, 255]), Data.self, .data),
        form("any.json", mixed, AnyCodable.self, .json),
        form("any.plist", plistMixed, AnyCodable.self, .plist),
    ]

    private static let mixed: AnyCodable = [
        "null": .null, "true": .bool(true), "integer": .integer(.min), "unsigned": .unsigned(.max), "double": .double(0.1),
        "text": .string("t"), "date": .date(Date(timeIntervalSinceReferenceDate: 1.25)), "data": .data(Data([1, 2])),
        "list": .array([.integer(1), .bool(false), .double(1)]),
    ]

    private static let plistMixed: AnyCodable = [
        "true": .bool(true), "integer": .integer(.min), "double": .double(0.1), "text": .string("t"),
        "date": .date(Date(timeIntervalSinceReferenceDate: 1.25)), "data": .data(Data([1, 2])), "list": .array([.integer(1)]),
    ]

    private static func form<Value: Codable & Sendable & Equatable>(
        _ name: String, _ value: Value, _ type: Value.Type, _ serializer: Serializer<Value>
    ) -> PersistedFormat {
        PersistedFormat(file: "serialized-\(name)", meaning: "equal") {
            try serializer.data(for: value)
        } read: { fixture in
            try serializer.value(from: fixture) == value ? "equal" : "other"
        }
    }
}
