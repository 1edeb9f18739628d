import Foundation
import LocalData

/// How many bytes a dictionary takes as a binary property list, computed without writing one.
///
/// The format: 8 bytes of header, the objects, a table of their offsets, 32 bytes of trailer. Apple's writer stores equal strings,
/// numbers, dates and data once; other Foundations store more. Both results are the same on every host.
enum PropertyListSize {
    /// Never too small: counts what is repeated each time.
    static func upperBound(of dictionary: [String: PropertyListValue]) -> Int {
        var measure = Measure()
        measure.add(dictionary)
        return measure.total
    }

    /// Counts equal strings, numbers, dates and data once. Costs the hashing of all of them.
    static func exact(of dictionary: [String: PropertyListValue]) -> Int {
        var measure = Measure(seen: [])
        measure.add(dictionary)
        return measure.total
    }

    private struct Measure {
        /// The scalars that were counted; `nil` where repeats count.
        var seen: Set<PropertyListValue>?
        private var objects = 0
        private var references = 0
        /// The objects' bytes, without the references between them, whose width is not known before the end.
        private var bytes = 0

        init(seen: Set<PropertyListValue>? = nil) {
            self.seen = seen
        }

        var total: Int {
            let tableOffset = 8 + bytes + references * width(of: objects)
            return tableOffset + objects * width(of: tableOffset) + 32
        }

        mutating func add(_ dictionary: [String: PropertyListValue]) {
            objects += 1
            bytes += marker(dictionary.count)
            references += 2 * dictionary.count
            for (key, value) in dictionary {
                add(string: key)
                add(value)
            }
        }

        private mutating func add(_ value: PropertyListValue) {
            switch value {
            case .string(let string): add(string: string)
            case .bool:
                objects += 1
                bytes += 1
            case .integer(let integer): add(value, integerSize(integer))
            case .unsigned: add(value, 17)
            case .real, .date: add(value, 9)
            case .data(let data): add(value, marker(data.count) + data.count)
            case .array(let values):
                objects += 1
                bytes += marker(values.count)
                references += values.count
                for value in values { add(value) }
            case .dictionary(let values): add(values)
            }
        }

        private mutating func add(string: String) {
            if seen != nil, seen?.insert(.string(string)).inserted == false { return }
            objects += 1
            let utf8 = string.utf8
            // Contiguous bytes are looked at several at a time.
            if utf8.withContiguousStorageIfAvailable({ $0.allSatisfy { $0 < 0x80 } }) ?? utf8.allSatisfy({ $0 < 0x80 }) {
                bytes += marker(utf8.count) + utf8.count
            } else {
                let count = string.utf16.count
                bytes += marker(count) + 2 * count
            }
        }

        private mutating func add(_ scalar: PropertyListValue, _ size: Int) {
            if seen != nil, seen?.insert(scalar).inserted == false { return }
            objects += 1
            bytes += size
        }

        /// The byte before an object's content, and its count where that does not fit into it.
        private func marker(_ count: Int) -> Int {
            count < 15 ? 1 : 1 + integerSize(Int64(count))
        }

        private func integerSize(_ integer: Int64) -> Int {
            switch integer {
            case 0...0xFF: 2
            case 0...0xFFFF: 3
            case 0...0xFFFF_FFFF: 5
            default: 9
            }
        }

        private func width(of count: Int) -> Int {
            switch count {
            case ...0xFF: 1
            case ...0xFFFF: 2
            case ...0xFFFF_FFFF: 4
            default: 8
            }
        }
    }
}
