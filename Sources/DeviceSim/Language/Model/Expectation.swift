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
        /// How many master keys are in the keychain.
        case masterKeys(DeviceID, Int)
        /// The key's last set value appears nowhere in what the device stores: not as text, not serialized, not in Base64.
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
    }

    /// What `get` must give.
    public indirect enum ValueCondition: Sendable, Hashable {
        /// This very value.
        case equals(ScenarioValue)
        /// Verified absence: `notFound`.
        case missing
        /// Any value.
        case exists
        /// It fails with this error.
        case fails(ScenarioErrorName)
        /// One of the two, such as after a crash in the middle of a change.
        case either(ValueCondition, ValueCondition)
    }

    /// Whether a widget's process is there.
    public enum WidgetCondition: String, Sendable, Hashable, CaseIterable {
        /// Its code may run, may not for now, or there is no process.
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

    /// What the plan must say of a migration.
    public struct MigrationCondition: Sendable, Hashable {
        /// The state that a sweep would find.
        public let state: MigrationState
        /// Of ``MigrationState/deferred`` and ``MigrationState/blocked``.
        public let reason: ScenarioErrorName?

        /// A state, with the reason where it has one.
        public init(_ state: MigrationState, _ reason: ScenarioErrorName? = nil) {
            self.state = state
            self.reason = reason
        }
    }

    /// The states of a `MigrationStep`.
    public enum MigrationState: String, Sendable, Hashable, CaseIterable {
        /// As the cases of `MigrationStep.State`, by their names in scenario files.
        case nothing, ready, interrupted, waiting, incomplete, removed, superseded, deferred, blocked

        /// Whether such a state comes with a reason.
        public var hasReason: Bool { self == .deferred || self == .blocked }
    }

    /// At which end deliveries are counted.
    public enum DeliveryEnd: String, Sendable, Hashable, CaseIterable {
        /// Accepted by this device's session.
        case sent
        /// Sent by this device and handed to the counterpart's app.
        case delivered
        /// Handed to this device's app.
        case received
    }

    /// Which channel's deliveries are counted.
    public enum DeliveryChannel: String, Sendable, Hashable, CaseIterable {
        /// Application contexts.
        case context
        /// Messages, with and without replies, and message data.
        case message
        /// Complication infos are among them.
        case userInfo = "user info"
        /// File transfers.
        case file
        /// Urgent ones only (W96).
        case complication
    }

    /// The two lists of outstanding transfers.
    public enum OutstandingChannel: String, Sendable, Hashable {
        /// `outstandingUserInfoTransfers`.
        case userInfo = "user infos"
        /// `outstandingFileTransfers`.
        case file = "files"
    }

    /// What can have come of a transfer.
    public enum TransferCondition: Sendable, Hashable {
        /// `didFinish` came, once, without an error.
        case finished
        /// `didFinish` came with this error.
        case failed(ScenarioErrorName)
        /// Neither cancelled, nor failed, nor received.
        case outstanding
        /// On the link at this instant.
        case transferring
        /// The app cancelled it before it had arrived.
        case cancelled
        /// The current complication info, or not (W96).
        case current
        /// A complication info that a later one replaced, or that is no complication info.
        case notCurrent
        /// How much of a file has been transferred.
        case percent(Int)
    }

    /// How many there must be.
    public enum CountCondition: Sendable, Hashable {
        /// Neither more nor fewer.
        case exactly(Int)
        /// Not fewer.
        case atLeast(Int)
        /// Not more.
        case atMost(Int)

        /// Whether a count is as it must be.
        public func holds(for count: Int) -> Bool {
            switch self {
            case .exactly(let number): count == number
            case .atLeast(let number): count >= number
            case .atMost(let number): count <= number
            }
        }
    }

    /// A property of `WCSession`, by its name.
    public enum SessionProperty: String, Sendable, Hashable, CaseIterable {
        /// `activationState`, as a string.
        case activationState
        /// `applicationContext`: what was sent last.
        case applicationContext
        /// `hasContentPending`.
        case hasContentPending
        /// `iOSDeviceNeedsUnlockAfterRebootForReachability`, of a watch.
        case iOSDeviceNeedsUnlockAfterRebootForReachability
        /// `isCompanionAppInstalled`, of a watch.
        case isCompanionAppInstalled
        /// `isComplicationEnabled`, of a phone.
        case isComplicationEnabled
        /// `isPaired`, of a phone.
        case isPaired
        /// `isReachable`.
        case isReachable
        /// `isWatchAppInstalled`, of a phone.
        case isWatchAppInstalled
        /// `receivedApplicationContext`: what was received last.
        case receivedApplicationContext
    }

    /// What a property must give.
    public enum MatchCondition: Sendable, Hashable {
        /// For ``SessionProperty/activationState`` a string: `notActivated`, `inactive`, `activated`.
        case equals(ScenarioValue)
        /// A dictionary that has at least these entries.
        case contains(ScenarioValue)
        /// A dictionary without an entry of that name.
        case lacks(String)
    }

    /// What must have come of a message.
    public enum MessageCondition: Sendable, Hashable {
        /// The reply handler got this.
        case replied(ScenarioValue)
        /// Any reply.
        case answered
        /// The error handler got this.
        case failed(ScenarioErrorName)
        /// Neither a reply nor an error so far.
        case waiting
    }

    /// What must be known of a file.
    public enum FileCondition: Sendable, Hashable {
        /// A file is there.
        case exists
        /// Nothing is there.
        case missing
        /// It has so many bytes.
        case byteCount(Int)
        /// It has this data protection class.
        case protection(FileProtection)
        /// Whether backups leave it out.
        case excludedFromBackup(Bool)
    }

    /// What must be known of the app.
    public enum AppCondition: Sendable, Hashable {
        /// A process is there, suspended or not.
        case running
        /// No process is there.
        case notRunning
        /// The process is in this state.
        case state(AppState)
        /// Whether the app is installed.
        case installed(Bool)
        /// The installed version.
        case version(AppVersion)
        /// What the app under test shows of something; `null` is nothing.
        case shows(String, ScenarioValue)
    }

    /// What must be known of the device.
    public enum DeviceCondition: String, Sendable, Hashable, CaseIterable {
        /// Switched on or off, and how far it is unlocked.
        case on, off, locked, unlocked
        /// On, and not unlocked since it was switched on.
        case beforeFirstUnlock = "before-first-unlock"
    }
}
