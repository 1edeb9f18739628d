import Foundation

/// Gives a target its inputs, one after the other, and stops at the first that breaks a promise.
public struct Fuzzer: Sendable {
    public let target: FuzzTarget
    public let settings: FuzzSettings

    public init(_ target: FuzzTarget, settings: FuzzSettings = .fromEnvironment) {
        self.target = target
        self.settings = settings
    }

    /// What became of the inputs.
    public struct Summary: Sendable, CustomStringConvertible {
        public let target: String
        public internal(set) var read = 0
        public internal(set) var refused = 0
        public internal(set) var slowest = 0.0
        public internal(set) var seconds = 0.0
        public internal(set) var failure: FuzzFailure?

        public var count: Int { read + refused }

        public var description: String {
            let rate = seconds > 0 ? Int(Double(count) / seconds) : 0
            return
                "fuzzing: \(target): \(count) inputs, \(read) read, \(refused) refused, \(rate) a second, slowest \(Int(slowest * 1000)) ms"
        }
    }

    public func run() async -> Summary {
        var summary = Summary(target: target.name)
        let begin = Self.now
        let slot = FuzzNote.enter(target.name, seed: settings.seed)
        defer { FuzzNote.leave(slot) }
        for number in inputs {
            FuzzNote.note(number, in: slot)
            let input = input(number)
            // Before it is read: it may be the last thing that the process does.
            if case .number? = settings.replay { print("fuzzing: \(target):\(FuzzHex.text(input))") }
            let start = Self.now
            let outcome = await outcome(of: input)
            let seconds = Self.now - start
            summary.slowest = max(summary.slowest, seconds)
            switch outcome {
            case .read: summary.read += 1
            case .refused: summary.refused += 1
            case .broken(let law):
                summary.failure = FuzzFailure(
                    target: target.name, seed: settings.seed, number: number, law: law, input: await minimized(input, breaking: law))
                return summary
            }
            if seconds > settings.maximumSeconds {
                summary.failure = FuzzFailure(
                    target: target.name, seed: settings.seed, number: number, law: "takes \(Int(seconds * 1000)) ms", input: input)
                return summary
            }
        }
        summary.seconds = Self.now - begin
        return summary
    }

    private var inputs: Range<Int> {
        switch settings.replay {
        case nil: 0..<max(1, settings.count * target.share / 100)
        case .number(let target, _, let number)?: target == self.target.name ? number..<number + 1 : 0..<0
        case .bytes(let target, _)?: target == self.target.name ? 0..<1 : 0..<0
        }
    }

    private func input(_ number: Int) -> [UInt8] {
        if case .bytes(_, let bytes)? = settings.replay { return bytes }
        // Those that are in order come first: a target that refuses them tests nothing.
        if number < target.seeds.count { return target.seeds[number] }
        var seed = settings.seed
        if case .number(_, let named, _)? = settings.replay { seed = named }
        var random = FuzzGenerator(seed: seed, target: target.name, number: number)
        return FuzzMutator(target: target).input(&random)
    }

    private enum Outcome {
        case read, refused
        case broken(String)
    }

    private func outcome(of input: [UInt8]) async -> Outcome {
        do {
            try await target.read(input)
            return .read
        } catch let violation as FuzzViolation {
            return .broken(violation.law)
        } catch {
            return target.promises(error) ? .refused : .broken("throws \(type(of: error)): \(error)")
        }
    }

    // MARK: Smaller inputs that fail alike

    private func minimized(_ input: [UInt8], breaking law: String) async -> [UInt8] {
        var smallest = input
        var attempts = 2_000
        var piece = max(1, input.count / 2)
        while attempts > 0 {
            var isSmaller = false
            var start = 0
            while start < smallest.count, attempts > 0 {
                attempts -= 1
                var candidate = smallest
                candidate.removeSubrange(start..<min(smallest.count, start + piece))
                if case .broken(law) = await outcome(of: candidate) {
                    smallest = candidate
                    isSmaller = true
                } else {
                    start += piece
                }
            }
            if piece == 1, !isSmaller { break }
            piece = max(1, piece / 2)
        }
        return smallest
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// An input that broke a promise.
public struct FuzzFailure: Sendable, CustomStringConvertible {
    public let target: String
    public let seed: UInt64
    public let number: Int
    public let law: String
    /// As small as it could be made.
    public let input: [UInt8]

    public var description: String {
        """
        \(target): \(law)
            input \(number) of seed \(seed), \(input.count) bytes when made smaller: \(String(decoding: input, as: UTF8.self).debugDescription)
            replay with: LOCALDATA_FUZZ_INPUT=\(target):\(FuzzHex.text(input)) swift test --filter FuzzTests
        """
    }
}
