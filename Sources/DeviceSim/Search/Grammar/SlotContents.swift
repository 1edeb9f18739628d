import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// What stands in the slots of drawn lines: names that the lines before gave, values of the keys' types, and sizes, numbers and texts at the edges of what is allowed
/// (boundary values; Myers, "The Art of Software Testing", 1979) as often as plain ones.
struct SlotContents: Form.SentenceMaker {
    /// Whether lines may speak of a second watch.
    var hasSecondWatch = false

    private var random: SeededGenerator
    private var keys: [(name: String, type: ScenarioType)] = []
    private var labels: [Slot: [String]] = [:]
    private var count = 0
    /// The type of the key that the line spoke of last.
    private var type: ScenarioType?

    init(_ random: SeededGenerator) {
        self.random = random
    }

    /// A key is declared from now on.
    /// - Parameter known: Its type; `nil` draws one.
    /// - Returns: Its type.
    mutating func declare(_ name: String, _ known: ScenarioType? = nil) -> ScenarioType {
        let type = known ?? Self.types[random.below(Self.types.count)]
        keys.append((name, type))
        return type
    }

    /// Whether a line gave a name to something of that kind.
    func knows(_ slot: Slot) -> Bool { labels[slot]?.isEmpty == false }

    /// A line that lowers one of the limits of the session, so that what is drawn comes near to it.
    mutating func limit() -> String {
        "knob \(one(of: ["context.limit", "message.limit", "userInfo.limit", "file.metadataLimit"])) \(60 + random.below(400)) bytes"
    }

    private static let types: [ScenarioType] = [
        .string, .string, .string, .string, .int, .int, .double, .bool, .data, .date, .array(.string), .array(.int), .any,
    ]

    // MARK: What a pattern leaves open

    mutating func alternative(of count: Int) -> Int { random.below(count) }

    mutating func hasOptional() -> Bool { random.below(3) == 0 }

    mutating func content(of slot: Slot, in form: Form) -> String? {
        switch slot {
        case .device: return device(["phone", "watch"])
        case .watch: return device(["watch"])
        case .subject: return one(of: ["phone", "watch", "apps", "devices"])
        case .key:
            guard !keys.isEmpty else { return nil }
            let key = keys[random.below(keys.count)]
            type = key.type
            return key.name
        case .name:
            count += 1
            let label = "l\(count)"
            if let kind = Self.kind(of: form) { labels[kind, default: []].append(label) }
            return label
        case .message, .transfer, .snapshot, .backup:
            guard let known = labels[slot], !known.isEmpty else { return nil }
            return known[random.below(known.count)]
        case .catalog: return one(of: ["Scenario", "Extra"])
        case .string: return string(in: form)
        case .value: return value(in: form)
        case .object: return object(Self.beside, depth: 0, isAtLimit: random.below(8) == 0)
        case .bytes: return "\(size()) bytes"
        case .count: return "\(one(of: [1, 1, 2, 2, 3, 3, 5, 8, 17]))"
        case .number: return "\(one(of: [0, 1, 2, 100]))"
        case .time: return one(of: Self.times)
        case .version: return one(of: ["0.9", "1.0", "1.0", "1.9", "2.0", "2.0", "3.0"])
        case .type: return "\(Self.types[random.below(Self.types.count)])"
        case .mark, .facts, .arguments, .rest, .setting, .app, .knob: return nil
        default: return slot.words.map { one(of: $0) }
        }
    }

    private mutating func one<Element>(of elements: [Element]) -> Element { elements[random.below(elements.count)] }

    private mutating func device(_ names: [String]) -> String {
        hasSecondWatch && random.below(4) == 0 ? "watch2" : one(of: names)
    }

    /// What a line gives a name to.
    private static func kind(of form: Form) -> Slot? {
        let text = form.pattern.text
        return switch form.topic {
        case .session: .message
        case .transfer: .transfer
        case .data where text.contains("snapshot"): .snapshot
        case .device where text.contains("backup"): .backup
        default: nil
        }
    }

    // MARK: Times, sizes and texts

    private static let times = [
        "1us", "1ms", "20ms", "100ms", "300ms", "1s", "1s", "3s", "5s", "10s", "30s", "1min", "2min", "10min", "1h", "1d", "8d",
    ]

    /// Sizes at which something changes: powers of two, what a file system, the preferences, a keychain or a session take, and what travels by itself.
    private static let sizes = [
        0, 1, 16, 32, 64, 128, 255, 256, 1_024, 4_096, 1 << 14, 32_768, 65_536, SyncPolicy.maximumAutomaticByteCount, 262_144,
    ]

    private mutating func size() -> Int {
        guard random.below(3) != 0 else { return random.below(300) }
        return max(0, one(of: Self.sizes) + random.below(3) - 1)
    }

    private static let names = [
        "a", "group.com.example", "group.com.other", "com.example.other", "Documents", "card", "Card", "a/b", "a:b", "50%", ".hidden", "..",
        "Ünïcode é", "ß",
        "日本", "x y", "k1", "\u{1F44B}\u{1F3FD}", "tmp-1",
    ]

    private static let files = [
        "Documents/photo", "Documents/photo", "Documents/a b", "Documents/deep/er/file", "Library/Caches/clip", "Documents/Received/photo",
        "tmp/x",
    ]

    private mutating func string(in form: Form) -> String {
        if form.pattern.text.contains(" file STRING") || form.pattern.text.contains("files in STRING") {
            return ScenarioValue.quoted(one(of: Self.files))
        }
        if random.below(5) < 3, let example = Self.quoted(in: form.example) { return example }
        // A name that is as long as one can be, or longer.
        if random.below(8) == 0 { return ScenarioValue.quoted(String(repeating: "n", count: one(of: [63, 64, 255, 256, 1_024, 1_025]))) }
        return ScenarioValue.quoted(one(of: Self.names))
    }

    private static func quoted(in example: String) -> String? {
        let parts = example.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count > 2 ? "\"\(parts[1])\"" : nil
    }

    // MARK: Values

    private mutating func value(in form: Form) -> String {
        if form.pattern.text.contains("KEY VALUE"), let type { return value(of: type) }
        switch form.topic {
        case .transfer: return random.below(2) == 0 ? bytes() : text(Self.beside)
        case .session:
            return form.pattern.text.contains("send data") || random.below(2) == 0
                ? bytes() : object(Self.beside, depth: 0, isAtLimit: false)
        default: return random.below(3) == 0 ? leaf(Self.beside) : random.below(2) == 0 ? bytes() : text(Self.beside)
        }
    }

    private mutating func value(of type: ScenarioType) -> String {
        switch type {
        case .string: text(Self.kept)
        case .int: one(of: Self.kept.integers)
        case .double: one(of: Self.kept.reals)
        case .bool: one(of: ["true", "false"])
        case .data: bytes()
        case .date: one(of: Self.kept.dates)
        case .array(let element): list { $0.value(of: element) }
        case .any, .codable: random.below(2) == 0 ? leaf(Self.kept) : object(Self.kept, depth: 0, isAtLimit: false)
        }
    }

    /// Numbers, times, and what texts are made of, many of them at the edges.
    private struct Scalars {
        let texts: [String]
        /// A letter of ASCII, and one of two bytes.
        let letters: (String, String)
        let integers: [String]
        let reals: [String]
        let dates: [String]
    }

    /// Those of the keys. The trace tells of places, and so of the folder.
    private static let kept = Scalars(
        texts: names.filter { $0 != "Documents" }, letters: ("x", "ü"),
        integers: [
            "0", "1", "7", "-1", "255", "65536", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807",
            "-9223372036854775808",
        ],
        reals: ["0.5", "-1.25", "2.0", "1e300", "5e-324", "0.1"],
        dates: [
            "date(\"2026-01-01\")", "date(\"2001-01-01T00:00:00Z\")", "date(\"1969-12-31T23:59:59Z\")",
            "date(\"2026-11-28T09:00:00.123Z\")",
        ])

    /// Those that apps send and write beside their keys: others, since what a secret key has must be found nowhere else.
    private static let beside = Scalars(
        texts: [
            "b", "group.org.seen", "Folder", "map", "b/c", "b:c", "51%", ".seen", "Ÿøü ñ", "ÿ", "本", "v w", "q1", "\u{1F680}", "seen-1",
        ],
        letters: ("y", "ö"),
        integers: [
            "0", "1", "7", "-1", "254", "65535", "2147483646", "2147483649", "-2147483647", "-2147483650", "9223372036854775806",
            "-9223372036854775807", "9223372036854775808",
        ],
        reals: ["0.5", "-1.25", "2.0", "1e299", "1e-320", "0.2"],
        dates: [
            "date(\"2026-01-02\")", "date(\"2001-01-01T00:00:01Z\")", "date(\"1969-12-31T23:59:58Z\")",
            "date(\"2026-11-28T09:00:00.124Z\")",
        ])

    private mutating func text(_ scalars: Scalars) -> String {
        count += 1
        switch random.below(8) {
        case 0: return "repeat(\"\(scalars.letters.0)\", \(size()))"
        case 1: return ScenarioValue.quoted(one(of: scalars.texts))
        case 2: return "\"\""
        // In preferences a letter has two bytes as soon as one is no ASCII.
        case 3: return "repeat(\"\(scalars.letters.1)\", \(size() / 2))"
        // None is the beginning of another.
        default: return "\"text\(100 + count)\""
        }
    }

    private mutating func bytes() -> String { "data(\(size()) bytes)" }

    private mutating func list(_ element: (inout SlotContents) -> String) -> String {
        "[" + (0..<random.below(4)).map { _ in element(&self) }.joined(separator: ", ") + "]"
    }

    private mutating func leaf(_ scalars: Scalars) -> String {
        switch random.below(12) {
        case 0..<3: text(scalars)
        case 3..<6: one(of: scalars.integers)
        case 6, 7: one(of: scalars.reals)
        case 8: one(of: ["true", "false"])
        case 9: one(of: scalars.dates)
        case 10: bytes()
        default: one(of: ["null", "uuid(\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\")", "url(\"https://example.com\")"])
        }
    }

    /// - Parameter isAtLimit: Whether it is about as large as a payload may be.
    private mutating func object(_ scalars: Scalars, depth: Int, isAtLimit: Bool) -> String {
        var entries = (0..<random.below(4)).map { number -> String in
            let name = random.below(6) == 0 ? ScenarioValue.quoted(one(of: scalars.texts)) : "\"e\(number)\""
            let value: String
            switch depth < 3 ? random.below(6) : 0 {
            case 4: value = list { $0.leaf(scalars) }
            case 5: value = object(scalars, depth: depth + 1, isAtLimit: false)
            default: value = leaf(scalars)
            }
            return "\(name): \(value)"
        }
        if isAtLimit {
            // Of data, a property list keeps the name, five bytes of length, and places of four bytes for each of its parts: some sixty bytes.
            entries = ["\"pad\": data(\(one(of: [65_536, 65_536, 262_144]) - 40 - random.below(60)) bytes)"]
        }
        return "{" + entries.joined(separator: ", ") + "}"
    }
}
