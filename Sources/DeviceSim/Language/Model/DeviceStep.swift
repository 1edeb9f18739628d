import DeviceSimCore

/// Something happens to a device or to the app on it.
public struct DeviceStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What happens to it.
    public let action: Action
    /// Anything but success is possible only where ``Action/runsApp`` is true.
    public let outcome: StepOutcome

    /// A step that happens to a device.
    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    /// What can happen to a device.
    public enum Action: Sendable, Hashable {
        // The app
        /// The app is installed.
        case install
        /// The app is removed with its containers; keychain items stay.
        case uninstall
        /// A person opens the app.
        case launch
        /// The system starts the app in the background.
        case launchInBackground
        /// The system starts the process before anybody opens the app.
        case prewarm
        /// A person brings the running app to the screen.
        case foreground
        /// The app leaves the screen.
        case background
        /// The system stops running the app's code and keeps its memory.
        case suspend
        /// A suspended app runs again, in the background.
        case resume
        /// The system or a person ends the app.
        case terminate
        /// A person swipes the app out of the list of apps.
        case swipeAway
        /// The app crashes.
        case crash
        /// Terminate, if it runs, and launch: in the foreground, or by the system.
        case relaunch(inBackground: Bool)
        /// The app is replaced by another version.
        case update(to: AppVersion)
        /// Somebody uses the app under test; `null` is no value.
        case perform(String, with: ScenarioValue)

        // The app's widget extension
        /// Something happens to the app's widget.
        case widget(WidgetChange)

        /// A part of the app takes a lock on a file of an App Group, `group.com.example/db.sqlite`, and keeps it.
        case lockFile(AppPart, String)
        /// A part of the app gives such a lock back.
        case unlockFile(AppPart, String)

        // The device
        /// The device is switched on.
        case powerOn
        /// The device is switched off in good order.
        case powerOff
        /// The battery is pulled: what was not synchronized may be lost.
        case powerLoss
        /// The device is switched off and on.
        case reboot
        /// The screen is locked.
        case lock
        /// The screen is unlocked.
        case unlock
        /// A passcode is set.
        case setPasscode
        /// The passcode is removed, and with it what needs one.
        case removePasscode
        /// Faces or fingers are enrolled, changed or removed.
        case biometry(Biometry.Change)
        /// By how much the wall clock is ahead of true time; negative is behind.
        case setClock(ahead: VirtualDuration)
        /// How many bytes are free; `nil` is as many as anybody wants.
        case setFreeSpace(Int?)
        /// The system removes what lies in the caches.
        case purgeCaches
        /// Keeps a backup under a name.
        case backup(name: String, encrypted: Bool)
        /// The device gets what a backup of that name holds, as itself or as another device.
        case restore(name: String, ontoNewHardware: Bool)
        /// Puts the app's complication on the active face of a watch, or takes it away.
        case complication(Bool)
        /// What happens to a watch only.
        case watch(WatchChange)
        /// Puts the app's widget into the Smart Stack of a watch, or takes it out.
        case smartStack(Bool)
    }

    /// The former name.
    @available(*, deprecated, renamed: "Biometry.Change")
    public typealias BiometryChange = Biometry.Change

    /// What can happen to a widget's process.
    public enum WidgetChange: String, Sendable, Hashable, CaseIterable {
        /// It is started, is suspended or runs again, is ended by the system, or crashes.
        case launch, suspend, resume, terminate, crash
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
