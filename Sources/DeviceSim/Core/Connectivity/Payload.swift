import Foundation
import LocalData
import WatchConnectivity

/// What travels between the devices: a value, so that no reference crosses.
package struct Payload: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case dictionary([String: PropertyListValue])
        case data(Data)
    }

    let content: Content
    /// The serialized size; values that are repeated count each time, as ``PropertyListSize/upperBound(of:)`` does.
    let byteCount: Int

    private init(content: Content, byteCount: Int) {
        self.content = content
        self.byteCount = byteCount
    }

    /// What no app handed over: neither its types nor its size are looked at.
    init(forged values: [String: PropertyListValue]) {
        self.init(content: .dictionary(values), byteCount: PropertyListSize.upperBound(of: values))
    }

    /// What stands in for a reply that will never come.
    static let nothing = Payload(content: .dictionary([:]), byteCount: 0)

    /// Checks the types, then the size (W103).
    /// - Parameter integerBitWidth: How many bits the sending device's `Int` has. A wider one cannot be there; what made it had to fit it in.
    init(_ dictionary: [String: Any], limit: Int, integerBitWidth: Int = Int.bitWidth) throws(PayloadProblem) {
        let values = try PayloadReading.read(dictionary, integerBitWidth: integerBitWidth)
        var byteCount = PropertyListSize.upperBound(of: values)
        if byteCount > limit {
            let exact = PropertyListSize.exact(of: values)
            guard exact <= limit else { throw .tooLarge(byteCount: exact, limit: limit) }
            byteCount = exact
        }
        content = .dictionary(values)
        self.byteCount = byteCount
    }

    init(_ data: Data, limit: Int) throws(PayloadProblem) {
        guard data.count <= limit else { throw .tooLarge(byteCount: data.count, limit: limit) }
        // A Data can refer to bytes that its maker goes on changing.
        content = .data(data.withUnsafeBytes { Data($0) })
        byteCount = data.count
    }

    var dictionary: [String: Any] { dictionary(for: Int.bitWidth) }

    /// The dictionary as the other side's app gets it, whose `Int` has that many bits; empty for data.
    func dictionary(for width: Int) -> [String: Any] { values.received(by: width) }

    /// The bytes; empty for a dictionary.
    var data: Data {
        guard case .data(let data) = content else { return Data() }
        return data
    }

    var values: [String: PropertyListValue] {
        guard case .dictionary(let values) = content else { return [:] }
        return values
    }

    /// Size and names, never values.
    var facts: [TraceEvent.Fact] {
        switch content {
        case .dictionary(let values): [.init("bytes", .number(byteCount)), .init("keys", .list(values.keys.sorted()))]
        case .data: [.init("bytes", .number(byteCount))]
        }
    }
}

/// Why a payload is refused.
enum PayloadProblem: Error, Sendable, Hashable {
    /// W102: what is at `keyPath` is no property list.
    case unsupported(keyPath: String, found: String)
    /// W101
    case tooLarge(byteCount: Int, limit: Int)

    var code: WCError.Code {
        switch self {
        case .unsupported: .payloadUnsupportedTypes
        case .tooLarge: .payloadTooLarge
        }
    }

    var reason: String {
        switch self {
        case .unsupported(let keyPath, let found): "'\(keyPath)' is \(found), which no property list can hold"
        case .tooLarge(let byteCount, let limit): "\(byteCount) bytes, where \(limit) are allowed"
        }
    }

    var facts: [TraceEvent.Fact] {
        switch self {
        case .unsupported(let keyPath, let found): [.init("keyPath", .text(keyPath)), .init("found", .text(found))]
        case .tooLarge(let byteCount, let limit): [.init("bytes", .number(byteCount)), .init("limit", .number(limit))]
        }
    }

    var error: WCError { WCError(code, failureReason: reason) }
}

extension [String: PropertyListValue] {
    /// The values as the app of a device gets them whose `Int` has that many bits.
    func received(by width: Int) -> [String: Any] {
        width < Int.bitWidth ? mapValues { $0.received(by: width) } : mapValues(\.received)
    }
}

extension PropertyListValue {
    /// A number that the device's `Int` cannot hold is handed over as one that no cast makes an `Int` of, as there.
    fileprivate func received(by width: Int) -> Any {
        switch self {
        case .integer(let integer) where integer >> (width - 1) != integer >> 63: integer
        case .array(let values): values.map { $0.received(by: width) }
        case .dictionary(let values): values.received(by: width)
        default: received
        }
    }

    /// The value as it comes out of a serialized property list: numbers as `NSNumber`, which converts to the number types that can hold it.
    ///
    /// Booleans stay `Bool` where Foundation is not Apple's, as they do there (`as? Int` is then nil).
    var received: Any {
        switch self {
        case .string(let string): return string
        case .bool(let bool):
            #if canImport(ObjectiveC)
                return NSNumber(value: bool)
            #else
                return bool
            #endif
        case .integer(let integer): return NSNumber(value: integer)
        case .unsigned(let integer): return NSNumber(value: integer)
        case .real(let double): return NSNumber(value: double)
        case .date(let date): return date
        case .data(let data): return data
        case .array(let values): return values.map(\.received)
        case .dictionary(let values): return values.mapValues(\.received)
        }
    }
}

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
