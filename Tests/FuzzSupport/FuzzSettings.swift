import Foundation

/// How much is fuzzed, and with what.
///
/// `LOCALDATA_FUZZ=1000000` gives the targets of each suite about so many inputs between them, `LOCALDATA_FUZZ_SEED=2` other ones,
/// `LOCALDATA_FUZZ_INPUT=target:hex` (or `target:seed:number`) only that one.
public struct FuzzSettings: Sendable {
    /// For a target with a share of 100.
    public var count: Int
    public var seed: UInt64
    /// The longest that one input may take. Generous, since the machine may have other work.
    public var maximumSeconds: Double
    public var replay: Replay?
    /// Whether somebody asked for a run of its own, with figures.
    public var isLong = false

    public enum Replay: Sendable {
        case bytes(target: String, [UInt8])
        case number(target: String, seed: UInt64, number: Int)
    }

    public init(count: Int, seed: UInt64 = 1, maximumSeconds: Double = 5) {
        self.count = count
        self.seed = seed
        self.maximumSeconds = maximumSeconds
    }

    /// A short run, unless the environment asks for another.
    public static let fromEnvironment: FuzzSettings = {
        let variables = ProcessInfo.processInfo.environment
        var settings = FuzzSettings(count: 300, seed: variables["LOCALDATA_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1)
        settings.replay = variables["LOCALDATA_FUZZ_INPUT"].flatMap(Replay.init)
        return settings
    }()

    /// The settings with which `targets` get the number of inputs that the environment asks for between them.
    public static func fromEnvironment(for targets: [FuzzTarget]) -> FuzzSettings {
        var settings = fromEnvironment
        let shares = targets.reduce(0) { $0 + $1.share }
        if let total = ProcessInfo.processInfo.environment["LOCALDATA_FUZZ"].flatMap({ Int($0) }), shares > 0 {
            settings.count = (total * 100 + shares - 1) / shares
            settings.isLong = true
        }
        return settings
    }
}

extension FuzzSettings.Replay {
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 3, let seed = UInt64(parts[1]), let number = Int(parts[2]) {
            self = .number(target: parts[0], seed: seed, number: number)
        } else if parts.count == 2, let bytes = FuzzHex.bytes(parts[1]) {
            self = .bytes(target: parts[0], bytes)
        } else {
            return nil
        }
    }
}

/// Bytes as hexadecimal text, and back.
public enum FuzzHex {
    public static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
