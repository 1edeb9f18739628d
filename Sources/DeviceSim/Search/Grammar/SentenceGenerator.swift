import DeviceSimCore
import DeviceSimLanguage

/// Draws scenarios by the grammar alone (grammar-based generation; Purdom, "A Sentence Generator for Testing Parsers", 1972): keys of any declaration, and lines of any
/// form with anything in their slots. So runs come to what neither somebody wrote nor a draw was made for.
///
/// Lines that mean nothing where they stand are left out.
struct SentenceGenerator {
    private var random: SeededGenerator
    private var slots: SlotContents
    /// How many keys there are.
    private var count = 0
    /// Whether a later version of the app declares a key in another's stead.
    private var isRenewed = false

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
        var keys: [KeyLines] = []
        for _ in 0..<[0, 1, 1, 2, 2, 3, 4][random.below(7)] {
            keys.append(key(random.below(2) == 0 ? ["sync automaticSmall"] : []))
        }
        for index in keys.indices where random.below(4) == 0 { keys.append(successor(of: &keys[index])) }
        return keys.flatMap(\.lines)
    }

    /// A key and the lines of its block, one for each aspect.
    private struct KeyLines {
        let name: String
        let type: ScenarioType
        var block: [String]

        var lines: [String] { ["key \(name): \(type)"] + block.map { "    \($0)" } }

        /// Whether there is a line of that aspect.
        func says(_ aspect: Substring) -> Bool { block.contains { SentenceGenerator.aspect($0) == aspect } }

        mutating func drop(_ aspects: Set<Substring>) { block.removeAll { aspects.contains(SentenceGenerator.aspect($0)) } }
    }

    /// A key that says those things, and more.
    private mutating func key(_ said: [String], of type: ScenarioType? = nil) -> KeyLines {
        count += 1
        var key = KeyLines(name: "k\(count)", type: slots.declare("k\(count)", type), block: said)
        for _ in 0..<(1 + random.below(6)) {
            guard let line = line(of: Self.attributes), !key.says(Self.aspect(line)) else { continue }
            key.block.append(line)
        }
        return key
    }

    /// What a later version of the app declares in a key's stead: the same in another form or with other policies, or a value that moves from there.
    private mutating func successor(of key: inout KeyLines) -> KeyLines {
        let (last, first) = random.below(4) == 0 ? ("2.9", "3.0") : ("1.9", "2.0")
        // No version has a key that ends before it begins.
        if key.block.contains(where: { $0.hasPrefix("since 2") || $0.hasPrefix("since 3") }) { key.drop(["since"]) }
        key.drop(["until"])
        key.block.append("until \(last)")
        isRenewed = true
        // Each aspect is as it was, or drawn anew, or not said any more.
        var said = key.block.filter { line in
            let aspect = Self.aspect(line)
            if ["since", "until", "migrates", "when"].contains(aspect) { return false }
            return Self.ofOneValue.contains(aspect) || random.below(aspect == "sync" ? 6 : 3) != 0
        }
        said.append("since \(first)")
        let moves = random.below(2) == 0 && !key.block.contains(where: { $0.contains("custom") })
        if moves {
            said.removeAll { Self.aspect($0) == "name" }
            said.append("migrates from \(key.name)")
        } else if !said.contains(where: { Self.aspect($0) == "name" }) {
            said.append("name \"\(key.name)\"")
        }
        if random.below(3) == 0, !said.contains(where: { Self.aspect($0) == "schema" }) { said.append("schema 2") }
        var new = self.key(said, of: key.type)
        // What one version writes another one reads only in one form; and a value that moves does so on both devices.
        new.block.removeAll { line in
            let aspect = Self.aspect(line)
            return aspect == "when" || (Self.ofOneValue.contains(aspect) && aspect != "name" && !key.block.contains(line))
        }
        return new
    }

    /// What two versions of an app must say alike of one value.
    private static let ofOneValue: Set<Substring> = ["name", "serializer", "watch"]

    private static func aspect(_ line: String) -> Substring { line.hasPrefix("migrates when") ? "when" : line.prefix { $0 != " " } }

    private mutating func steps() -> [String] {
        var lines: [String] = (0..<(4 + random.below(24))).compactMap { _ in
            for (slot, forms) in Self.uses where slots.knows(slot) && random.below(8) == 0 { return line(of: forms) }
            let topic = Self.topics[random.below(Self.topics.count)]
            return line(of: Self.forms[topic] ?? [])
        }
        guard isRenewed else { return lines }
        // Versions that declare other keys are of use only to who comes to them.
        for version in ["3.0", "2.0"] where version == "2.0" || random.below(3) == 0 {
            for device in ["phone", "watch"] where random.below(3) != 0 {
                // With the later version the part behind is the shorter one.
                let place = version == "2.0" ? random.below(lines.count + 1) : lines.count / 2 + random.below(lines.count / 2 + 1)
                lines.insert(contentsOf: ["\(device) update to \(version)", "\(device) launch"], at: place)
            }
        }
        return lines
    }

    private mutating func line(of forms: [Form]) -> String? {
        forms.isEmpty ? nil : forms[random.below(forms.count)].sentence(by: &slots)
    }

    /// Lines that speak of what a line before gave a name to: both would seldom come together, and a restore is a great deal.
    private static let uses: [(Slot, [Form])] = [Slot.backup, .snapshot].map { slot in
        (slot, Vocabulary.forms.filter { [.data, .device].contains($0.topic) && $0.pattern.text.contains(" \(slot.rawValue)") })
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
