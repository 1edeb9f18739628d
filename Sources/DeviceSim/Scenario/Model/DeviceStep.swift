/// Something happens to a device or to the app on it.
public struct DeviceStep: Sendable, Hashable {
    public let device: DeviceID
    public let action: Action
    /// Anything but success is possible only where ``Action/runsApp`` is true.
    public let outcome: StepOutcome

    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    public enum Action: Sendable, Hashable {
        // The app
        case install
        case uninstall
        case launch
        case launchInBackground
        /// The system starts the process before anybody opens the app.
        case prewarm
        case foreground
        case background
        case suspend
        case resume
        case terminate
        /// A person swipes the app out of the list of apps.
        case swipeAway
        case crash
        /// Terminate, if it runs, and launch: in the foreground, or by the system.
        case relaunch(inBackground: Bool)
        case update(to: AppVersion)
        /// Somebody uses the app under test; `null` is no value.
        case perform(String, with: ScenarioValue)

        // The app's widget extension
        case widget(WidgetChange)

        /// A part of the app takes a lock on a file of an App Group, `group.com.example/db.sqlite`, and keeps it.
        case lockFile(AppPart, String)
        case unlockFile(AppPart, String)

        // The device
        case powerOn
        case powerOff
        case powerLoss
        case reboot
        case lock
        case unlock
        case setPasscode
        case removePasscode
        case biometry(BiometryChange)
        /// By how much the wall clock is ahead of true time; negative is behind.
        case setClock(ahead: VirtualDuration)
        /// How many bytes are free; `nil` is as many as anybody wants.
        case setFreeSpace(Int?)
        case purgeCaches
        /// Keeps a backup under a name.
        case backup(name: String, encrypted: Bool)
        case restore(name: String, ontoNewHardware: Bool)
        /// Puts the app's complication on the active face of a watch, or takes it away.
        case complication(Bool)
        /// What happens to a watch only.
        case watch(WatchChange)
        /// Puts the app's widget into the Smart Stack of a watch, or takes it out.
        case smartStack(Bool)
    }

    public enum WidgetChange: String, Sendable, Hashable, CaseIterable {
        case launch, suspend, resume, terminate, crash
    }

    public enum BiometryChange: String, Sendable, Hashable, CaseIterable {
        case enrolled
        /// Another face or finger: the set's identity changes.
        case changed
        case removed
    }
}

extension DeviceStep.Action {
    /// Whether the step waits for code of the app, so that a crash at one of its storage operations can be asked for.
    public var runsApp: Bool {
        switch self {
        case .launch, .launchInBackground, .foreground, .background, .relaunch, .perform: true
        default: false
        }
    }
}
