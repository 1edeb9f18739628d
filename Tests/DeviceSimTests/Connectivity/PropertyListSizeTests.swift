import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct PropertyListSizeTests {
    @Test("W100 the computed size is the written size, where nothing is repeated", arguments: 0..<150)
    func distinct(seed: UInt64) throws {
        var maker = Maker(seed: seed, isDistinct: true)
        let values = maker.dictionary(depth: 0)
        let written = try Self.written(values)
        #expect(PropertyListSize.exact(of: values) <= written)
        #expect(PropertyListSize.upperBound(of: values) == written)
    }

    @Test("W100 with repeated values it lies between counting them once and each time", arguments: 0..<150)
    func repeated(seed: UInt64) throws {
        var maker = Maker(seed: seed, isDistinct: false)
        let values = maker.dictionary(depth: 0)
        let written = try Self.written(values)
        #expect(PropertyListSize.exact(of: values) <= written)
        #expect(PropertyListSize.upperBound(of: values) >= written)
    }

    @Test(
        "W100 counts and lengths around the widths of the format", arguments: [0, 1, 14, 15, 16, 253, 254, 255, 256, 257, 65_535, 65_536])
    func widths(count: Int) throws {
        let examples: [[String: PropertyListValue]] = [
            ["k": .data(Data(count: count))],
            ["k": .string(String(repeating: "a", count: count))],
            ["k": .string(String(repeating: "é", count: count))],
            ["k": .string(String(repeating: "🙂", count: count))],
            ["k": .array((0..<min(count, 3_000)).map { .integer(Int64($0) + 70_000) })],
            ["k": .integer(Int64(count))],
            ["k": .integer(-Int64(count) - 1)],
        ]
        for values in examples {
            #expect(PropertyListSize.upperBound(of: values) == (try Self.written(values)))
        }
    }

    @Test func repeatedNumbersCountOnce() throws {
        let values: [String: PropertyListValue] = ["k": .array(Array(repeating: .integer(7), count: 20_000))]
        #expect(PropertyListSize.exact(of: values) == (try Self.written(values)))
        #expect(try Payload(["k": Array(repeating: 7, count: 20_000)], limit: 65_536).byteCount < 65_536)
    }

    static func written(_ values: [String: PropertyListValue]) throws -> Int {
        let objects = values.mapValues(\.received)
        return try PropertyListSerialization.data(fromPropertyList: objects, format: .binary, options: 0).count
    }

    struct Maker {
        var random: SeededGenerator
        let isDistinct: Bool
        var count = 0

        init(seed: UInt64, isDistinct: Bool) {
            random = SeededGenerator(seed: seed)
            self.isDistinct = isDistinct
        }

        mutating func dictionary(depth: Int) -> [String: PropertyListValue] {
            var values: [String: PropertyListValue] = [:]
            for _ in 0..<random.below(depth == 0 ? 40 : 6) {
                values["key\(number())"] = value(depth: depth + 1)
            }
            return values
        }

        /// A number that is new, or one of a few.
        mutating func number() -> Int {
            count += 1
            return isDistinct ? 1_000 + count : random.below(5)
        }

        mutating func value(depth: Int) -> PropertyListValue {
            switch random.below(depth > 4 ? 7 : 9) {
            case 0: .string("text\(number())")
            case 1: .string("tëxt\(number())")
            case 2: .bool(random.below(2) == 0)
            case 3: .integer(Int64(number()) * (random.below(2) == 0 ? 1 : -100_000))
            case 4: .real(Double(number()) + 0.5)
            case 5: .date(Date(timeIntervalSinceReferenceDate: Double(number())))
            case 6: .data(Data("bytes\(number())".utf8))
            case 7: .array((0..<random.below(20)).map { _ in value(depth: depth + 1) })
            default: .dictionary(dictionary(depth: depth + 1))
            }
        }
    }
}
