import DeviceSimCore

/// What stands in a slot of a line.
struct Capture {
    let slot: Slot
    let content: Content
    let range: SourceRange

    enum Content {
        case word(String)
        case key(KeyReference, ScenarioType)
        case value(ScenarioValue)
        case string(String)
        case number(Int)
        case seed(UInt64)
        case time(VirtualDuration)
        case version(AppVersion)
        case type(ScenarioType)
        case facts([EventPattern.Fact])
        case arguments([(name: Token, value: [Token])])
        case tokens([Token])
    }
}
