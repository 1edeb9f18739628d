extension TraceEvent {
    /// What kind of thing happened. The raw values appear in traces and in scenario files; they are stable.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        // The device
        case powerOn = "device.powerOn"
        case powerOff = "device.powerOff"
        case powerLoss = "device.powerLoss"
        case lock = "device.lock"
        case unlock = "device.unlock"
        case passcodeSet = "device.passcodeSet"
        case passcodeRemoved = "device.passcodeRemoved"
        case biometryChanged = "device.biometryChanged"
        case clockChanged = "device.clockChanged"
        case backup = "device.backup"
        case restore = "device.restore"
        case complicationChanged = "device.complicationChanged"
        // The watch on the wrist
        /// The wrist is lowered: the screen goes off, or is dimmed (W113).
        case wristDown = "device.wristDown"
        case wristUp = "device.wristUp"
        case crown = "device.crown"
        /// The display is covered with the palm.
        case covered = "device.covered"
        case takenOff = "device.takenOff"
        case putOn = "device.putOn"
        /// The complication on the face loads its data (W123).
        case complicationLoads = "device.complicationLoads"

        /// The watch was erased, because it was unpaired (W26).
        case erase = "device.erase"

        // The app
        case install = "app.install"
        case uninstall = "app.uninstall"
        case update = "app.update"
        case launch = "app.launch"
        case launchInBackground = "app.launchInBackground"
        /// The system has started the app's process before anybody opened the app.
        case prewarm = "app.prewarm"
        case foreground = "app.foreground"
        case background = "app.background"
        case suspend = "app.suspend"
        case resume = "app.resume"
        case terminate = "app.terminate"
        case crash = "app.crash"
        /// The watch app was given a refresh task, to be completed when all content has come (W110).
        case backgroundTask = "app.backgroundTask"
        case backgroundTaskCompleted = "app.backgroundTaskCompleted"
        /// The app did not complete the task in time.
        case backgroundTaskExpired = "app.backgroundTaskExpired"
        /// A raised wrist does not show the app any more (W113, W115).
        case frontmostEnded = "app.frontmostEnded"
        /// A workout, or the like, lets the app run in the background (W117).
        case sessionBegan = "app.sessionBegan"
        case sessionEnded = "app.sessionEnded"
        /// The app computed (W124).
        case processorTime = "app.processorTime"
        case log = "app.log"
        /// The system killed the app: it would have been suspended while it held a lock on a file that other processes share (0xdead10cc).
        case killed = "app.killed"

        // The app's widget extension
        case widgetLaunch = "widget.launch"
        case widgetSuspend = "widget.suspend"
        case widgetResume = "widget.resume"
        case widgetTerminate = "widget.terminate"
        case widgetCrash = "widget.crash"
        /// As ``killed``, of the widget.
        case widgetKilled = "widget.killed"

        // Storage, as app code asked for it
        case set = "storage.set"
        case get = "storage.get"
        case remove = "storage.remove"
        case exists = "storage.exists"
        case migrate = "storage.migrate"
        case rotate = "storage.rotate"
        case reseal = "storage.reseal"
        case retire = "storage.retire"
        case audit = "storage.audit"
        case failed = "storage.failed"

        // The link and the pair
        case linkUp = "link.up"
        case linkDown = "link.down"
        case pair = "link.pair"
        case unpair = "link.unpair"
        /// A person puts on another watch (W12).
        case switchWatch = "link.switch"

        // The session
        case activate = "session.activate"
        case activated = "session.activated"
        /// The phone's session hands over to another watch: `sessionDidBecomeInactive`.
        case inactive = "session.inactive"
        /// The old watch's session is over on the phone: `sessionDidDeactivate`.
        case deactivated = "session.deactivated"
        case sessionError = "session.error"
        case reachabilityChanged = "session.reachabilityChanged"
        case watchStateChanged = "session.watchStateChanged"
        case companionAppInstalledChanged = "session.companionAppInstalledChanged"
        case unimplemented = "session.unimplemented"
        /// A member of the other side's session was used.
        case misuse = "session.misuse"
        /// Something failed, and the app has no code that is told of it.
        case unobservedFailure = "session.unobservedFailure"

        // Application context
        case contextUpdated = "context.updated"
        case contextUnchanged = "context.unchanged"
        case contextRefused = "context.refused"
        case contextSent = "context.sent"
        case contextArrived = "context.arrived"
        case contextDelivered = "context.delivered"
        /// A newer one came before it was sent, or before it was handed over: the app will never see it.
        case contextReplaced = "context.replaced"

        // Messages
        case messageSent = "message.sent"
        case messageArrived = "message.arrived"
        case messageDelivered = "message.delivered"
        /// The receiving app answered.
        case messageReplied = "message.replied"
        /// The answer was given to the sending app.
        case messageReplyDelivered = "message.replyDelivered"
        /// An answer that came twice, or too late.
        case messageReplyIgnored = "message.replyIgnored"
        case messageFailed = "message.failed"
        case messageLost = "message.lost"

        // Transfers in the background. Complication infos are user infos.
        case userInfoQueued = "userInfo.queued"
        case userInfoSent = "userInfo.sent"
        case userInfoArrived = "userInfo.arrived"
        case userInfoDelivered = "userInfo.delivered"
        /// The sending app was told that it arrived.
        case userInfoFinished = "userInfo.finished"
        case userInfoFailed = "userInfo.failed"
        case userInfoCancelled = "userInfo.cancelled"
        case fileQueued = "file.queued"
        case fileSent = "file.sent"
        case fileArrived = "file.arrived"
        case fileDelivered = "file.delivered"
        /// The sending app was told that it arrived.
        case fileFinished = "file.finished"
        case fileFailed = "file.failed"
        case fileCancelled = "file.cancelled"

        // Sync, as LocalData reports it. Keys have the names under which they are stored.
        /// The session took a snapshot.
        case sync = "sync.sent"
        /// An entry of a snapshot was stored, or its deletion carried out.
        case applied = "sync.applied"
        /// This device has a newer version.
        case kept = "sync.kept"
        case equal = "sync.equal"
        /// It cannot be stored for now, and is tried again.
        case putOff = "sync.deferred"
        /// The key is not known, or does not sync here.
        case ignored = "sync.ignored"
        /// An entry that cannot be stored, or (without a key) a snapshot that cannot be read.
        case refused = "sync.refused"
        /// A snapshot that is older than one applied already.
        case outdated = "sync.outdated"

        // The scenario
        /// A step begins.
        case step = "scenario.step"
        case fault = "scenario.fault"
    }
}
