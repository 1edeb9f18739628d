/// A command line that has been read: the command, its options with their values, and its operands. All values are valid.
struct ParsedCommand: Equatable, Sendable {
    let name: CommandName
    var operands: [String] = []
    private var values: [OptionName: [String]] = [:]

    init(name: CommandName) {
        self.name = name
    }

    mutating func add(_ value: String, to option: OptionName, isRepeatable: Bool) {
        if isRepeatable {
            values[option, default: []].append(value)
        } else {
            values[option] = [value]
        }
    }

    func has(_ option: OptionName) -> Bool { values[option] != nil }
    func text(_ option: OptionName) -> String? { values[option]?.last }
    func texts(_ option: OptionName) -> [String] { values[option] ?? [] }
    func number(_ option: OptionName) -> UInt64? { text(option).flatMap(ArgumentParser.number) }
}
