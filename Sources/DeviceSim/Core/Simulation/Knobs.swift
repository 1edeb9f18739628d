/// What is not known of real devices, or differs among them, as settings with the defaults of the specification.
public struct Knobs: Sendable, Hashable {
    // The link
    /// One way, from one radio to the other.
    public var linkLatency = VirtualDuration.milliseconds(20)
    /// W152: how long the devices must be out of range of each other for the link to stay dead afterwards, until the phone restarts; zero for never.
    public var linkDiesAfter = VirtualDuration.zero
    /// Of a session's activation, from the call to the callback.
    public var activationLatency = VirtualDuration.milliseconds(50)
    /// W3: whether a session that is activated while content of an earlier watch waits is inactive at first, and is given that content.
    public var activatesInactiveForOldContent = true
    /// W145: whether an app is told, after its session was activated, of what differs from a session that is not: that the counterpart is reachable, that a
    /// watch is paired.
    public var activationTellsState = false

    // Application context
    /// W43: intermediate and repeated contexts are delivered on wake.
    public var duplicateContexts = false
    /// W49: whether an equal context is judged by what was last sent (true), or is always sent (false).
    public var suppressEqualContexts = true
    /// W53: removing the app from a device removes what it sent and received; a reinstalled one starts empty. The counterpart keeps its own.
    public var uninstallClearsContexts = true

    /// W52: how long contexts and messages are held up by contexts that are updated more than once in 2 s; zero for not at all.
    public var contextCongestion = VirtualDuration.zero

    // What a session sees of its counterpart
    /// W25: whether the phone misses that the watch's app was installed, until it restarts. What is sent to it arrives all the same.
    public var installationGoesUnnoticed = false
    /// W25: whether what the phone sends to a watch app that it did not notice is refused, with 7006.
    public var unnoticedAppIsRefused = false
    /// W25: whether a watch app that the phone did not notice is not reachable, and nothing goes between the two.
    public var unnoticedAppIsCutOff = false
    /// W35: a counterpart that is back within this long after it was lost goes unnoticed; zero for never.
    public var reachabilityStaleness = VirtualDuration.zero
    /// W35: whether messages to a counterpart whose return went unnoticed fail with 7007 (true), or are delivered (false).
    public var staleReachabilityRefuses = false
    /// W36: how long both apps are in the foreground and send no message until reachability is lost; zero for never.
    public var reachabilityFlapAfter = VirtualDuration.zero
    /// W36: whether it comes back after a second (true), or when a person touches the watch (false).
    public var flapEndsByItself = false
    /// W37: whether messages to a reachable counterpart fail all the same.
    public var phantomReachability = false
    /// W37: whose messages do.
    public var phantomSide = PhantomSide.both
    /// W142: whether a watch app reaches the phone while it holds a refresh task.
    public var refreshReachesPhone = true

    // Another watch
    /// W12: from `sessionDidBecomeInactive` to `sessionDidDeactivate`; so long the old watch still gets through.
    public var switchHandover = VirtualDuration.milliseconds(100)
    /// W13: whether messages are cancelled when the phone's session becomes inactive, and what they fail with.
    public var switchCancelsMessages = true
    /// W13: what messages fail with that are cancelled so.
    public var cancelledMessageError = CancelledMessageError.sessionInactive
    /// W118: whether the system ends an app, once it is in the background, that has no code for several watches.
    public var endsOptedOutApps = true
    /// W24: when the directory for a watch goes that is unpaired or has the app no more.
    public var watchDirectoryRemoval = WatchDirectoryRemoval.atNextLaunch
    /// W15: whether the phone has one context for all watches (true), or one for each (false).
    public var contextsOutliveSwitch = false
    /// W15: whether what the phone queued for one watch goes to the next one that is worn (true), or waits for that watch (false).
    public var queuesOutliveSwitch = false

    // Messages
    /// W67: how long a sender waits for a reply.
    public var messageReplyTimeout = VirtualDuration.seconds(300)
    /// W140: how long a message may take to be given to the counterpart's app; then it fails with 7017. Zero for as long as it takes.
    public var messageTransferTimeout = VirtualDuration.seconds(60)
    /// W141: whether a reply that is lost on the link fails its message at once, with 7011, instead of leaving it to wait for its timeout.
    public var lostReplyFails = false
    /// W73: whether a reply that no message could carry fails its message with 7011, instead of 7010 or 7009.
    public var badReplyIsReplyFailed = false

    // Transfers in the background
    /// W112: user infos, complication infos and files never leave, as in Apple's Simulator.
    public var simulatorMode = false
    /// W112: what becomes of files there.
    public var simulatorFiles = SimulatorFiles.outstanding
    /// W86: whether `didFinish` is called for a transfer that was cancelled.
    public var finishAfterCancel = false
    /// W87: whether what a process was being given when it ended is delivered again.
    public var redeliversAfterCrash = true
    /// P5: whether a transfer is delivered again whose acknowledgement did not come back before the link broke.
    public var losesAcknowledgements = false
    /// W119: the largest file. Apple names no limit, and there is none here unless this is set.
    public var fileLimit = 1 << 40
    /// W146: whether the bytes of a file are read when it leaves (true), or when it is handed over (false).
    public var readsFileWhenSent = false
    /// W122: whether what is queued for a counterpart whose app was removed waits for it to be installed again.
    public var transfersOutliveRemovedApp = true
    /// P20: whether a transfer that the link's end interrupts stays outstanding, and those behind it with it.
    public var interruptionSticks = false
    /// P20: how many transfers of a kind leave until one stays outstanding although nothing happened, and those behind it with it; zero for never.
    public var transferSticksAfter = 0
    /// P20: whether a stuck transfer stays so until it is cancelled, whatever else happens.
    public var stuckUntilCancelled = false
    /// W84: whether a transfer is outstanding until the counterpart's app was given it (true), or until it has reached the device (false).
    public var transferEndsWithReceipt = false
    /// W72: whether contexts, user infos and files arrive in the order in which they were handed over (true), or each kind for itself (false).
    public var keepsOrderAcrossKinds = false
    /// How many bytes of a file cross the link in a second.
    public var fileBandwidth = 131_072
    /// W95: how many urgent complication transfers there are in a day.
    public var complicationBudget = 50
    /// W95: how long after local midnight the budget is renewed.
    public var complicationReset = VirtualDuration.zero
    /// W95: whether a complication info fails at once while the complication is not on the active face, instead of going as a user info.
    public var complicationFailsWithoutFace = false
    /// W95: whether a widget in the Smart Stack alone counts as an active complication.
    public var smartStackCounts = false

    // Waking
    /// W110: whether contexts, user infos and files launch the watch app in the background.
    public var wakesWatchForTransfers = true
    /// W151: how many times in a day content launches or resumes the watch app in the background; zero for no limit.
    public var watchWakesPerDay = 0
    /// W96: whether urgent complication infos do. With complications of WidgetKit they may not.
    public var wakesWatchForComplications = true
    /// W111: whether contexts, user infos and files launch the phone app, all of them.
    public var wakesPhoneForTransfers = false
    /// W111: whether contexts launch the phone app.
    public var wakesPhoneForContexts = false
    /// W111: whether user infos launch the phone app.
    public var wakesPhoneForUserInfos = true
    /// W111: whether files launch the phone app.
    public var wakesPhoneForFiles = false
    /// W62: whether a message, or what else launches the app, does so after a person has swiped it away.
    public var wakesSwipedAwayApp = true
    /// W144: whether content starts the app of a device that was not unlocked since it was switched on.
    public var wakesBeforeFirstUnlock = true
    /// W110: how long a watch app may take to complete a refresh task.
    public var refreshTaskLimit = VirtualDuration.seconds(15)
    /// W110: how long it may take if the app was launched for the task.
    public var coldRefreshTaskLimit = VirtualDuration.seconds(25)
    /// W110: whether one that is not completed by then ends the app with a crash, or merely suspends it.
    public var expiredTaskCrashes = true
    /// W71: how long a phone app runs that a message has woken.
    public var phoneWakeLimit = VirtualDuration.seconds(30)

    /// W123: how long the watch app runs for the load of a complication.
    public var complicationLoadTime = VirtualDuration.seconds(10)
    /// W124: how much a watch app may compute for a task of the session; zero for not counted.
    public var taskProcessorTime = VirtualDuration.zero
    /// W124: how much it may compute for one with which it refreshes itself; zero for not counted.
    public var refreshProcessorTime = VirtualDuration.zero

    // The widget
    /// W153: how many reloads of the widget's timeline the app is granted in a day while it is not in the foreground.
    public var widgetReloads = 40

    // On the wrist
    /// W114: where the frontmost app is while the wrist is down.
    public var loweredWrist = LoweredWrist.background

    // Payloads, in bytes (W100)
    /// W100: the largest message, and the largest reply, in bytes.
    public var messageLimit = 65_536
    /// W100: the largest user info, in bytes.
    public var userInfoLimit = 65_536
    /// W100: the largest metadata of a file transfer, in bytes.
    public var fileMetadataLimit = 65_536
    /// W100: the largest application context, in bytes.
    public var contextLimit = 262_144

    // The device
    /// How long complete-protection keys stay after locking.
    public var lockGrace = VirtualDuration.seconds(10)

    // Storage
    /// What a keychain item reads as that edited biometry has invalidated: −25293 or −25300 (an `OSStatus`).
    public var invalidatedItemStatus = -25293
    /// What becomes of a prompt that nobody answers: the system takes it away, −128 (an `OSStatus`).
    public var unansweredPromptStatus = -128
    /// What a keychain without room answers: −25291 or −34 (an `OSStatus`).
    public var fullKeychainStatus = -25291
    /// Whether a query for all keychain items leaves out those whose class key is away (true), or fails with −25308 (false).
    public var keychainListingSkipsLockedItems = false
    /// Whether the keychain says of items, before the first unlock, that there are none (−25300), as prewarmed apps have seen it, instead of refusing
    /// them (−25308).
    public var keychainReadsAsAbsentBeforeFirstUnlock = false
    /// Whether keychain items outlive the app that stored them.
    public var keychainSurvivesUninstall = true
    /// Whether `whenPasscodeSetThisDeviceOnly` items come back when a backup is restored to the device that made it.
    public var passcodeBoundItemsSurviveRestore = false
    /// Whether a process that began before the first unlock sees empty preferences for as long as it lives, as was seen on devices; else until the unlock.
    public var earlyPreferencesStayEmpty = true
    /// How long after a set at the latest the system has written preferences to the disk. Apple says that it does so by itself, not when; what is
    /// published of cfprefsd speaks of seconds.
    public var preferencesWrittenWithin = VirtualDuration.seconds(10)
    /// Whether `synchronize` makes what was set durable at once. Apple documents that it waits for pending updates, and no more than that.
    public var synchronizedPreferencesAreDurable = true
    /// Whether unlinking or renaming a file needs its class key.
    public var unlinkNeedsClassKey = false
    /// Whether names of files that differ in case alone are one, as on most Macs' volumes.
    public var diskIgnoresCase = false
    /// Whether the path of an app's container is another one after a reinstall.
    public var containerPathChangesOnReinstall = true
    /// Whether `Int` has 32 bits on the watches, as on those with arm64_32.
    ///
    /// The code under test runs with the host's 64 bits all the same. What depends on the width is narrowed where it meets the device: LocalData is told
    /// so (`DeviceDescribing.integerBitWidth`), a wider `Int` that an app hands to the session is cut as `Int(clamping:)` cuts it, and a wider
    /// number that it receives is none that `as? Int` takes.
    public var watchHas32BitInt = false

    /// Whether unpairing erases the watch: at once if it is within reach, else when it is to be paired again.
    public var unpairErasesWatch = true
    /// Whether what the phone has queued for a watch fails when the watch is unpaired (true), or is gone and its app is never told (false).
    public var unpairingFailsTransfers = true
    /// Whether the backup that a phone keeps of a watch holds the documents of its apps, and not their settings alone.
    public var watchBackupHoldsDocuments = false
    /// Whether a device stays paired whose backup was restored to new hardware. The watch is paired anew with a new phone, from its own backup.
    public var restoreKeepsPairing = false

    /// The defaults: what is most likely of real devices.
    public init() {}

    /// How many bits an `Int` of a device's apps has.
    func integerBitWidth(of device: DeviceID) -> Int { watchHas32BitInt && !device.isPhone ? 32 : Int.bitWidth }
}
