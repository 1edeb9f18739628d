import DeviceSimCore
import LocalData

extension Expectation: CustomStringConvertible {
    public var description: String { notation }

    /// As a scenario file writes it; read back, it gives an equal expectation.
    public var notation: String {
        let head = if case .never = timing { "never " } else { "expect " }
        let tail = (since.map { " since \($0)" } ?? "") + timing.notation
        switch condition {
        case .inOrder(let patterns): return (["expect in order" + tail] + patterns.map { "    " + $0.notation }).joined(separator: "\n")
        case .inAnyOrder(let patterns):
            return (["expect in any order" + tail] + patterns.map { "    " + $0.notation }).joined(separator: "\n")
        default: return head + condition.notation + tail
        }
    }
}

extension Expectation.Timing {
    /// With a space before it; nothing for now.
    var notation: String {
        switch self {
        case .now: ""
        case .within(let time): " within \(time)"
        case .throughout(let time), .never(let time): " for \(time)"
        }
    }
}

extension Expectation.Condition {
    /// Without `expect`, time and mark. Of a block only the first line.
    public var notation: String {
        switch self {
        case .value(let device, let key, let condition): "\(device) \(key.identifier) \(condition.notation)"
        case .widgetValue(let device, let key, let condition): "\(device) widget \(key.identifier) \(condition.notation)"
        case .widget(let device, .notRunning): "\(device) widget is not running"
        case .widget(let device, let condition): "\(device) widget is \(condition.rawValue)"
        case .migration(let device, let key, let condition): "\(device) migration of \(key.identifier) \(condition.notation)"
        case .deliveries(let device, let end, let channel, .exactly(0)): "\(device) \(end.rawValue) no \(channel.rawValue)"
        case .deliveries(let device, let end, let channel, let count):
            "\(device) \(end.rawValue) \(channel.rawValue) \(count.notation)"
        case .session(let device, let property, let match): "\(device) session \(property.rawValue) \(match.notation(of: property))"
        case .message(let label, let condition): "message \(label) \(condition.notation)"
        case .transfer(let label, let condition): "transfer \(label) \(condition.notation)"
        case .outstanding(let device, let channel, let count): "\(device) outstanding \(channel.rawValue) \(count)"
        case .receivedUserInfos(let device, let value): "\(device) received user infos \(value.notation)"
        case .complicationBudget(let device, let count): "\(device) complication budget \(count)"
        case .unobservedFailures(let count): "unobserved failures \(count == 0 ? "none" : "\(count)")"
        case .stored(let device, let key, let isThere): "\(device) disk \(isThere ? "contains" : "lacks") \(key.identifier)"
        case .sealed(let device, let key, let seal): "\(device) \(key.identifier) sealed by \(seal.notation)"
        case .masterKeys(let device, 1): "\(device) has 1 master key"
        case .masterKeys(let device, let count): "\(device) has \(count) master keys"
        case .noPlaintext(let device, let key): "no plaintext of \(key.identifier) on \(device)"
        case .file(let device, let path, let condition): "\(device) file \(ScenarioValue.quoted(path)) \(condition.notation)"
        case .app(let device, let condition): "\(device) app \(condition.notation)"
        case .device(let device, .beforeFirstUnlock): "\(device) is before first unlock"
        case .device(let device, let condition): "\(device) is \(condition.rawValue)"
        case .inOrder: "in order"
        case .inAnyOrder: "in any order"
        case .event(let pattern, .exactly(0)): "no event \(pattern.standingNotation)"
        case .event(let pattern, .atLeast(1)): "event \(pattern.standingNotation)"
        case .event(let pattern, let count): "event \(pattern.standingNotation) \(count.notation)"
        case .nothingElse: "nothing else"
        case .devicesAgree(let key): "devices agree" + (key.map { " on \($0.identifier)" } ?? "")
        case .pending(let device, let key?, let isPending): "\(device) \(isPending ? "" : "not ")pending \(key.identifier)"
        case .pending(let device, nil, _): "\(device) pending nothing"
        case .audit(let device, let condition): "\(device) audit \(condition.notation)"
        }
    }
}

extension Expectation.MigrationCondition {
    /// As `MigrationStep.State` describes itself.
    public var notation: String { state.rawValue + (reason.map { " \($0.name)" } ?? "") }
}

extension Expectation.ValueCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .equals(let value): value.notation
        case .missing: "missing"
        case .exists: "exists"
        case .fails(let error): "fails \(error.name)"
        case .either(let first, let second): "\(first.notation) or \(second.notation)"
        }
    }
}

extension Expectation.SealCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .primaryKey: "primary key"
        case .oldKey: "old key"
        case .source(let id): "source \(ScenarioValue.quoted(id))"
        }
    }
}

extension Expectation.CountCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .exactly(let count): Self.times(count)
        case .atLeast(let count): "at least \(Self.times(count))"
        case .atMost(let count): "at most \(Self.times(count))"
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "1 time" : "\(count) times" }
}

extension Expectation.MatchCondition {
    func notation(of property: Expectation.SessionProperty) -> String {
        switch self {
        case .equals(.string(let word)) where property == .activationState: word
        case .equals(let value): value.notation
        case .contains(let value): "contains \(value.notation)"
        case .lacks(let name): "lacks \(ScenarioValue.quoted(name))"
        }
    }
}

extension Expectation.MessageCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .replied(let value): "replied \(value.notation)"
        case .answered: "answered"
        case .failed(let error): "failed \(error.name)"
        case .waiting: "waiting"
        }
    }
}

extension Expectation.FileCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .exists: "exists"
        case .missing: "missing"
        case .byteCount(let count): "has \(count.bytesNotation)"
        case .protection(let protection): "has protection \(protection.rawValue)"
        case .excludedFromBackup(true): "is excluded from backup"
        case .excludedFromBackup(false): "is backed up"
        }
    }
}

extension Expectation.AppCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .shows(let name, let value): "shows \(ScenarioValue.quoted(name)) \(value.notation)"
        case .running: "running"
        case .notRunning: "not running"
        case .state(let state): state.rawValue
        case .installed(true): "installed"
        case .installed(false): "not installed"
        case .version(let version): "version \(version)"
        }
    }
}

extension EventPattern {
    /// As a line of a block: `watch context.delivered with count 2`.
    public var notation: String { (device.map { "\($0) " } ?? "") + kind.rawValue + factsNotation }

    /// As behind `expect event`: `context.delivered on watch with count 2`.
    public var standingNotation: String { kind.rawValue + (device.map { " on \($0)" } ?? "") + factsNotation }

    private var factsNotation: String {
        facts.isEmpty ? "" : " with " + facts.map { "\($0.name) \($0.value.notation)" }.joined(separator: ", ")
    }
}

extension Expectation.TransferCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .finished: "finished"
        case .failed(let error): "failed \(error.name)"
        case .outstanding: "outstanding"
        case .transferring: "transferring"
        case .cancelled: "cancelled"
        case .current: "current"
        case .notCurrent: "not current"
        case .percent(let count): "\(count) percent"
        }
    }
}
