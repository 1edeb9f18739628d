import DeviceSimCore
import Foundation

/// Values that JSON cannot say, and long ones that nobody wants to write out.
package enum SpecialNotation: String, CaseIterable {
    case data
    case base64
    case date
    case url
    case uuid
    case `repeat`

    package var example: String {
        switch self {
        case .data: "data(100 bytes)"
        case .base64: "base64(\"aGVsbG8=\")"
        case .date: "date(\"2026-01-01T09:00:00Z\")"
        case .url: "url(\"https://example.com\")"
        case .uuid: "uuid(\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\")"
        case .repeat: "repeat(\"x\", 100000)"
        }
    }

    package var help: String {
        switch self {
        case .data: "so many bytes of a fixed pattern"
        case .base64: "bytes, written in Base64"
        case .date: "an instant, or midnight UTC of a day"
        case .url: "a `URL`, which no session accepts"
        case .uuid: "a `UUID`, which no session accepts"
        case .repeat: "a text so many times over"
        }
    }

    /// What is wrong with arguments of the right shape.
    var complaint: String {
        switch self {
        case .data, .repeat: "the number is not usable"
        case .base64: "the text is not Base64"
        case .date: "the text is not a date of ISO 8601"
        case .url: "the text is not a URL"
        case .uuid: "the text is not a UUID"
        }
    }

    /// How many bytes the value will have, or `nil` if the arguments are not of the right shape. The number may be absurdly large.
    func size(of arguments: [Token]) -> Int? {
        switch self {
        case .data:
            guard arguments.count == 2, arguments[1].isWord("bytes") || arguments[1].isWord("byte") else { return nil }
            return NumberNotation.count(of: arguments[0])
        case .repeat:
            guard arguments.count == 3, case .string(let text) = arguments[0].kind, arguments[1].isSign(","),
                let count = NumberNotation.count(of: arguments[2])
            else { return nil }
            let (size, overflow) = text.utf8.count.multipliedReportingOverflow(by: count)
            return overflow ? .max : size
        default:
            guard arguments.count == 1, case .string(let text) = arguments[0].kind else { return nil }
            return text.utf8.count
        }
    }

    /// The value, for arguments whose size was asked for before.
    func value(of arguments: [Token]) -> ScenarioValue? {
        switch self {
        case .data: return NumberNotation.count(of: arguments[0]).map { .data(ScenarioValue.patternData(count: $0)) }
        case .repeat:
            guard case .string(let text) = arguments[0].kind, let count = NumberNotation.count(of: arguments[2]) else { return nil }
            return .string(text.isEmpty ? "" : String(repeating: text, count: count))
        default:
            guard case .string(let text) = arguments[0].kind else { return nil }
            return value(of: text)
        }
    }

    private func value(of text: String) -> ScenarioValue? {
        switch self {
        case .base64: Data(base64Encoded: text).map { .data($0) }
        case .date: DateNotation.date(text).map { .date($0) }
        case .url: URL(string: text).flatMap { $0.scheme == nil ? nil : .url($0) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .data, .repeat: nil
        }
    }
}

/// Dates as scenario files write them: ISO 8601 in UTC, to the millisecond.
enum DateNotation {
    static func date(_ text: String) -> Date? {
        let formats: [Date.ISO8601FormatStyle] = [
            .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
        ]
        for format in formats {
            // A format reads a prefix of the text; only a text that it writes the same way is meant.
            if let date = try? format.parse(text), format.format(date) == text { return date }
        }
        return nil
    }

    static func text(_ date: Date) -> String {
        let whole = Date.ISO8601FormatStyle.iso8601.format(date)
        if Date.ISO8601FormatStyle.iso8601.fractionalPart(of: date) {
            return Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
        }
        return whole
    }
}

extension Date.ISO8601FormatStyle {
    fileprivate func fractionalPart(of date: Date) -> Bool {
        date.timeIntervalSince1970 != date.timeIntervalSince1970.rounded(.down)
    }
}
