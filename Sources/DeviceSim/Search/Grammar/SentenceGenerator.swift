import DeviceSimCore
import DeviceSimLanguage

/// Draws scenarios by the grammar alone (grammar-based generation; Purdom, "A Sentence Generator for Testing Parsers", 1972): keys of any declaration, and lines of any
/// form with anything in their slots. So runs come to what neither somebody wrote nor a draw was made for.
///
/// Lines that mean nothing where they stand are left out.
struct SentenceGenerator {
    private var random: SeededGenerator
    private var slots: SlotContents

    /// - Parameter random: Decides everything.
    init(_ random: SeededGenerator) {
        self.random = random.fork("sentences")
        slots = SlotContents(random.fork("slots"))
    }

    /// What such a scenario is called.
    static let name = "grammar"

    /// A scenario; `nil` where next to nothing of what was drawn means anything.
    mutating func scenario() -> Scenario? {
        var lines = start() + keys() + steps()
        for _ in 0..<Self.rounds {
            let text = lines.joined(separator: "\n") + "\n"
            let compilation = ScenarioCompiler.compile(path: Self.name, files: .memory([Self.name: text]))
            if compilation.diagnostics.isEmpty { return compilation.scenarios.first.flatMap { $0.steps.isEmpty ? nil : $0 } }
            lines = Self.without(Set(compilation.diagnostics.map(\.range.line)), lines)
            guard !lines.isEmpty else { return nil }
        }
        return nil
    }

    /// What is wrong shows in turns: a line that speaks of a key is wrong once the key has been left out.
    private static let rounds = 8

    /// The lines without those, and a key's block with the key.
    private static func without(_ numbers: Set<Int>, _ lines: [String]) -> [String] {
        var left: [String] = []
        var isLeavingBlock = false
        for (index, line) in lines.enumerated() {
            let isWrong = numbers.contains(index + 1)
            if line.hasPrefix(" ") {
                if !isWrong, !isLeavingBlock { left.append(line) }
            } else {
                isLeavingBlock = isWrong
                if !isWrong { left.append(line) }
            }
        }
        return left
    }

    // MARK: Lines

    private mutating func start() -> [String] {
        var lines: [String] = []
        if random.below(6) == 0 {
            slots.hasSecondWatch = true
            lines.append("start second watch")
        }
        while random.below(3) == 0 { lines += line(of: Self.starts).map { [$0] } ?? [] }
        while random.below(4) == 0 { lines.append(slots.limit()) }
        return lines
    }

    private mutating func keys() -> [String] {
        (0..<[0, 1, 1, 2, 2, 3, 4][random.below(7)]).flatMap { number -> [String] in
            let type = slots.declare("k\(number + 1)")
            var block: [String] = random.below(2) == 0 ? ["sync automaticSmall"] : []
            for _ in 0..<(1 + random.below(6)) {
                guard let line = line(of: Self.attributes), !block.contains(where: { Self.aspect($0) == Self.aspect(line) }) else {
                    continue
                }
                block.append(line)
            }
            return ["key k\(number + 1): \(type)"] + block.map { "    \($0)" }
        }
    }

    private static func aspect(_ line: String) -> Substring { line.hasPrefix("migrates when") ? "when" : line.prefix { $0 != " " } }

    private mutating func steps() -> [String] {
        (0..<(4 + random.below(24))).compactMap { _ in
            let topic = Self.topics[random.below(Self.topics.count)]
            return line(of: Self.forms[topic] ?? [])
        }
    }

    private mutating func line(of forms: [Form]) -> String? {
        forms.isEmpty ? nil : forms[random.below(forms.count)].sentence(by: &slots)
    }

    private static let starts = forms(of: .start)
    private static let attributes = forms(of: .attribute)
    private static let forms = Dictionary(uniqueKeysWithValues: Set(topics).map { ($0, forms(of: $0)) })

    private static func forms(of topic: Form.Topic) -> [Form] {
        Vocabulary.forms.filter { $0.topic == topic && !leftOut.contains($0.pattern.text) }
    }

    /// Lines that have a block, or speak of what only an embedding test has.
    private static let leftOut: Set = ["together", "mark NAME", "DEVICE app does STRING [with VALUE] [OUTCOME]"]

    /// As often as each of them stands here.
    private static let topics: [Form.Topic] = [
        .data, .data, .data, .data, .transfer, .transfer, .session, .session, .device, .device, .link, .fault, .time, .time,
    ]
}
