import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct PayloadTests {
    /// A value of an app, and what it is taken for.
    struct Accepted: @unchecked Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: Any
        let expected: PropertyListValue

        init(_ name: String, _ value: Any, _ expected: PropertyListValue) {
            testDescription = name
            self.value = value
            self.expected = expected
        }
    }

    @Test(
        "W102 what is a property list",
        arguments: [
            Accepted("String", "x", .string("x")),
            Accepted("Substring", "xyz".prefix(1), .string("x")),
            Accepted("NSString", NSString("x"), .string("x")),
            Accepted("NSMutableString", NSMutableString(string: "x"), .string("x")),
            Accepted("true", true, .bool(true)),
            Accepted("false", false, .bool(false)),
            Accepted("NSNumber true", NSNumber(value: true), .bool(true)),
            Accepted("NSNumber 1", NSNumber(value: 1), .integer(1)),
            Accepted("NSNumber Int8", NSNumber(value: Int8(1)), .integer(1)),
            Accepted("NSNumber 1.0", NSNumber(value: 1.0), .real(1)),
            Accepted("NSNumber of UInt64.max", NSNumber(value: UInt64.max), .unsigned(.max)),
            Accepted("NSNumber of UInt64", NSNumber(value: UInt64(5)), .integer(5)),
            Accepted("NSDecimalNumber", NSDecimalNumber(string: "1.5"), .real(1.5)),
            Accepted("Int", 1, .integer(1)),
            Accepted("Int.min", Int.min, .integer(.min)),
            Accepted("Int8", Int8(-1), .integer(-1)),
            Accepted("UInt8", UInt8(255), .integer(255)),
            Accepted("UInt", UInt.max, .unsigned(.max)),
            Accepted("UInt64", UInt64(7), .integer(7)),
            Accepted("Double", 1.0, .real(1)),
            Accepted("Float", Float(1.5), .real(1.5)),
            Accepted("CGFloat", CGFloat(1.5), .real(1.5)),
            Accepted("Decimal", Decimal(string: "1.5") ?? 0, .real(1.5)),
            Accepted("Date", Date(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1))),
            Accepted("NSDate", NSDate(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1))),
            Accepted("Data", Data([1]), .data(Data([1]))),
            Accepted("NSMutableData", NSMutableData(data: Data([1])), .data(Data([1]))),
            Accepted("Optional.some", Int?.some(1) as Any, .integer(1)),
            Accepted("Optional.some twice", Int??.some(.some(1)) as Any, .integer(1)),
            Accepted("[Int]", [1, 2], .array([.integer(1), .integer(2)])),
            Accepted("[Any]", [1, "x"] as [Any], .array([.integer(1), .string("x")])),
            Accepted("[Int?] without nil", [1, 2] as [Int?], .array([.integer(1), .integer(2)])),
            Accepted("NSMutableArray", NSMutableArray(array: [1]), .array([.integer(1)])),
            Accepted("[String: Int]", ["a": 1], .dictionary(["a": .integer(1)])),
            Accepted("[AnyHashable: Any]", ["a": 1] as [AnyHashable: Any], .dictionary(["a": .integer(1)])),
            Accepted("[Substring: Int]", ["a"[...]: 1], .dictionary(["a": .integer(1)])),
            Accepted("[NSString: Int]", [NSString("a"): 1], .dictionary(["a": .integer(1)])),
            Accepted("NSMutableDictionary", NSMutableDictionary(dictionary: ["a": 1]), .dictionary(["a": .integer(1)])),
            Accepted("nested", ["a": [["b": true]]], .dictionary(["a": .array([.dictionary(["b": .bool(true)])])])),
            Accepted("an empty [Int: Int] says nothing of its keys", [Int: Int](), .dictionary([:])),
        ])
    func accepted(_ example: Accepted) throws {
        let payload = try Payload(["k": example.value], limit: 1_000)
        #expect(payload.values == ["k": example.expected])
    }

    struct Refused: @unchecked Sendable, CustomTestStringConvertible {
        let keyPath: String
        let found: String
        let value: Any

        init(_ keyPath: String, _ found: String, _ value: Any) {
            self.keyPath = keyPath
            self.found = found
            self.value = value
        }

        var testDescription: String { "\(found) at \(keyPath)" }
    }

    struct Custom {}
    enum Choice: String { case one }
    final class Reference {}

    @Test(
        "W102 what is none, and where",
        arguments: [
            Refused("k", "NSNull", NSNull()),
            Refused("k", "nil", Int?.none as Any),
            Refused("k", "nil", Int??.some(.none) as Any),
            Refused("k", "URL", URL(fileURLWithPath: "/x")),
            Refused("k", "UUID", UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            Refused("k", "Set<Int>", Set([1])),
            Refused("k", "ArraySlice<Int>", [1, 2].prefix(1)),
            Refused("k", "Character", Character("x")),
            Refused("k", "Custom", Custom()),
            Refused("k", "Choice", Choice.one),
            Refused("k", "Reference", Reference()),
            Refused("k", "NSObject", NSObject()),
            Refused("k", "NSSet", NSSet(array: [1])),
            Refused("k", "a dictionary with a key of type Int", [1: "x"]),
            Refused("k", "a dictionary with a key of type Int", [AnyHashable(1): "x"]),
            Refused("k.a", "NSNull", ["a": NSNull()]),
            Refused("k[1]", "nil", [1, nil] as [Int?]),
            Refused("k.tags[2].name", "NSNull", ["tags": [1, 2, ["name": NSNull()]] as [Any]]),
            Refused("k[0].deep", "URL", NSArray(array: [["deep": URL(fileURLWithPath: "/x")]])),
        ])
    func refused(_ example: Refused) {
        #expect(throws: PayloadProblem.unsupported(keyPath: example.keyPath, found: example.found)) {
            try Payload(["k": example.value], limit: 1_000)
        }
    }

    @Test("W102 of several wrong values the first in the order of keys is named, in every process")
    func firstProblem() {
        let wrong = Dictionary(uniqueKeysWithValues: (10..<40).map { ("k\($0)", NSNull() as Any) })
        #expect(throws: PayloadProblem.unsupported(keyPath: "k10", found: "NSNull")) { try Payload(wrong, limit: 1_000) }
    }

    @Test("W102 a payload nested without an end is refused, not followed")
    func depth() throws {
        func nested(_ levels: Int) -> Any { (1..<levels).reduce([] as [Any]) { inner, _ in [inner] } }
        _ = try Payload(["k": nested(PayloadReading.maximumDepth)], limit: 1_000)
        #expect(throws: PayloadProblem.self) { try Payload(["k": nested(PayloadReading.maximumDepth + 1)], limit: 1_000) }
        #expect(throws: PayloadProblem.self) { try Payload(["k": nested(10_000)], limit: 1_000_000) }
    }

    @Test("W103 types are checked before the size")
    func typesFirst() {
        #expect(throws: PayloadProblem.unsupported(keyPath: "z", found: "NSNull")) {
            try Payload(["a": Data(count: 10_000), "z": NSNull()], limit: 100)
        }
    }

    @Test(
        "W100 W101 one key of data fits 65,481 bytes within 65,536 and 262,081 within 262,144",
        arguments: [
            (65_536, 65_481), (262_144, 262_081),
        ])
    func limits(limit: Int, fitting: Int) throws {
        #expect(try Payload(["k": Data(count: fitting)], limit: limit).byteCount == limit)
        #expect(throws: PayloadProblem.tooLarge(byteCount: limit + 1, limit: limit)) {
            try Payload(["k": Data(count: fitting + 1)], limit: limit)
        }
        #expect(try Payload(Data(count: limit), limit: limit).byteCount == limit)
        #expect(throws: PayloadProblem.tooLarge(byteCount: limit + 1, limit: limit)) { try Payload(Data(count: limit + 1), limit: limit) }
    }

    @Test("W101 the error says the size and the limit, W102 it names the place")
    func errors() {
        let large = PayloadProblem.tooLarge(byteCount: 12, limit: 10).error
        #expect(large.code == .payloadTooLarge)
        #expect(large.localizedDescription.contains("12 bytes") && large.localizedDescription.contains("10"))
        let wrong = PayloadProblem.unsupported(keyPath: "a.b", found: "URL").error
        #expect(wrong.code == .payloadUnsupportedTypes)
        #expect(wrong.localizedDescription.contains("'a.b' is URL"))
    }

    @Test func numbersComeOutAsTheyDoOfARealPropertyList() throws {
        let original: [String: Any] = ["i": 1, "d": 1.5, "b": true, "u": UInt64.max, "s": "x", "n": ["i": 2], "a": [1, 2]]
        let received = try Payload(original, limit: 1_000).dictionary
        let data = try PropertyListSerialization.data(fromPropertyList: original, format: .binary, options: 0)
        let real = try #require(try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any])
        for values in [received, real] {
            #expect(values["i"] as? Int == 1)
            #expect(values["i"] as? Double == 1)
            #expect(values["d"] as? Double == 1.5)
            #expect(values["d"] as? Int == nil)
            #expect(values["b"] as? Bool == true)
            #expect((values["u"] as? NSNumber)?.uint64Value == .max)
            #expect(values["s"] as? String == "x")
            #expect((values["n"] as? [String: Any])?["i"] as? Int == 2)
            #expect(values["a"] as? [Int] == [1, 2])
        }
        #if !canImport(ObjectiveC)
            #expect(received["b"] as? Int == nil && real["b"] as? Int == nil)
        #endif
    }

    @Test func whatTheAppChangesLaterDoesNotTravel() throws {
        let data = NSMutableData(data: Data([1, 2, 3]))
        let array = NSMutableArray(array: [1])
        let payload = try Payload(["data": data, "array": array], limit: 1_000)
        data.resetBytes(in: NSRange(location: 0, length: 3))
        array.add(2)
        #expect(payload.values == ["data": .data(Data([1, 2, 3])), "array": .array([.integer(1)])])
    }
}
