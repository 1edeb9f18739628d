import Foundation
import Testing

@testable import LocalData

@Suite struct PropertyListValueTests {
    static let mixed: PropertyListValue = .dictionary([
        "array": .array([.integer(1), .string("two"), .bool(true), .array([]), .dictionary([:])]),
        "data": .data(Data([0, 255])),
        "date": .date(Date(timeIntervalSinceReferenceDate: 0.123456789)),
        "false": .bool(false),
        "largest": .unsigned(.max),
        "one": .integer(1),
        "real": .real(2),
        "smallest": .integer(.min),
        "text": .string("naïve 🕰"),
        "true": .bool(true),
        "zero": .integer(0),
    ])

    @Test func foundationObjectsComeBackAsTheSameValue() throws {
        #expect(try PropertyListValue(validating: Self.mixed.propertyList) == Self.mixed)
    }

    /// As `NSString` has it, and as it is stored: an é of one scalar and one of two are other bytes.
    @Test func textsOfOtherBytesAreNotEqual() {
        let one = PropertyListValue.string("\u{e9}")
        let two = PropertyListValue.string("e\u{301}")
        #expect(one != two && one == .string("\u{e9}") && two == .string("e\u{301}"))
        #expect(PropertyListValue.array([one]) != .array([two]))
        #expect(PropertyListValue.dictionary(["a": one]) != .dictionary(["a": two]))
        #expect(PropertyListValue.dictionary(["\u{e9}": one]) != .dictionary(["e\u{301}": one]))
        #expect(PropertyListValue.dictionary(["a": one, "b": two]) == .dictionary(["b": two, "a": one]))
        // The same length, and equal in Unicode.
        #expect(PropertyListValue.string("a\u{301}\u{323}") != .string("a\u{323}\u{301}"))
    }

    /// Preferences are binary property lists, which have a limit.
    @Test func theSizeThatIsTakenForTrueIsThatOfABinaryFile() throws {
        let texts = ["", "plain", "naïve", "🕰", "日本語", String(repeating: "aaaaaaaaaé", count: 2_000)]
        for text in texts {
            let value = PropertyListValue.dictionary([text + "name": .string(text), "n": .array([.string(text), .data(Data(count: 300))])])
            let size = try value.encoded().count
            #expect(abs(value.approximateByteCount - size) <= 80, "\(text.prefix(12)): \(value.approximateByteCount) for \(size)")
        }
    }

    @Test func binaryFilesKeepEveryKindOfValue() throws {
        #expect(try PropertyListValue(encoded: Self.mixed.encoded()) == Self.mixed)
    }

    @Test func xmlFilesKeepAllButFractionsOfSeconds() throws {
        guard case .dictionary(var values) = Self.mixed else { return }
        values["date"] = .date(Date(timeIntervalSinceReferenceDate: 86_400))
        let value = PropertyListValue.dictionary(values)
        #expect(try PropertyListValue(encoded: value.encoded(as: .xml)) == value)
    }

    @Test(arguments: [
        (NSNumber(value: true), PropertyListValue.bool(true)),
        (NSNumber(value: false), .bool(false)),
        (NSNumber(value: 1), .integer(1)),
        (NSNumber(value: Int8(1)), .integer(1)),
        (NSNumber(value: Int64.min), .integer(.min)),
        (NSNumber(value: Int64.max), .integer(.max)),
        (NSNumber(value: UInt64(5)), .integer(5)),
        (NSNumber(value: UInt64.max), .unsigned(.max)),
        (NSNumber(value: UInt64(Int64.max) + 1), .unsigned(UInt64(Int64.max) + 1)),
        (NSNumber(value: 1.0), .real(1)),
        (NSNumber(value: Float(0.5)), .real(0.5)),
    ])
    func foundationNumbersKeepTheirKind(_ number: NSNumber, _ expected: PropertyListValue) throws {
        #expect(try PropertyListValue(validating: number) == expected)
    }

    @Test func swiftTypesAreTakenByTheirExactType() throws {
        #expect(try PropertyListValue(validating: true) == .bool(true))
        #expect(try PropertyListValue(validating: 1) == .integer(1))
        #expect(try PropertyListValue(validating: UInt8(1)) == .integer(1))
        #expect(try PropertyListValue(validating: UInt.max) == .unsigned(UInt64(UInt.max)))
        #expect(try PropertyListValue(validating: 1.0) == .real(1))
        #expect(try PropertyListValue(validating: Float(0.1)) == .real(Double(Float(0.1))))
        #expect(try PropertyListValue(validating: "abc".prefix(2)) == .string("ab"))
        #expect(try PropertyListValue(validating: NSString("ab")) == .string("ab"))
        #expect(try PropertyListValue(validating: NSArray(array: [NSString("a")])) == .array([.string("a")]))
        #expect(try PropertyListValue(validating: NSDictionary(dictionary: ["a": 1])) == .dictionary(["a": .integer(1)]))
        #expect(try PropertyListValue(validating: Optional<Int>.some(3) as Any) == .integer(3))
        #expect(try PropertyListValue(validating: Optional<Optional<Int>>.some(.some(3)) as Any) == .integer(3))
    }

    @Test func whatPropertyListsCannotHoldIsRefusedAndItsPlaceNamed() {
        func problem(_ value: Any) -> PropertyListValueError? {
            #expect(PropertyListValue(propertyList: value) == nil)
            do {
                _ = try PropertyListValue(validating: value)
                return nil
            } catch {
                return error as? PropertyListValueError
            }
        }
        #expect(problem(NSNull()) == PropertyListValueError(keyPath: "", problem: "NSNull"))
        #expect(problem(["a": ["b": [1, NSNull()] as [Any]]])?.keyPath == "a.b[1]")
        #expect(problem(["a": Optional<Int>.none as Any])?.problem == "an empty optional")
        #expect(problem([Decimal(1)])?.keyPath == "[0]")
        #expect(problem(NSDecimalNumber(decimal: 1)) != nil)
        #expect(problem(URL(fileURLWithPath: "/")) != nil)
        #expect(problem(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) != nil)
        #expect(problem(Set([1])) != nil)
        #expect(problem([1: "a"]) != nil)
    }

    @Test func theSecretIsNotInTheMessage() {
        do {
            _ = try PropertyListValue(validating: ["outer": URL(fileURLWithPath: "/hunter2")])
            Issue.record("a URL was accepted")
        } catch {
            #expect(!"\(error)".contains("hunter2"))
            #expect("\(error)".contains("'outer'"))
        }
    }

    @Test func nestingIsBounded() {
        var value: Any = 1
        for _ in 0..<10_000 { value = [value] }
        #expect(throws: PropertyListValueError.self) { try PropertyListValue(validating: value) }
    }

    @Test func equalDictionariesHaveEqualCanonicalBytesWhateverTheirOrder() {
        let names = (0..<50).map { "key\($0)" }
        let forward = Dictionary(uniqueKeysWithValues: names.map { ($0, PropertyListValue.string($0)) })
        var backward: [String: PropertyListValue] = [:]
        for name in names.reversed() { backward[name] = .string(name) }
        #expect(PropertyListValue.dictionary(forward).canonicalBytes == PropertyListValue.dictionary(backward).canonicalBytes)
    }

    @Test(arguments: [
        (PropertyListValue.integer(1), PropertyListValue.bool(true)),
        (.integer(1), .real(1)),
        (.string("1"), .data(Data("1".utf8))),
        (.array([]), .dictionary([:])),
        (.array([.string("a"), .string("b")]), .array([.string("ab")])),
        (.array([.array([.integer(1)]), .integer(2)]), .array([.array([.integer(1), .integer(2)])])),
        (.real(0.5), .date(Date(timeIntervalSinceReferenceDate: 0.5))),
        (.unsigned(.max), .integer(-1)),
    ])
    func differentValuesHaveDifferentCanonicalBytes(_ first: PropertyListValue, _ second: PropertyListValue) {
        #expect(first.canonicalBytes != second.canonicalBytes)
    }

    @Test func canonicalBytesArePinned() {
        let value = PropertyListValue.dictionary(["b": .integer(2), "a": .array([.bool(true), .string("é")])])
        let expected =
            "6d0000000000000002" + "000000000000000161" + "610000000000000002" + "74" + "730000000000000002c3a9"
            + "000000000000000162" + "690000000000000002"
        #expect(value.canonicalBytes.hexText == expected)
        #expect(PropertyListValue.real(-0.0).canonicalBytes == PropertyListValue.real(0).canonicalBytes)
    }

    @Test(arguments: [
        "", "bplist00", "bplist00garbage", "<?xml version=\"1.0\"?><plist><dict>", "<plist><array><date>never</date></array></plist>",
    ])
    func damagedBytesAreAnError(_ text: String) {
        #expect(throws: (any Error).self) { try PropertyListValue(encoded: Data(text.utf8)) }
    }
}
