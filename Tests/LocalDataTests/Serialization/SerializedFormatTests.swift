import Foundation
import Testing

@testable import LocalData

/// Which values lie in preferences as themselves, and that all of them come back.
@Suite struct SerializedFormatTests {
    private static func stored<Value: Codable & Sendable & Equatable>(
        _ value: Value, _ serializer: Serializer<Value> = .json
    ) async throws -> PropertyListValue? {
        let device = TestDevice()
        let key = ValueKey("value", of: Value.self, serializer: serializer)
        try await device.router().set(value, for: key)
        #expect(try await device.router().get(key) == value)
        return device.defaults.peek("value")
    }

    @Test func jsonValuesLieInPreferencesAsThemselves() async throws {
        #expect(try await Self.stored("dark") == .string("dark"))
        #expect(try await Self.stored("\u{1}\"\\/é\u{1F600}\n") == .string("\u{1}\"\\/é\u{1F600}\n"))
        #expect(try await Self.stored(5) == .integer(5))
        #expect(try await Self.stored(UInt64.max) == .unsigned(.max))
        #expect(try await Self.stored(0.1) == .real(0.1))
        #expect(try await Self.stored(Float(0.1)) == .real(0.1))
        #expect(try await Self.stored(1e-7) == .real(1e-7))
        #expect(try await Self.stored(true) == .bool(true))
        #expect(try await Self.stored([1, 2]) == .array([.integer(1), .integer(2)]))
        #expect(try await Self.stored(["a": ["b": false]]) == .dictionary(["a": .dictionary(["b": .bool(false)])]))
        #expect(try await Self.stored([String]()) == .array([]))
        #expect(try await Self.stored([String: Int]()) == .dictionary([:]))
    }

    @Test func propertyListValuesLieInPreferencesAsThemselves() async throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        #expect(try await Self.stored("dark", .plist) == .string("dark"))
        #expect(try await Self.stored(1.0, .plist) == .real(1))
        #expect(try await Self.stored(date, .plist) == .date(date))
        #expect(try await Self.stored(Data([1]), .plist) == .data(Data([1])))
        #expect(try await Self.stored([date], .plist) == .array([.date(date)]))
        #expect(try await Self.stored(["a": 1], .plist) == .dictionary(["a": .integer(1)]))
        #expect(try await Self.stored(Data([1]), .data) == .data(Data([1])))
    }

    @Test func whatPreferencesCannotHoldLiesThereAsItsBytes() async throws {
        #expect(try await Self.stored(String?.none) == .data(Data("null".utf8)))
        #expect(try await Self.stored(["a": Int?.none]) == .data(Data(#"{"a":null}"#.utf8)))
        let decimal = try #require(Decimal(string: "0.10000000000000000000001"))
        #expect(try await Self.stored(decimal) == .data(Data("0.10000000000000000000001".utf8)))
        let custom = Serializer<Int>.custom(
            name: "text", encode: { Data("\($0)".utf8) }, decode: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })
        #expect(try await Self.stored(7, custom) == .data(Data("7".utf8)))
    }

    /// The value decides, not its looks: a value that is a property list's bytes, and one that encodes as data.
    @Test func dataIsNotTakenForSerializedBytes() async throws {
        struct Blob: Codable, Sendable, Equatable {
            var bytes: Data
            init(_ bytes: Data) { self.bytes = bytes }
            init(from decoder: any Decoder) throws { bytes = try decoder.singleValueContainer().decode(Data.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(bytes)
            }
        }
        let list = try PropertyListValue.array([.integer(1)]).encoded()
        #expect(try await Self.stored(list, .plist) == .data(list))
        _ = try await Self.stored(Blob(list), .plist)
        _ = try await Self.stored(Blob(Data()), .plist)
        _ = try await Self.stored(list, .json)
        _ = try await Self.stored(Data("\"x\"".utf8), .json)
    }

    /// Preferences that an app wrote itself before it had LocalData.
    @Test func olderPreferencesAreRead() async throws {
        let device = TestDevice()
        let router = device.router()
        device.defaults.put(.string("Anna"), forKey: "name")
        device.defaults.put(.real(5), forKey: "ratio")
        device.defaults.put(.date(Date(timeIntervalSinceReferenceDate: 3)), forKey: "since")
        device.defaults.put(.data(Data("\"Berta\"".utf8)), forKey: "serialized")
        #expect(try await router.get(ValueKey("name", of: String.self)) == "Anna")
        #expect(try await router.get(ValueKey("ratio", of: Double.self)) == 5)
        #expect(try await router.get(ValueKey("since", of: Date.self)) == Date(timeIntervalSinceReferenceDate: 3))
        #expect(try await router.get(ValueKey("since", of: Date.self, serializer: .plist)) == Date(timeIntervalSinceReferenceDate: 3))
        #expect(try await router.get(ValueKey("serialized", of: String.self)) == "Berta")
    }

    @Test func anotherTypeIsAnError() async {
        let device = TestDevice()
        let router = device.router()
        device.defaults.put(.integer(1), forKey: "flag")
        device.defaults.put(.string("1"), forKey: "count")
        device.defaults.put(.bool(true), forKey: "blob")
        #expect(await storageError { _ = try await router.get(ValueKey("flag", of: Bool.self)) }?.code == .wrongType)
        #expect(await storageError { _ = try await router.get(ValueKey("count", of: Int.self)) }?.code == .wrongType)
        #expect(await storageError { _ = try await router.get(ValueKey("count", of: Int.self, serializer: .plist)) }?.code == .wrongType)
        #expect(await storageError { _ = try await router.get(ValueKey("blob", of: Data.self, serializer: .data)) }?.code == .wrongType)
    }

    @Test(arguments: [
        #""a"#, #"{"a":1,"a":2}"#, "[1,]", "[1 2]", "{1:2}", "tru", "01", "1E3", "-0", "18446744073709551616", "nan", "null", "",
        " ", "1 2",
        "\"\u{1}\"", #""\ud800""#, #""\ud800\u0041""#, #""\x""#, #""\u12g4""#, "{\"a\":null}", "\"\\",
    ]) func jsonThatWouldNotComeBackIsLeftAlone(_ text: String) {
        #expect(PropertyListValue(json: Data(text.utf8)) == nil)
    }

    @Test func jsonIsReadAsItIs() {
        let text = #" { "a" : [ 1 , -2.5 , "\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\" ] , "b" : { } } "#
        #expect(
            PropertyListValue(json: Data(text.utf8))
                == .dictionary([
                    "a": .array([.integer(1), .real(-2.5), .string("é\u{1F600}/\u{8}\u{C}\n\r\t\"\\")]), "b": .dictionary([:]),
                ]))
        #expect(PropertyListValue(json: Data("\"".utf8) + Data([0xFF]) + Data("\"".utf8)) == nil)
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(PropertyListValue(json: Data(deep.utf8)) == nil)
    }

    @Test func sameValuesAreRecognized() {
        #expect(SerializedFormat.json.isSame(Data(#"{"a":1,"b":2}"#.utf8), Data(#"{"b":2,"a":1}"#.utf8)))
        #expect(!SerializedFormat.json.isSame(Data("1".utf8), Data("\"1\"".utf8)))
        #expect(!SerializedFormat.json.isSame(Data("null".utf8), Data("nul".utf8)))
        #expect(!SerializedFormat.opaque.isSame(Data([1]), Data([2])))
    }
}
