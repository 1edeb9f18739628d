import DeviceSimCore
import LocalData
import WatchConnectivity

/// Something that must hold.
public struct Expectation: Sendable, Hashable {
    /// What must hold.
    public let condition: Condition
    /// When it must hold.
    public let timing: Timing
    /// The mark from which events count; `nil`: from the first step on.
    public let since: String?

    /// An expectation that holds now, unless it says when.
    public init(_ condition: Condition, timing: Timing = .now, since: String? = nil) {
        self.condition = condition
        self.timing = timing
        self.since = since
    }

    /// When an expectation must hold.
    public enum Timing: Sendable, Hashable {
        /// At this instant, after all that is ready has run.
        case now
        /// At some instant from now until then; time passes until it holds.
        case within(VirtualDuration)
        /// At every instant from now until then.
        case throughout(VirtualDuration)
        /// At no instant from now until then (`never … for 5s`).
        case never(VirtualDuration)
    }

    /// What can be expected.
    public enum Condition: Sendable, Hashable {
        /// What `get` gives.
        case value(DeviceID, KeyReference, ValueCondition)
        /// What `get` gives in the app's widget.
        case widgetValue(DeviceID, KeyReference, ValueCondition)
        /// What the app was told last by `changes(of:)`, which it follows in this process.
        case observed(DeviceID, KeyReference, ValueCondition)
        /// Whether the app's widget runs.
        case widget(DeviceID, WidgetCondition)
        /// What the plan says of the key's migration.
        case migration(DeviceID, KeyReference, MigrationCondition)
        /// How often the app sent, saw delivered, or received something.
        case deliveries(DeviceID, DeliveryEnd, DeliveryChannel, CountCondition)
        /// What a property of the session gives in the app.
        case session(DeviceID, SessionProperty, MatchCondition)
        /// What came of a labelled message.
        case message(String, MessageCondition)
        /// What came of a labelled transfer in the background.
        case transfer(String, TransferCondition)
        /// How many transfers the device's session lists as outstanding.
        case outstanding(DeviceID, OutstandingChannel, Int)
        /// All the user infos that the app's delegate was given, in that order: a list.
        case receivedUserInfos(DeviceID, ScenarioValue)
        /// How many urgent complication transfers are left today.
        case complicationBudget(DeviceID, Int)
        /// How many failures no code of the apps was told of.
        case unobservedFailures(Int)
        /// Whether something lies at the key's place, whatever it is, LocalData not asked.
        case stored(DeviceID, KeyReference, Bool)
        /// What seals the bytes at the key's place.
        case sealed(DeviceID, KeyReference, SealCondition)
        /// What the plan of a rotation says of the key's value.
        case reseal(DeviceID, KeyReference, ResealCondition)
        /// How many master keys are in the keychain.
        case masterKeys(DeviceID, Int)
        /// No value that a step gave the key appears in what the device stores: not as text, not serialized, not in Base64.
        case noPlaintext(DeviceID, KeyReference)
        /// `path` is relative to the app's container, such as `Documents/notes`.
        case file(DeviceID, path: String, FileCondition)
        /// Whether and how the app runs, and what it shows.
        case app(DeviceID, AppCondition)
        /// Whether the device is on, and how far it is unlocked.
        case device(DeviceID, DeviceCondition)
        /// Events that match, in this order, with any others in between.
        case inOrder([EventPattern])
        /// An event for each pattern, no event counted twice.
        case inAnyOrder([EventPattern])
        /// How many events match.
        case event(EventPattern, CountCondition)
        /// Since the named mark, or the last one (or the first step), no delivery and no error other than those that event and count
        /// expectations since then were about.
        case nothingElse
        /// Both devices give the same value, or both none: for one key, or for every key that syncs.
        case devicesAgree(KeyReference?)
        /// Whether a change of the key is still to be sent; with `nil`, whether any is.
        case pending(DeviceID, KeyReference?, Bool)
        /// What the app's audit of its device says.
        case audit(DeviceID, AuditCondition)
        /// An invariant of the app under test, which the program that runs it names.
        case invariant(String)
    }

}

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

extension Expectation.CountCondition {
    /// Whether more of what is counted can only break it.
    fileprivate var isBound: Bool {
        switch self {
        case .exactly(let count): count == 0
        case .atMost: true
        case .atLeast: false
        }
    }
}

extension Expectation.Condition {
    /// Whether it holds from the beginning and may cease to: whoever waits for it sees nothing.
    fileprivate var onlyCeasesToHold: Bool {
        switch self {
        case .event(_, let count), .deliveries(_, _, _, let count): count.isBound
        case .unobservedFailures(let count): count == 0
        default: false
        }
    }
}

extension Expectation.Condition {
    /// Without `expect`, time and mark. Of a block only the first line.
    public var notation: String {
        switch self {
        case .value(let device, let key, let condition): "\(device) \(key.identifier) \(condition.notation)"
        case .widgetValue(let device, let key, let condition): "\(device) widget \(key.identifier) \(condition.notation)"
        case .observed(let device, let key, let condition): "\(device) observed \(key.identifier) \(condition.notation)"
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
        case .reseal(let device, let key, let condition): "\(device) reseal of \(key.identifier) \(condition.notation)"
        case .masterKeys(let device, 1): "\(device) has 1 master key"
        case .masterKeys(let device, let count): "\(device) has \(count) master keys"
        case .noPlaintext(let device, let key): "no plaintext of \(key.identifier) on \(device)"
        case .file(let device, let path, let condition): "\(device) file \(ScenarioValue.quoted(path)) \(condition.notation)"
        case .app(let device, let condition): "\(device) app \(condition.notation)"
        case .device(let device, let condition): "\(device) is \(condition.words)"
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
        case .invariant(let name): "invariant \(ScenarioValue.quoted(name))"
        }
    }
}

/// The lines of all expectations, in the order in which the grammar shows them, and in which they are tried.
extension Vocabulary {
    static let expectations: [Form] =
        valueForms + migrationExpectations + resealExpectations + sessionForms + transferForms + storageForms + keyForms + auditForms
        + stateForms + eventForms

    static func onDevice(_ match: Match, _ condition: (DeviceID) -> Expectation.Condition) -> Meaning? {
        match.device.flatMap { expectation(match, condition($0)) }
    }

    static func keyed(_ match: Match, _ condition: (DeviceID, KeyReference) -> Expectation.Condition) -> Meaning? {
        guard let device = match.device, let key = match.key() else { return nil }
        return expectation(match, condition(device, key))
    }

    static func expectation(_ match: Match, _ condition: Expectation.Condition) -> Meaning? {
        guard let timing = match.timing() else { return nil }
        if case .within(let time) = timing, condition.onlyCeasesToHold {
            match.diagnose(
                match.capture(.time)?.range ?? match.range,
                "`within` waits for what may yet come, and that nothing more comes holds at once",
                hint: "write `for \(time)`: then it holds to the end of that time")
            return nil
        }
        return .step(.expect(Expectation(condition, timing: timing, since: match.since)))
    }
}
