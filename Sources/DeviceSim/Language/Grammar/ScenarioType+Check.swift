import DeviceSimCore
import Foundation

/// Why a value is not of a type.
struct TypeMismatch: Error {
    /// Where in the value, such as `[2]`; empty for the value itself.
    var path = ""
    /// What stands there: `a String`.
    let found: String
    let hint: String
}

extension ScenarioType {
    /// The value as one of this type: a whole number is a Double where one is wanted.
    func check(_ value: ScenarioValue) -> Result<ScenarioValue, TypeMismatch> {
        switch (self, value) {
        case (.string, .string), (.int, .integer), (.double, .double), (.bool, .bool), (.data, .data), (.date, .date):
            return .success(value)
        case (.double, .integer(let number)):
            return Int64(exactly: Double(number)) == number ? .success(.double(Double(number))) : mismatch(value)
        case (.array(let element), .array(let values)):
            var checked: [ScenarioValue] = []
            checked.reserveCapacity(values.count)
            for (index, value) in values.enumerated() {
                switch element.check(value) {
                case .success(let value): checked.append(value)
                case .failure(var inner):
                    inner.path = "[\(index)]" + inner.path
                    return .failure(inner)
                }
            }
            return .success(.array(checked))
        case (.any, _): return value.unrepresentable(allowsDates: true).map { .failure($0) } ?? .success(value)
        case (.codable, _): return value.unrepresentable(allowsDates: false).map { .failure($0) } ?? .success(value)
        default: return mismatch(value)
        }
    }

    private func mismatch(_ value: ScenarioValue) -> Result<ScenarioValue, TypeMismatch> {
        .failure(TypeMismatch(found: value.kindName, hint: "write \(example)"))
    }

    private var example: String {
        switch self {
        case .string: "a text in quotation marks, such as `\"dark\"`"
        case .int: "a whole number, such as `42`"
        case .double: "a number, such as `0.5`"
        case .bool: "`true` or `false`"
        case .data: "`base64(\"aGVsbG8=\")` or `data(100 bytes)`"
        case .date: "`date(\"2026-01-01T09:00:00Z\")`"
        case .array(let element): "a list, each element \(element.example)"
        case .any, .codable: "a value of JSON"
        }
    }
}

extension ScenarioValue {
    /// What it is, with its article: `a String`.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Bool"
        case .integer: "an Int"
        case .unsigned: "an integer beyond Int64"
        case .double: "a Double"
        case .string: "a String"
        case .date: "a Date"
        case .data: "Data"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The first thing in it that no `AnyCodable` (or, without dates and data, no JSON) holds.
    fileprivate func unrepresentable(allowsDates: Bool) -> TypeMismatch? {
        switch self {
        case .null, .bool, .integer, .unsigned, .double, .string: return nil
        case .date, .data:
            return allowsDates ? nil : TypeMismatch(found: kindName, hint: "write a value of JSON that the type decodes from")
        case .url, .uuid: return TypeMismatch(found: kindName, hint: "write a value of JSON, a date or data")
        case .array(let values):
            for (index, value) in values.enumerated() {
                if var found = value.unrepresentable(allowsDates: allowsDates) {
                    found.path = "[\(index)]" + found.path
                    return found
                }
            }
        case .object(let entries):
            for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
                if var found = value.unrepresentable(allowsDates: allowsDates) {
                    found.path = "." + name + found.path
                    return found
                }
            }
        }
        return nil
    }
}
