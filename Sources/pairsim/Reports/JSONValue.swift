import Foundation
import LocalData

/// A JSON document that always renders to the same bytes: keys sorted, two spaces of indentation, a newline at the end.
enum JSONValue: Sendable {
    case null
    case flag(Bool)
    case number(Int64)
    case unsigned(UInt64)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    static func optional(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int?) -> JSONValue { number.map { .number(Int64($0)) } ?? .null }
    static func texts(_ list: [String]) -> JSONValue { .list(list.map { .text($0) }) }

    func rendered() -> String {
        var bytes: [UInt8] = []
        append(to: &bytes, depth: 0)
        bytes.append(UInt8(ascii: "\n"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same without anything between the values, and without the newline at the end.
    func renderedOnOneLine() -> String {
        var bytes: [UInt8] = []
        appendOnOneLine(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same as a line of its own.
    func renderedLine() -> String { renderedOnOneLine() + "\n" }

    private func appendOnOneLine(to bytes: inout [UInt8]) {
        switch self {
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.appendOnOneLine(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, key) in members.keys.sorted().enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.append(key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                members[key]?.appendOnOneLine(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        default: append(to: &bytes, depth: 0)
        }
    }

    private func append(to bytes: inout [UInt8], depth: Int) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .flag(let flag): JSONText.append(flag, to: &bytes)
        case .number(let number): JSONText.append(number, to: &bytes)
        case .unsigned(let number): JSONText.append(number, to: &bytes)
        case .text(let text): JSONText.append(text, to: &bytes)
        case .list(let values):
            Self.append("[", "]", count: values.count, to: &bytes, depth: depth) { index, bytes in
                values[index].append(to: &bytes, depth: depth + 1)
            }
        case .object(let members):
            let keys = members.keys.sorted()
            Self.append("{", "}", count: keys.count, to: &bytes, depth: depth) { index, bytes in
                JSONText.append(keys[index], to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                members[keys[index]]?.append(to: &bytes, depth: depth + 1)
            }
        }
    }

    private static func append(
        _ open: String, _ close: String, count: Int, to bytes: inout [UInt8], depth: Int, element: (Int, inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: open.utf8)
        for index in 0..<count {
            bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * (depth + 1)))
            element(index, &bytes)
        }
        if count > 0 {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        bytes.append(contentsOf: close.utf8)
    }
}

/// What is wrong with a report that was read, as the end of a sentence.
struct ReportFault: Error, Equatable, Sendable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension JSONValue {
    /// - Throws: what is wrong with the bytes.
    init(reading data: Data) throws(ReportFault) {
        do {
            self.init(try JSONDecoder().decode(AnyCodable.self, from: data))
        } catch {
            throw ReportFault("it is no JSON")
        }
    }

    init(_ value: AnyCodable) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .flag(flag)
        case .integer(let number): self = .number(number)
        case .unsigned(let number): self = .unsigned(number)
        case .string(let text): self = .text(text)
        case .array(let values): self = .list(values.map(JSONValue.init))
        case .object(let members): self = .object(members.mapValues(JSONValue.init))
        // No report has one of these.
        case .double, .date, .data: self = .null
        }
    }

    /// The members of an object.
    /// - Parameter name: What holds it, for the fault.
    func members(_ name: String) throws(ReportFault) -> Members {
        guard case .object(let members) = self else { throw ReportFault("`\(name)` is no object") }
        return Members(values: members)
    }

    /// An object being read: each member must be there, and be of its type.
    struct Members {
        let values: [String: JSONValue]

        func text(_ name: String) throws(ReportFault) -> String {
            guard case .text(let text)? = values[name] else { throw ReportFault("`\(name)` is no text") }
            return text
        }

        func flag(_ name: String) throws(ReportFault) -> Bool {
            guard case .flag(let flag)? = values[name] else { throw ReportFault("`\(name)` is neither true nor false") }
            return flag
        }

        func number(_ name: String) throws(ReportFault) -> Int64 {
            guard case .number(let number)? = values[name] else { throw ReportFault("`\(name)` is no whole number") }
            return number
        }

        /// More than anybody counts; sums of so many, of all that a report may have, are still numbers.
        static let maximumCount: Int64 = 1_000_000_000_000
        /// More runs than anybody selects: a thousand scenarios under a million seeds and as many orders.
        static let maximumRunCount: Int64 = 1_000_000_000_000_000

        /// A number of things, which is not negative.
        func count(_ name: String, upTo limit: Int64 = maximumCount) throws(ReportFault) -> Int {
            let number = try number(name)
            guard number >= 0 else { throw ReportFault("`\(name)` is negative") }
            guard number <= limit else { throw ReportFault("`\(name)` is more than \(limit)") }
            return Int(number)
        }

        /// A time in microseconds of a simulation, which is not negative.
        func microseconds(_ name: String) throws(ReportFault) -> Int64 {
            let number = try number(name)
            // A thousand simulated years.
            guard (0...32_000_000_000_000_000).contains(number) else { throw ReportFault("`\(name)` is no time of a simulation") }
            return number
        }

        /// A number that may take all 64 bits, such as a seed.
        func unsigned(_ name: String) throws(ReportFault) -> UInt64 {
            if case .unsigned(let number)? = values[name] { return number }
            guard let number = UInt64(exactly: try number(name)) else { throw ReportFault("`\(name)` is negative") }
            return number
        }

        func list(_ name: String) throws(ReportFault) -> [JSONValue] {
            guard case .list(let list)? = values[name] else { throw ReportFault("`\(name)` is no list") }
            return list
        }

        func texts(_ name: String) throws(ReportFault) -> [String] {
            var texts: [String] = []
            for value in try list(name) {
                guard case .text(let text) = value else { throw ReportFault("`\(name)` has something that is no text") }
                texts.append(text)
            }
            return texts
        }

        /// Whether the member is missing or `null`.
        func lacks(_ name: String) -> Bool {
            if case .null = values[name] ?? .null { true } else { false }
        }

        func optionalText(_ name: String) throws(ReportFault) -> String? { lacks(name) ? nil : try text(name) }
        func optionalCount(_ name: String) throws(ReportFault) -> Int? { lacks(name) ? nil : try count(name) }
        func optionalMembers(_ name: String) throws(ReportFault) -> Members? { lacks(name) ? nil : try values[name]?.members(name) }
    }
}

extension JSONValue {
    static func optional(_ shard: Shard?) -> JSONValue {
        guard let shard else { return .null }
        return .object(["number": .number(Int64(shard.number)), "count": .number(Int64(shard.count)), "origin": .text(shard.origin)])
    }
}

extension JSONValue.Members {
    func status(_ name: String) throws(ReportFault) -> ExitStatus {
        guard let status = ExitStatus(rawValue: Int32(clamping: try number(name))) else { throw ReportFault("`\(name)` is no exit status") }
        return status
    }

    func shard() throws(ReportFault) -> Shard? {
        guard let members = try optionalMembers("shard") else { return nil }
        let (number, count) = (try members.count("number"), try members.count("count"))
        guard let shard = Shard(notation: "\(number)/\(count)", origin: try members.text("origin")) else {
            throw ReportFault("there is no shard \(number) of \(count)")
        }
        return shard
    }
}
