import DeviceSimCore

/// What a number token can mean: a JSON number, a count, a time, a version.
enum NumberNotation {
    /// A number of JSON. Without fraction and exponent it is an integer.
    static func value(of token: Token) throws(ValueParser.Problem) -> ScenarioValue {
        guard isJSON(token.text) else {
            let isTime = duration(of: token) != nil
            throw ValueParser.Problem(
                range: token.range, message: "`\(token.text)` is not a number\(isTime ? " but a time" : "")",
                hint: isTime ? "a value is expected here, such as `5` or `\"\(token.text)\"`" : "such as `42`, `-1`, `0.5` or `1e9`")
        }
        if !token.text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }) {
            if let integer = Int64(token.text) { return token.text == "-0" ? .double(-0.0) : .integer(integer) }
            if let unsigned = UInt64(token.text) { return .unsigned(unsigned) }
            throw ValueParser.Problem(
                range: token.range, message: "`\(token.text)` does not fit an integer of 64 bits",
                hint: "write `\(token.text).0` for a Double")
        }
        guard let double = Double(token.text), double.isFinite else {
            throw ValueParser.Problem(range: token.range, message: "`\(token.text)` does not fit a Double", hint: nil)
        }
        return .double(double)
    }

    /// A whole number, not negative, that fits an `Int`.
    static func count(of token: Token) -> Int? {
        guard token.kind == .number, token.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(token.text)
    }

    static let units: [(name: String, microseconds: Int64)] = [
        ("us", 1), ("ms", 1_000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000),
    ]

    /// The unit that people mean by a word behind a number.
    static func unit(spelled word: String) -> String? {
        let word = word.lowercased()
        if units.contains(where: { $0.name == word }) { return word }
        return switch word {
        case "microsecond", "microseconds": "us"
        case "msec", "millisecond", "milliseconds": "ms"
        case "sec", "secs", "second", "seconds": "s"
        case "m", "mins", "minute", "minutes": "min"
        case "hr", "hrs", "hour", "hours": "h"
        case "day", "days": "d"
        default: nil
        }
    }

    /// How many bytes people mean by a number and a unit behind it, such as `10 MB`.
    static func bytes(_ number: Int, unit: String) -> Int? {
        let unit = unit.lowercased()
        let steps = ["b", "k", "m", "g"].firstIndex { unit.hasPrefix($0) && ["", "b", "ib"].contains(unit.dropFirst()) }
        guard let steps, unit != "bb", unit != "bib" else { return nil }
        let factor = (0..<steps).reduce(1) { size, _ in size * (unit.hasSuffix("ib") ? 1_024 : 1_000) }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : bytes
    }

    /// The longest time that a file can speak of: ten years.
    static let maximumDuration = VirtualDuration.seconds(10 * 366 * 86_400)

    /// ``maximumDuration`` as a file writes it.
    static var maximumDurationText: String { "\(maximumDuration.microseconds / 86_400_000_000)d" }

    /// A time: `200ms`, `5s`, `1.5s`, `2min`, `1h`, `7d`. Not negative; exact to the microsecond; at most ``maximumDuration``.
    static func duration(of token: Token) -> VirtualDuration? {
        guard case .fits(let microseconds)? = time(of: token) else { return nil }
        return VirtualDuration(microseconds: microseconds)
    }

    /// Whether it is written as a time, and longer than ``maximumDuration``.
    static func isTooLong(_ token: Token) -> Bool {
        if case .isTooLong? = time(of: token) { true } else { false }
    }

    private enum Time {
        /// In microseconds.
        case fits(Int64)
        case isTooLong
    }

    /// What is written as a time, however long.
    private static func time(of token: Token) -> Time? {
        guard token.kind == .number, let split = token.text.firstIndex(where: \.isLetter),
            let unit = units.first(where: { $0.name == token.text[split...] })
        else { return nil }
        let parts = token.text[..<split].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, !first.isEmpty, first.utf8.allSatisfy(isDigit) else { return nil }
        var part: Int64 = 0
        if parts.count == 2 {
            guard (1...9).contains(parts[1].count), let digits = Int64(parts[1]), digits >= 0 else { return nil }
            let scale = (0..<parts[1].count).reduce(Int64(1)) { power, _ in power * 10 }
            let (scaled, tooLarge) = digits.multipliedReportingOverflow(by: unit.microseconds)
            guard !tooLarge, scaled % scale == 0 else { return nil }
            part = scaled / scale
        }
        // Digits alone that are no number are too many.
        guard let whole = Int64(first) else { return .isTooLong }
        let (product, isBeyond) = whole.multipliedReportingOverflow(by: unit.microseconds)
        guard !isBeyond, product <= maximumDuration.microseconds, product + part <= maximumDuration.microseconds else { return .isTooLong }
        return .fits(product + part)
    }

    private static func isJSON(_ text: String) -> Bool {
        var bytes = Substring(text).utf8
        if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
        guard let first = bytes.first, takeDigits(&bytes) else { return false }
        if first == UInt8(ascii: "0"), text.utf8.drop(while: { $0 == UInt8(ascii: "-") }).dropFirst().first.map(isDigit) == true {
            return false
        }
        if bytes.first == UInt8(ascii: ".") {
            bytes.removeFirst()
            guard takeDigits(&bytes) else { return false }
        }
        if let letter = bytes.first, letter | 0x20 == UInt8(ascii: "e") {
            bytes.removeFirst()
            if bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
            guard takeDigits(&bytes) else { return false }
        }
        return bytes.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func takeDigits(_ bytes: inout Substring.UTF8View) -> Bool {
        let rest = bytes.drop(while: isDigit)
        guard rest.startIndex > bytes.startIndex else { return false }
        bytes = rest
        return true
    }
}

extension VirtualDuration {
    /// The longest time that scenario files and options speak of, as they write it.
    public static var longestNotation: String { NumberNotation.maximumDurationText }

    /// A time as scenario files write it: `200ms`, `1.5s`, `2min`, `1h`, `7d`. Not negative, and at most ``longestNotation``.
    public init?(notation text: String) {
        let place = SourceRange(path: "", line: 1, column: 1, length: 1)
        guard let duration = NumberNotation.duration(of: Token(kind: .number, text: text, range: place)) else { return nil }
        self = duration
    }
}
