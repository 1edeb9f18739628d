import LocalData
import WatchConnectivity

/// Something that must hold.
public struct Expectation: Sendable, Hashable {
    public let condition: Condition
    public let timing: Timing
    /// The mark from which events count; `nil`: from the first step on.
    public let since: String?

    public init(_ condition: Condition, timing: Timing = .now, since: String? = nil) {
        self.condition = condition
        self.timing = timing
        self.since = since
    }

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

    public enum Condition: Sendable, Hashable {
        /// What `get` gives.
        case value(DeviceID, KeyReference, ValueCondition)
        /// What `get` gives in the app's widget.
        case widgetValue(DeviceID, KeyReference, ValueCondition)
        case widget(DeviceID, WidgetCondition)
        /// What the plan says of the key's migration.
        case migration(DeviceID, KeyReference, MigrationCondition)
        /// How often the app sent, saw delivered, or received something.
        case deliveries(DeviceID, DeliveryEnd, DeliveryChannel, CountCondition)
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
        /// How many master keys are in the keychain.
        case masterKeys(DeviceID, Int)
        /// The key's last set value appears nowhere in what the device stores: not as text, not serialized, not in Base64.
        case noPlaintext(DeviceID, KeyReference)
        /// `path` is relative to the app's container, such as `Documents/notes`.
        case file(DeviceID, path: String, FileCondition)
        case app(DeviceID, AppCondition)
        case device(DeviceID, DeviceCondition)
        /// Events that match, in this order, with any others in between.
        case inOrder([EventPattern])
        /// An event for each pattern, no event counted twice.
        case inAnyOrder([EventPattern])
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
    }

    public indirect enum ValueCondition: Sendable, Hashable {
        case equals(ScenarioValue)
        /// Verified absence: `notFound`.
        case missing
        /// Any value.
        case exists
        case fails(ScenarioErrorName)
        /// One of the two, such as after a crash in the middle of a change.
        case either(ValueCondition, ValueCondition)
    }

    public enum WidgetCondition: String, Sendable, Hashable, CaseIterable {
        case running, suspended, notRunning
    }

    /// What seals a value.
    public enum SealCondition: Sendable, Hashable {
        /// The master key that seals new values.
        case primaryKey
        /// Another master key, there or not.
        case oldKey
        /// External key material of that source.
        case source(String)
    }

    public struct MigrationCondition: Sendable, Hashable {
        public let state: MigrationState
        /// Of ``MigrationState/deferred`` and ``MigrationState/blocked``.
        public let reason: ScenarioErrorName?

        public init(_ state: MigrationState, _ reason: ScenarioErrorName? = nil) {
            self.state = state
            self.reason = reason
        }
    }

    /// The states of a `MigrationStep`.
    public enum MigrationState: String, Sendable, Hashable, CaseIterable {
        case nothing, ready, interrupted, waiting, incomplete, removed, superseded, deferred, blocked

        public var hasReason: Bool { self == .deferred || self == .blocked }
    }

    public enum DeliveryEnd: String, Sendable, Hashable, CaseIterable {
        /// Accepted by this device's session.
        case sent
        /// Sent by this device and handed to the counterpart's app.
        case delivered
        /// Handed to this device's app.
        case received
    }

    public enum DeliveryChannel: String, Sendable, Hashable, CaseIterable {
        case context
        case message
        /// Complication infos are among them.
        case userInfo = "user info"
        case file
        /// Urgent ones only (W96).
        case complication
    }

    /// The two lists of outstanding transfers.
    public enum OutstandingChannel: String, Sendable, Hashable {
        case userInfo = "user infos"
        case file = "files"
    }

    public enum TransferCondition: Sendable, Hashable {
        /// `didFinish` came, once, without an error.
        case finished
        case failed(ScenarioErrorName)
        /// Neither cancelled, nor failed, nor received.
        case outstanding
        /// On the link at this instant.
        case transferring
        case cancelled
        /// The current complication info, or not (W96).
        case current
        case notCurrent
        /// How much of a file has been transferred.
        case percent(Int)
    }

    public enum CountCondition: Sendable, Hashable {
        case exactly(Int)
        case atLeast(Int)
        case atMost(Int)

        public func holds(for count: Int) -> Bool {
            switch self {
            case .exactly(let number): count == number
            case .atLeast(let number): count >= number
            case .atMost(let number): count <= number
            }
        }
    }

    public enum SessionProperty: String, Sendable, Hashable, CaseIterable {
        case activationState
        case applicationContext
        case hasContentPending
        case iOSDeviceNeedsUnlockAfterRebootForReachability
        case isCompanionAppInstalled
        case isComplicationEnabled
        case isPaired
        case isReachable
        case isWatchAppInstalled
        case receivedApplicationContext
    }

    public enum MatchCondition: Sendable, Hashable {
        /// For ``SessionProperty/activationState`` a string: `notActivated`, `inactive`, `activated`.
        case equals(ScenarioValue)
        /// A dictionary that has at least these entries.
        case contains(ScenarioValue)
        /// A dictionary without an entry of that name.
        case lacks(String)
    }

    public enum MessageCondition: Sendable, Hashable {
        case replied(ScenarioValue)
        /// Any reply.
        case answered
        case failed(ScenarioErrorName)
        /// Neither a reply nor an error so far.
        case waiting
    }

    public enum FileCondition: Sendable, Hashable {
        case exists
        case missing
        case byteCount(Int)
        case protection(FileProtection)
        case excludedFromBackup(Bool)
    }

    public enum AppCondition: Sendable, Hashable {
        case running
        case notRunning
        case state(AppState)
        case installed(Bool)
        case version(AppVersion)
        /// What the app under test shows of something; `null` is nothing.
        case shows(String, ScenarioValue)
    }

    public enum DeviceCondition: String, Sendable, Hashable, CaseIterable {
        case on, off, locked, unlocked
        case beforeFirstUnlock = "before-first-unlock"
    }
}
