/// A kind of fault that the steps of an explored run may make. Which ones are on is drawn for each run: bugs that need one kind of fault are
/// drowned by the others when all are on in all runs (Groce et al., "Swarm Testing", 2012).
public enum FaultKind: String, Sendable, Hashable, CaseIterable {
    /// The devices go out of range of each other and return.
    case link
    /// The link is slow.
    case latency
    /// The app is terminated, relaunched, sent to the background, suspended.
    case lifecycle
    /// The app crashes, at an operation of its storage or between steps.
    case crash
    /// The device loses power, at an operation of the storage or between steps.
    case power
    /// The device is locked and unlocked.
    case lock
    /// The device restarts, and is before its first unlock.
    case reboot
    /// Operations of the file system fail.
    case disk
    /// Operations of the keychain fail.
    case keychain
    /// The disk is full.
    case space
    /// The wall clock is wrong.
    case clock
    /// The app is removed and installed again.
    case reinstall
    /// The devices are unpaired and paired again.
    case pairing
    /// Contexts are delivered repeatedly, and intermediate ones too (W43).
    case duplicates
    /// Several steps are begun at one instant.
    case together
    /// The system starts the apps for what arrives, and suspends them again (W110, W71).
    case waking
    /// The device is backed up, and restored from its backup.
    case backup
    /// The app is updated on one of the devices, or put back to its older version. Where a key is not the same in all versions.
    case update
    /// The app chooses another sync policy for a key, and goes back to what it declares.
    case overrides
    /// The system starts the phone's app before anybody opens it, be it before the first unlock.
    case prewarming
    /// The wrist goes down and up, the watch is taken off, a workout runs (W113–W117, W126).
    case wrist
    /// What is not known of real devices is otherwise than expected (``Knobs``).
    case unknowns
    /// The counterpart, or what carries its snapshots, is broken or lies (``CounterpartLie``).
    case lies
    /// The app's widget reads and writes what it shares with the app, also while that is suspended or not running.
    case widget
    /// Master keys are rotated and retired, between any two steps.
    case rotation
    /// The person puts on another watch, and the first one again (W12).
    case switching
    /// The app uses the session for itself, beside LocalData: messages, user infos, files.
    case session
    /// A task of the app's is cancelled in the midst of what it does with a value, or while it waits for its turn.
    case cancellation
}

extension FaultKind {
    /// What every app has to bear, whatever it keeps and sends. Whether it is to bear that it is started before the first unlock, when its preferences seem to be
    /// empty, that its data are lost, or that its storage fails, its author says.
    public static let borneByAnyApp: Set<FaultKind> = [
        .link, .latency, .lifecycle, .crash, .lock, .duplicates, .together, .waking, .wrist,
    ]

    /// What is about LocalData's keys, and nothing to an app without them.
    public static let ofLocalDataAlone: Set<FaultKind> = [.update, .overrides, .lies, .widget, .rotation, .session, .cancellation]
}
