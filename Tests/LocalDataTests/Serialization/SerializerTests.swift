import Foundation
import Testing

@testable import LocalData

@Suite struct SerializerTests {
    struct Profile: Codable, Sendable, Equatable {
        var name: String
        var age: Int?
        var tags: [String: Double]
    }

    enum Theme: String, Codable, Sendable { case dark, light }

    private static func comesBack<Value: Codable & Sendable & Equatable>(_ value: Value) throws {
        for serializer in [Serializer<Value>.json, .plist] {
            let bytes = try serializer.encode(value)
            #expect(try serializer.decode(bytes) == value, "\(serializer.name)")
        }
    }

    @Test func valuesThatAreNoContainersComeBack() throws {
        try Self.comesBack("dark")
        try Self.comesBack("")
        try Self.comesBack(5)
        try Self.comesBack(-1)
        try Self.comesBack(UInt64.max)
        try Self.comesBack(0.1)
        try Self.comesBack(true)
        try Self.comesBack(false)
        try Self.comesBack(Theme.dark)
        try Self.comesBack(Date(timeIntervalSinceReferenceDate: 0.25))
        try Self.comesBack(Data([0, 255]))
        try Self.comesBack(String?.none)
        try Self.comesBack(String?.some("x"))
    }

    @Test func containersComeBack() throws {
        try Self.comesBack(Profile(name: "é\u{0}\"\\/", age: nil, tags: ["a": 1.5, "b": 2]))
        try Self.comesBack([Profile]())
        try Self.comesBack([1, 2, 3])
        try Self.comesBack(["x": [true, false]])
    }

    /// What an app's value looks like must not decide whether it is unwrapped.
    @Test func whatLooksWrappedComesBackToo() throws {
        let key = WrappedPropertyList.key
        try Self.comesBack([key: "x"])
        try Self.comesBack([key: [key: "x"]])
        try Self.comesBack(key)
        try Self.comesBack(AnyCodable([key: 5]))
        try Self.comesBack(AnyCodable([key: [key: nil]]))
    }

    @Test func jsonIsCanonical() throws {
        let bytes = try Serializer<[String: Int]>.json.encode(["b": 1, "a": 2, "c": 3])
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":2,"b":1,"c":3}"#)
        #expect(try Serializer<String?>.json.encode(nil) == Data("null".utf8))
    }

    /// Foundation writes nil as this string: better refused than stored and not read.
    @Test func theStringThatPropertyListsReadAsNilIsRefused() throws {
        #expect(throws: (any Error).self) { try Serializer<String>.plist.encode("$null") }
        #expect(throws: (any Error).self) { try Serializer<[String]>.plist.encode(["a", "$null"]) }
        // Where nil can be, it would be one.
        #expect(throws: (any Error).self) { try Serializer<[String?]>.plist.encode(["a", "$null"]) }
        #expect(throws: (any Error).self) { try Serializer<String?>.plist.encode("$null") }
        for values in [["a", nil], ["a\"$null", nil], ["$nulls", "x$null"]] as [[String?]] {
            let data = try Serializer<[String?]>.plist.encode(values)
            #expect(try Serializer<[String?]>.plist.decode(data) == values)
        }
        #expect(throws: Never.self) { try Serializer<[String?]>.plist.encode([nil, "a"]) }
    }

    @Test func dataIsItself() throws {
        #expect(try Serializer<Data>.data.encode(Data([1, 2])) == Data([1, 2]))
        #expect(try Serializer<Data>.data.decode(Data()) == Data())
    }

    @Test func everySerializerHasAName() {
        #expect(Serializer<Int>.json.name == "json")
        #expect(Serializer<Int>.plist.name == "plist")
        #expect(Serializer<Data>.data.name == "data")
        let named = Serializer<Int>.custom(name: "decimal", encode: { Data("\($0)".utf8) }, decode: { _ in 1 })
        #expect(named.name == "decimal")
        #expect(Serializer<Int>.custom(encode: { _ in Data() }, decode: { _ in 1 }).name == "custom")
        #expect(Serializer<Int>.custom(encode: { _ in Data() }, decode: { _ in 1 }, name: "last").name == "last")
    }

    @Test func errorsNameTheKeyAndNeverTheValue() async {
        let router = TestDevice().router()
        let key = ValueKey("height", of: Double.self)
        let refused = await storageError { try await router.set(.nan, for: key) }
        #expect(refused?.code == .encodingFailed)
        #expect(refused?.key == "height")
        #expect(refused?.domain == "userDefaults")
        #expect(refused?.operation == "set")

        let device = TestDevice()
        device.defaults.put(.dictionary(["secretKey": .string("secretValue"), "age": .string("secretAge")]), forKey: "profile")
        let wrong = await storageError { _ = try await device.router().get(ValueKey("profile", of: Profile.self)) }
        #expect(wrong?.code == .wrongType)
        #expect(wrong?.operation == "get")
        #expect("\(wrong.map(\.description) ?? "secret")".contains("secret") == false)
    }
}
