import DeviceSimCore

/// One kind of line: its shape, what it does, an example, and how it becomes a part of the scenario. The vocabulary lists them all.
package struct Form: Sendable {
    package let topic: Topic
    package let pattern: Pattern
    /// What it does, in a few words.
    package let help: String
    /// A line that the form reads, such as people write it.
    package let example: String
    /// What the line means; `nil` if it means nothing, which was reported then.
    let build: @Sendable (Match) -> Meaning?
    /// The second word of such lines, if it is always the same: most lines of a device are told apart by it.
    let secondWord: String?

    init(_ topic: Topic, _ pattern: String, _ help: String, example: String, build: @escaping @Sendable (Match) -> Meaning?) {
        self.topic = topic
        let pattern = Pattern(pattern)
        self.pattern = pattern
        self.help = help
        self.example = example
        self.build = build
        if pattern.elements.count > 1, case .word(let word) = pattern.elements[1] { secondWord = word } else { secondWord = nil }
    }

    /// What a device does in such lines: the word behind the device, or behind what may stand between.
    var verb: String? {
        pattern.elements.dropFirst().prefix(2).lazy.compactMap { if case .word(let word) = $0 { word } else { nil } }.first
    }

    /// Where such lines stand, and under which heading the grammar has them.
    package enum Topic: String, Sendable, Hashable, CaseIterable {
        case structure = "Structure"
        case attribute = "What a key declares"
        case start = "What a scenario starts with"
        case device = "Devices and apps"
        case link = "The link"
        case session = "The session"
        case transfer = "Transfers in the background"
        case data = "Data"
        case fault = "Faults"
        case expect = "Expectations"
        case event = "Events in a block"
        case time = "Time"

        /// Lines that stand in no block.
        package static let topLevel: Set<Topic> = [.structure, .start, .device, .link, .session, .transfer, .data, .fault, .expect, .time]
    }
}

/// What a line contributes to a scenario.
enum Meaning {
    case step(ScenarioStep.Action)
    /// A step whose indented lines are steps at the same time.
    case together
    /// A step whose indented lines are event patterns.
    case eventBlock(inOrder: Bool, timing: Expectation.Timing, since: String?)
    case eventPattern(EventPattern)
    case start(StartChange)
    case key(identifier: Token, ScenarioType)
    case attribute(KeyAttribute)
    case knob(Knobs.Descriptor, Knobs.Setting)
    case seed(UInt64)
    case order(ReadyOrder)
    case variable(Token, [Token])
    case parameter(Token, [Token]?)
    case include(Token, [(name: Token, value: [Token])])
    case catalog(Token)
    case examples
}

/// A change of the start state, and what it is about, so that two of one kind can be told.
struct StartChange {
    let devices: [DeviceID]
    let aspect: String
    let apply: (inout StartState) -> Void

    /// Whether it says how the app was launched, or that it was not.
    var isOfLaunch: Bool { aspect == "launched" }
}

/// A line of a key's block, and what it is about, so that two of one kind can be told.
struct KeyAttribute {
    let aspect: String
    let range: SourceRange
    let apply: (inout KeyDeclaration) -> Void
}
