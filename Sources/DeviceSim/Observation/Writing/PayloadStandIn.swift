import DeviceSimCore
import Foundation

/// What stands for a payload of which a log has the names, the size and perhaps a digest: the same names, the same size, and other content for another
/// payload.
struct PayloadStandIn {
    /// Which payload it is: equal numbers, equal content.
    private var numbers: [String: Int] = [:]

    /// - Parameter identity: The digest, or what else tells this payload from others.
    mutating func value(keys: [String]?, bytes: Int?, identity: String) -> ScenarioValue {
        let number = numbers[identity] ?? numbers.count + 1
        numbers[identity] = number
        guard let keys else {
            // Bare data has no names. Where not even a size is known, anything will do.
            return bytes.map { .data(ScenarioValue.patternData(count: min(max(0, $0), Self.largest))) }
                ?? .object(["n": .integer(Int64(number))])
        }
        return object(keys.map(Self.name).sorted(), bytes: min(bytes ?? 0, Self.largest), number: number)
    }

    /// No session takes more, whatever a log says.
    private static let largest = 1 << 20

    /// LocalData would read what comes under its own name.
    private static func name(_ key: String) -> String { key.hasPrefix("com.localdata.") ? "snapshot" : key }

    /// The first entry is the number, or a text that makes up the size; the others are flags.
    private func object(_ keys: [String], bytes: Int, number: Int) -> ScenarioValue {
        guard let first = keys.first else { return .object([:]) }
        var entries = Dictionary(keys.map { ($0, ScenarioValue.bool(true)) }, uniquingKeysWith: { one, _ in one })
        entries[first] = .integer(Int64(number))
        guard let least = ScenarioValue.object(entries).payloadByteCount, least < bytes else { return .object(entries) }
        // The marker before a long text has some bytes itself, so the length is looked for from above.
        var length = bytes - least + 2
        while length > 0 {
            entries[first] = .string(Self.text(number, length: length))
            guard let size = ScenarioValue.object(entries).payloadByteCount, size > bytes else { break }
            length -= max(1, size - bytes)
        }
        return .object(entries)
    }

    private static func text(_ number: Int, length: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        if length > 64 { return String(repeating: letters[number % letters.count], count: length) }
        let digits = String(number)
        return digits.count >= length ? String(digits.suffix(length)) : digits + String(repeating: ".", count: length - digits.count)
    }
}
