import Foundation
import LocalData

/// A value as scenario files write it: JSON, and what JSON cannot say.
public enum ScenarioValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A flag.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Beyond `Int64.max`.
    case unsigned(UInt64)
    /// Finite.
    case double(Double)
    /// A text.
    case string(String)
    /// An instant.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Not a property-list type: for payloads that must be refused.
    case url(URL)
    /// Not a property-list type: for payloads that must be refused.
    case uuid(UUID)
    /// Values in order.
    case array([ScenarioValue])
    /// Values by name.
    case object([String: ScenarioValue])
}

extension ScenarioValue {
    /// `count` bytes that look like nothing in particular and compress badly: what `data(65482 bytes)` means.
    public static func patternData(count: Int) -> Data {
        var state: UInt32 = 0x9E37_79B9
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        for index in bytes.indices {
            state = state &* 1_664_525 &+ 1_013_904_223  // Numerical Recipes' generator; any fixed sequence would do
            bytes[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
        return Data(bytes)
    }

    /// The value as app code has it in a dictionary: `String`, `Int`, `Bool`, `Double`, `Date`, `Data`, `URL`, `UUID`, `NSNull`, arrays
    /// and dictionaries of them.
    public var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .unsigned(let value): value
        case .double(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .url(let value): value
        case .uuid(let value): value
        case .array(let values): values.map(\.foundationValue)
        case .object(let entries): entries.mapValues(\.foundationValue)
        }
    }

    /// The entries of an object as a session's payload; empty for anything else.
    public var payload: [String: Any] {
        guard case .object(let entries) = self else { return [:] }
        return entries.mapValues(\.foundationValue)
    }

    /// How many bytes a session counts of it, as a message, context or user info; `nil` where no session takes it.
    package var payloadByteCount: Int? {
        if case .data(let data) = self { return data.count }
        return try? Payload(payload, limit: .max).byteCount
    }
}

extension ScenarioValue {
    /// A dictionary that a session handed to app code.
    package init(received dictionary: [String: Any]) {
        self = PropertyListValue(propertyList: dictionary).map(ScenarioValue.init) ?? .null
    }
}

/// Between scenario values and the types of keys that an embedding test registered, by way of `AnyCodable`.
extension ScenarioValue {
    package init(encoding value: some Encodable) throws {
        let data = try JSONEncoder().encode(value)
        self = try JSONDecoder().decode(AnyCodable.self, from: data).scenarioValue
    }

    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        guard let any = AnyCodable(self) else {
            throw StorageError(.encodingFailed, facts: ["JSON cannot say this value"])
        }
        return try JSONDecoder().decode(type, from: JSONEncoder().encode(any))
    }
}

/// How expectations compare values.
extension ScenarioValue {
    /// Equal as values: a whole number equals the same floating-point number, since JSON does not tell them apart. Texts are the same where each character of
    /// Unicode is: `é` as one is another than `e` with an accent behind it, in the bytes that lie on a disk or travel.
    package func isSame(as other: ScenarioValue) -> Bool {
        switch (self, other) {
        case (.integer(let integer), .double(let double)), (.double(let double), .integer(let integer)): Int64(exactly: double) == integer
        case (.unsigned(let integer), .double(let double)), (.double(let double), .unsigned(let integer)):
            UInt64(exactly: double) == integer
        case (.string(let lhs), .string(let rhs)): lhs.hasSameScalars(as: rhs)
        case (.array(let lhs), .array(let rhs)): lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0.isSame(as: $1) }
        case (.object(let lhs), .object(let rhs)):
            lhs.count == rhs.count && lhs.allSatisfy { key, value in rhs.member(key).map(value.isSame) ?? false }
        default: self == other
        }
    }

    /// Whether this object has at least the entries of `other`.
    package func contains(_ other: ScenarioValue) -> Bool {
        guard case .object(let mine) = self, case .object(let wanted) = other else { return isSame(as: other) }
        return wanted.allSatisfy { key, value in mine.member(key).map { $0.isSame(as: value) } ?? false }
    }

    package func entry(_ name: String) -> ScenarioValue? {
        guard case .object(let entries) = self else { return nil }
        return entries[name]
    }

    package func withoutEntry(_ name: String) -> ScenarioValue {
        guard case .object(var entries) = self else { return self }
        entries[name] = nil
        return .object(entries)
    }
}

extension String {
    /// Swift takes texts for equal that only look the same.
    fileprivate func hasSameScalars(as other: String) -> Bool {
        utf8.count == other.utf8.count && begins(withBytesOf: other)
    }
}

extension [String: ScenarioValue] {
    /// The entry of exactly that name.
    fileprivate func member(_ name: String) -> ScenarioValue? {
        index(forKey: name).flatMap { self[$0].key.hasSameScalars(as: name) ? self[$0].value : nil }
    }
}
