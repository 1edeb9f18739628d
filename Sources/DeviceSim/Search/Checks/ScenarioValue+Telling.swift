import DeviceSimCore
import DeviceSimLanguage

extension ScenarioValue {
    /// Whether the other value can be read in this one.
    func tells(_ other: ScenarioValue) -> Bool {
        if isSame(as: other) { return true }
        return switch (self, other) {
        case (.array(let elements), _): elements.contains { $0.tells(other) }
        case (.object(let members), _): members.values.contains { $0.tells(other) }
        case (.string(let text), .string(let part)): !part.isEmpty && text.contains(part)
        case (.string(let text), _): text.contains(other.notation)
        default: false
        }
    }
}
