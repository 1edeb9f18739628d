import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Values that nothing else in a run has: a value that is found somewhere tells which step wrote it.
struct ValueSource {
    private var count = 0

    /// Words first: a scenario that a person is to read had better hold no random bytes.
    private static let words = [
        "amber", "birch", "cedar", "delta", "ember", "frost", "grove", "haven", "ivory", "jolly", "karma", "lemon", "maple", "north",
        "ocean",
        "pearl", "quartz", "river", "stone", "tiger", "umbra", "violet", "willow", "yarrow", "zephyr",
    ]

    /// A fresh text that is too large to travel by itself. No part of it is any other value.
    mutating func nextTooLarge() -> ScenarioValue {
        defer { count += 1 }
        let letter = UInt8(ascii: "a") + UInt8(count % 26)
        // As bytes: a text that is put together of characters costs six million instructions.
        let bytes = [UInt8](repeating: letter, count: SyncPolicy.maximumAutomaticByteCount + 1 + count)
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// A fresh value; `nil` for a type that has too few.
    mutating func next(of type: ScenarioType) -> ScenarioValue? {
        defer { count += 1 }
        let round = count / Self.words.count
        let word = Self.words[count % Self.words.count] + (round == 0 ? "" : "\(round + 1)")
        return type.value(word, count + 1)
    }
}

extension ScenarioType {
    /// A value that is told by a word or a number that nothing else has; `nil` for a type that has too few values, or of which nobody knows what it takes.
    func value(_ word: String, _ number: Int) -> ScenarioValue? {
        switch self {
        case .string, .any: .string(word)
        case .int: .integer(Int64(number))
        case .double: .double(Double(number) + 0.5)
        case .data: .data(.init(word.utf8))
        case .array(.string): .array([.string(word)])
        case .array(.int): .array([.integer(Int64(number))])
        case .bool, .date, .array, .codable: nil
        }
    }
}
