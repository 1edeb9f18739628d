import Foundation

extension AnyCodable: Codable {
    private enum Tag: String, CaseIterable {
        case date = "$date"
        case data = "$data"
        case double = "$double"
        case object = "$object"
        case null = "$null"
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ tag: Tag) { stringValue = tag.rawValue }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try encodeTagged(.null, true, to: encoder)
        case .bool(let value): try encodePlain(value, to: encoder)
        case .integer(let value): try encodePlain(value, to: encoder)
        case .unsigned(let value): try encodePlain(value, to: encoder)
        case .string(let value): try encodePlain(value, to: encoder)
        case .double(let value):
            // JSON writes 1.0 as 1, which would come back as an integer.
            if value.rounded() == value { try encodeTagged(.double, value, to: encoder) } else { try encodePlain(value, to: encoder) }
        case .date(let value): try encodeTagged(.date, value.timeIntervalSinceReferenceDate, to: encoder)
        case .data(let value): try encodeTagged(.data, value.base64EncodedString(), to: encoder)
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .object(let entries):
            if entries.count == 1, let name = entries.keys.first, Tag(rawValue: name) != nil {
                var container = encoder.container(keyedBy: Name.self)
                try encodeEntries(entries, in: container.nestedContainer(keyedBy: Name.self, forKey: Name(.object)))
            } else {
                try encodeEntries(entries, in: encoder.container(keyedBy: Name.self))
            }
        }
    }

    private func encodePlain(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private func encodeTagged(_ tag: Tag, _ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(value, forKey: Name(tag))
    }

    private func encodeEntries(_ entries: [String: AnyCodable], in container: KeyedEncodingContainer<Name>) throws {
        var container = container
        for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
            try container.encode(value, forKey: Name(stringValue: name))
        }
    }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            self = try Self.object(in: container)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [AnyCodable] = []
            while !container.isAtEnd { values.append(try container.decode(AnyCodable.self)) }
            self = .array(values)
        } else {
            self = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func object(in container: KeyedDecodingContainer<Name>) throws -> AnyCodable {
        let names = container.allKeys
        if names.count == 1, let name = names.first, let tag = Tag(rawValue: name.stringValue) {
            return try tagged(tag, name, in: container)
        }
        return .object(try entries(in: container))
    }

    private static func tagged(_ tag: Tag, _ name: Name, in container: KeyedDecodingContainer<Name>) throws -> AnyCodable {
        switch tag {
        case .null: return .null
        case .double: return .double(try container.decode(Double.self, forKey: name))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: name)))
        case .data:
            guard let data = Data(base64Encoded: try container.decode(String.self, forKey: name)) else {
                throw DecodingError.dataCorruptedError(forKey: name, in: container, debugDescription: "not Base64")
            }
            return .data(data)
        case .object: return .object(try entries(in: container.nestedContainer(keyedBy: Name.self, forKey: name)))
        }
    }

    private static func entries(in container: KeyedDecodingContainer<Name>) throws -> [String: AnyCodable] {
        var entries: [String: AnyCodable] = [:]
        for name in container.allKeys {
            entries[name.stringValue] = try container.decode(AnyCodable.self, forKey: name)
        }
        return entries
    }

    /// Property lists decode an integer as a double too, and on some systems a Boolean as a number: from the narrowest type to the widest.
    private static func scalar(in container: any SingleValueDecodingContainer) throws -> AnyCodable {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
        if let value = try? container.decode(Double.self) { return .double(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        if let value = try? container.decode(Data.self) { return .data(value) }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "none of AnyCodable's types")
    }
}
