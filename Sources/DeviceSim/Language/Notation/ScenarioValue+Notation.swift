import DeviceSimCore
import Foundation

extension ScenarioValue: CustomStringConvertible {
    public var description: String { notation }

    /// As a scenario file writes it, on one line; read back, it gives an equal value. Objects are sorted by name.
    public var notation: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value): Self.notation(of: value)
        case .string(let value): Self.notation(of: value)
        case .date(let value): "date(\"\(DateNotation.text(value))\")"
        case .data(let value): Self.notation(of: value)
        case .url(let value): "url(\(Self.quoted(value.absoluteString)))"
        case .uuid(let value): "uuid(\"\(value.uuidString)\")"
        case .array(let values): "[" + values.map(\.notation).joined(separator: ", ") + "]"
        case .object(let entries):
            "{"
                + entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { "\(Self.quoted($0.key)): \($0.value.notation)" }.joined(separator: ", ") + "}"
        }
    }

    /// A Double keeps a sign of being one: `1.0`.
    private static func notation(of value: Double) -> String {
        if value == 0, value.sign == .minus { return "-0.0" }
        let text = "\(value)"
        return text.contains(where: { $0 == "." || $0 == "e" || $0 == "n" }) ? text : text + ".0"
    }

    /// A long text of one character is written as what it is.
    private static func notation(of value: String) -> String {
        if isRepetition(value), let first = value.unicodeScalars.first {
            return "repeat(\(quoted(String(first))), \(value.unicodeScalars.count))"
        }
        return quoted(value)
    }

    private static func notation(of value: Data) -> String {
        isPattern(value) ? "data(\(value.count) bytes)" : "base64(\"\(value.base64EncodedString())\")"
    }

    private static func isRepetition(_ value: String) -> Bool {
        value.utf8.count > 64 && value.unicodeScalars.allSatisfy { $0 == value.unicodeScalars.first }
    }

    private static func isPattern(_ value: Data) -> Bool { value.count >= 16 && value == patternData(count: value.count) }

    /// Whether the notation says how long it is instead of what it is: `repeat("x", 100000)`, `data(100000 bytes)`.
    package var isWrittenByItsLength: Bool {
        switch self {
        case .string(let value): Self.isRepetition(value)
        case .data(let value): Self.isPattern(value)
        default: false
        }
    }

    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.properties.generalCategory == .control || isDeceptive(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// What ends a line, turns the direction of writing, or shows nothing at all: a reader would see another text than the one that is there.
    package static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
