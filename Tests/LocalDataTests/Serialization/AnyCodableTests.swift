import Foundation
import Testing

@testable import LocalData

@Suite struct AnyCodableTests {
    static let values: [AnyCodable] = [
        nil, true, false, 0, 1, -1, AnyCodable(Int64.max), AnyCodable(Int64.min), AnyCodable(UInt64.max), AnyCodable(UInt64(1) << 63),
        1.0, 0.0, -0.5, 0.1, AnyCodable(1e300), AnyCodable(Double.leastNonzeroMagnitude), AnyCodable(9_007_199_254_740_993.0),
        AnyCodable(Double.infinity), AnyCodable(-Double.infinity), "", "text", "$null", "$$null", "$date", "=", "$", "1", "true", "null",
        "\u{0}\u{1F600}é",
        AnyCodable(Date(timeIntervalSinceReferenceDate: 0)), AnyCodable(Date(timeIntervalSinceReferenceDate: 123.456)),
        AnyCodable(Data()), AnyCodable(Data([0, 1, 255])), [], [nil, 1, 1.0, true, "1", [1], ["a": 1]], [:], ["a": nil, "b": [1, 2.5]],
        ["$date": 5], ["$null": "$null"], ["$object": ["$object": 1]], ["$string": "x", "b": 1], ["$null": nil, "=": 1, "b": "$null"],
        ["$double": 1.5], ["": ""],
        ["nested": ["deep": [["deeper": AnyCodable(Data([1]))]]]],
    ]

    /// In both formats, alone and inside containers, every type stays what it is.
    @Test(arguments: values) func comesBackAsTheSameType(_ value: AnyCodable) throws {
        for serializer in [Serializer<AnyCodable>.json, .plist] {
            for form in [value, [value], ["k": value], [["k": [value, value]]]] as [AnyCodable] {
                let back = try serializer.decode(serializer.encode(form))
                #expect(back == form, "\(serializer.name)")
            }
        }
    }

    @Test func aNumberThatIsNoneComesBack() throws {
        for serializer in [Serializer<AnyCodable>.json, .plist] {
            guard case .double(let double) = try serializer.decode(serializer.encode(AnyCodable(Double.nan))) else {
                Issue.record("not a double")
                continue
            }
            #expect(double.isNaN)
        }
    }

    @Test func negativeZeroKeepsItsSign() throws {
        for serializer in [Serializer<AnyCodable>.json, .plist] {
            #expect(try serializer.decode(serializer.encode(AnyCodable(-0.0))).value as? Double == 0)
            guard case .double(let double) = try serializer.decode(serializer.encode(AnyCodable(-0.0))) else { continue }
            #expect(double.sign == .minus)
        }
    }

    /// The stored form is a contract: these texts never change.
    @Test(arguments: [
        (AnyCodable(["a": 1, "b": [true, nil, "x", 0.5]]), #"{"a":1,"b":[true,null,"x",0.5]}"#),
        (AnyCodable(1.0), #"{"$double":1}"#),
        (AnyCodable(Double.infinity), #"{"$special":"inf"}"#),
        (AnyCodable(Date(timeIntervalSinceReferenceDate: 12.5)), #"{"$date":12.5}"#),
        (AnyCodable(Data([1, 2])), #"{"$data":"AQI="}"#),
        (AnyCodable("$x"), #"{"$string":"=$x"}"#),
        (AnyCodable(["$x": 1]), #"{"$object":{"=$x":1}}"#),
    ]) func isStoredLikeThis(_ value: AnyCodable, _ text: String) throws {
        #expect(String(decoding: try Serializer.json.encode(value), as: UTF8.self) == text)
        #expect(try Serializer<AnyCodable>.json.decode(Data(text.utf8)) == value)
    }

    @Test func readsJSONFromElsewhere() throws {
        let text =
            #"{"id": 7, "ratio": 1.5, "ok": true, "none": null, "list": [1, "a"], "$custom": {"$unknown": 1}, "o": {"$object": {"a": 1}}, "s": {"$string": "a"}}"#
        let value = try Serializer<AnyCodable>.json.decode(Data(text.utf8))
        #expect(
            value == [
                "id": 7, "ratio": 1.5, "ok": true, "none": nil, "list": [1, "a"], "$custom": ["$unknown": 1], "o": ["$object": ["a": 1]],
                "s": ["$string": "a"],
            ])
    }

    @Test func readsPropertyListsFromElsewhere() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let plist = try PropertyListValue.dictionary(["d": .date(date), "b": .data(Data([1])), "t": .bool(true), "i": .integer(1)])
            .encoded()
        let value = try Serializer<AnyCodable>.plist.decode(plist)
        #expect(value == ["d": AnyCodable(date), "b": AnyCodable(Data([1])), "t": true, "i": 1])
    }

    @Test func damagedWordsAreRefused() {
        for text in [#"{"$special":"big"}"#, #"{"$date":"x"}"#, #"{"$data":"%"}"#, #"{"$object":1}"#] {
            #expect(throws: DecodingError.self) { try Serializer<AnyCodable>.json.decode(Data(text.utf8)) }
        }
    }

    @Test func convertsWhatIsKnownAtRunTimeOnly() throws {
        let value: [String: Any?] = ["a": 1, "b": nil, "c": [1.5, "x", true] as [Any], "d": Data([1])]
        #expect(try AnyCodable(converting: value) == ["a": 1, "b": nil, "c": [1.5, "x", true], "d": AnyCodable(Data([1]))])
        #expect(try AnyCodable(converting: nil) == .null)
        let error = #expect(throws: StorageError.self) {
            try AnyCodable(converting: ["a": ["b": URL(fileURLWithPath: "/")]])
        }
        #expect(error?.code == .encodingFailed)
        #expect(error?.facts.first?.contains("a.b") == true)
    }

    @Test func valuesAreSwiftsOwn() throws {
        #expect(AnyCodable(5).value as? Int == 5)
        #expect(AnyCodable(UInt64.max).value as? UInt64 == .max)
        #expect(AnyCodable(UInt64(5)) == 5)
        #expect(AnyCodable.null.value == nil)
        #expect((AnyCodable([1, nil]).value as? [Any?])?.count == 2)
        #expect(Set(Self.values).count == Self.values.count)
    }

    /// Objects that look like marked ones at every level are read once, not twice at each.
    @Test func wordsWithinWordsAreReadInTime() throws {
        let depth = 60
        let text = String(repeating: #"{"$object":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        let value = try Serializer<AnyCodable>.json.value(from: Data(text.utf8))
        #expect(value != .null)
    }

    @Test func nestingHasALimitBothWays() throws {
        func nested(_ depth: Int) -> AnyCodable { (0..<depth).reduce(.integer(1)) { inner, _ in .array([inner]) } }
        for serializer in [Serializer<AnyCodable>.json, .plist] {
            #expect(try serializer.value(from: serializer.data(for: nested(250))) == nested(250))
            #expect(throws: StorageError.self) { try serializer.data(for: nested(300)) }
        }
        let deep = Data((String(repeating: "[", count: 300) + String(repeating: "]", count: 300)).utf8)
        #expect(throws: StorageError.self) { try Serializer<AnyCodable>.json.value(from: deep) }
    }
}
