extension TraceEvent {
    /// What kind of thing happened. The raw values appear in traces and in scenario files; they are stable.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        // The device
        /// The device was switched on.
        case powerOn = "device.powerOn"
        /// The device was switched off in good order.
        case powerOff = "device.powerOff"
        /// The device lost power.
        case powerLoss = "device.powerLoss"
        /// The screen was locked.
        case lock = "device.lock"
        /// The screen was unlocked.
        case unlock = "device.unlock"
        /// A passcode was set.
        case passcodeSet = "device.passcodeSet"
        /// The passcode was removed.
        case passcodeRemoved = "device.passcodeRemoved"
        /// Faces or fingers were enrolled, changed or removed.
        case biometryChanged = "device.biometryChanged"
        /// The wall clock was set.
        case clockChanged = "device.clockChanged"
        /// The device was backed up.
        case backup = "device.backup"
        /// The device got what a backup holds.
        case restore = "device.restore"
        /// The app's complication or widget was put onto the watch's face or Smart Stack, or taken away.
        case complicationChanged = "device.complicationChanged"
        // The watch on the wrist
        /// The wrist is lowered: the screen goes off, or is dimmed (W113).
        case wristDown = "device.wristDown"
        /// The wrist was raised.
        case wristUp = "device.wristUp"
        /// The Digital Crown was pressed.
        case crown = "device.crown"
        /// The display is covered with the palm.
        case covered = "device.covered"
        /// The watch was taken off.
        case takenOff = "device.takenOff"
        /// The watch was put on.
        case putOn = "device.putOn"
        /// The complication on the face loads its data (W123).
        case complicationLoads = "device.complicationLoads"

        /// The watch was erased, because it was unpaired (W26).
        case erase = "device.erase"

        // The app
        /// The app was installed.
        case install = "app.install"
        /// The app was removed.
        case uninstall = "app.uninstall"
        /// The app was replaced by another version.
        case update = "app.update"
        /// A person opened the app: a new process.
        case launch = "app.launch"
        /// The system started the app: a new process.
        case launchInBackground = "app.launchInBackground"
        /// The system has started the app's process before anybody opened the app.
        case prewarm = "app.prewarm"
        /// The app came to the screen.
        case foreground = "app.foreground"
        /// The app left the screen.
        case background = "app.background"
        /// The app's code was stopped, its memory kept.
        case suspend = "app.suspend"
        /// The app's code runs again.
        case resume = "app.resume"
        /// A person uses the app: an action of a scenario begins.
        case appDoes = "app.does"
        /// A scenario looks at what the app shows, and finds what it expects or not: once, and again when that changes.
        case appShows = "app.shows"
        /// The process was ended in good order.
        case terminate = "app.terminate"
        /// The process crashed.
        case crash = "app.crash"
        /// The watch app was given a refresh task, to be completed when all content has come (W110).
        case backgroundTask = "app.backgroundTask"
        /// The app completed such a task.
        case backgroundTaskCompleted = "app.backgroundTaskCompleted"
        /// The app did not complete the task in time.
        case backgroundTaskExpired = "app.backgroundTaskExpired"
        /// A raised wrist does not show the app any more (W113, W115).
        case frontmostEnded = "app.frontmostEnded"
        /// A workout, or the like, lets the app run in the background (W117).
        case sessionBegan = "app.sessionBegan"
        /// That ended.
        case sessionEnded = "app.sessionEnded"
        /// The app computed (W124).
        case processorTime = "app.processorTime"
        /// Code of the app wrote a line to its log.
        case log = "app.log"
        /// The system killed the app: it would have been suspended while it held a lock on a file that other processes share (0xdead10cc).
        case killed = "app.killed"

        // The app's widget extension
        /// The widget's process began.
        case widgetLaunch = "widget.launch"
        /// The widget's code was stopped, its memory kept.
        case widgetSuspend = "widget.suspend"
        /// The widget's code runs again.
        case widgetResume = "widget.resume"
        /// The widget's process was ended.
        case widgetTerminate = "widget.terminate"
        /// The widget's process crashed.
        case widgetCrash = "widget.crash"
        /// As ``killed``, where the widget's process held the lock.
        case widgetKilled = "widget.killed"
        /// The app has asked for the widget's timeline to be made anew, and was granted that.
        case widgetReload = "widget.reload"
        /// It has asked, and today's reloads are spent (W153).
        case widgetReloadRefused = "widget.reloadRefused"

        // Storage, as app code asked for it
        /// A value was set, and acknowledged.
        case set = "storage.set"
        /// A value was read.
        case get = "storage.get"
        /// A value was removed, and acknowledged.
        case remove = "storage.remove"
        /// It was asked whether there is a value.
        case exists = "storage.exists"
        /// App code that follows a key's changes was told one, or at first what there is.
        case observed = "storage.observed"
        /// A migration was run.
        case migrate = "storage.migrate"
        /// Master keys were rotated.
        case rotate = "storage.rotate"
        /// Values were sealed anew.
        case reseal = "storage.reseal"
        /// Old master keys were retired.
        case retire = "storage.retire"
        /// It was asked what a rotation of the master keys would do.
        case plan = "storage.plan"
        /// The device was audited.
        case audit = "storage.audit"
        /// An operation failed, with the error's code.
        case failed = "storage.failed"

        // The link and the pair
        /// The devices came into range of each other.
        case linkUp = "link.up"
        /// The devices went out of range of each other.
        case linkDown = "link.down"
        /// A watch was paired.
        case pair = "link.pair"
        /// A watch was unpaired.
        case unpair = "link.unpair"
        /// A person puts on another watch (W12).
        case switchWatch = "link.switch"

        // The session
        /// The app called `activate()`.
        case activate = "session.activate"
        /// The app was told of the activation.
        case activated = "session.activated"
        /// The phone's session hands over to another watch: `sessionDidBecomeInactive`.
        case inactive = "session.inactive"
        /// The old watch's session is over on the phone: `sessionDidDeactivate`.
        case deactivated = "session.deactivated"
        /// The session refused a call, with the error.
        case sessionError = "session.error"
        /// The app was told that reachability changed.
        case reachabilityChanged = "session.reachabilityChanged"
        /// The phone's app was told that pairing, installation or complication changed.
        case watchStateChanged = "session.watchStateChanged"
        /// The watch's app was told that the phone's app was installed or removed.
        case companionAppInstalledChanged = "session.companionAppInstalledChanged"
        /// App code that observes the session's properties was told a change of one.
        case sessionObserved = "session.observed"
        /// The system would have called an optional method that the delegate does not have.
        case unimplemented = "session.unimplemented"
        /// A member of the other side's session was used.
        case misuse = "session.misuse"
        /// Something failed, and the app has no code that is told of it.
        case unobservedFailure = "session.unobservedFailure"

        // Application context
        /// The session took a context.
        case contextUpdated = "context.updated"
        /// The session took a context that is equal to the last one: nothing is sent (W48).
        case contextUnchanged = "context.unchanged"
        /// The session refused a context.
        case contextRefused = "context.refused"
        /// A context went onto the link.
        case contextSent = "context.sent"
        /// A context reached the other device.
        case contextArrived = "context.arrived"
        /// A context was given to the app's delegate.
        case contextDelivered = "context.delivered"
        /// A newer one came before it was sent, or before it was handed over: the app will never see it.
        case contextReplaced = "context.replaced"

        // Messages
        /// The session took a message.
        case messageSent = "message.sent"
        /// A message reached the other device.
        case messageArrived = "message.arrived"
        /// A message was given to the app's delegate.
        case messageDelivered = "message.delivered"
        /// The receiving app answered.
        case messageReplied = "message.replied"
        /// The answer was given to the sending app.
        case messageReplyDelivered = "message.replyDelivered"
        /// An answer that came twice, or too late.
        case messageReplyIgnored = "message.replyIgnored"
        /// The sending app was told that a message failed.
        case messageFailed = "message.failed"
        /// A message was lost, and nobody is told.
        case messageLost = "message.lost"

        // Transfers in the background. Complication infos are user infos.
        /// The session took a user info.
        case userInfoQueued = "userInfo.queued"
        /// A user info went onto the link.
        case userInfoSent = "userInfo.sent"
        /// A user info reached the other device.
        case userInfoArrived = "userInfo.arrived"
        /// A user info was given to the app's delegate.
        case userInfoDelivered = "userInfo.delivered"
        /// The sending app was told that it arrived.
        case userInfoFinished = "userInfo.finished"
        /// The sending app was told that a user info failed.
        case userInfoFailed = "userInfo.failed"
        /// The sending app cancelled a user info.
        case userInfoCancelled = "userInfo.cancelled"
        /// The session took a file.
        case fileQueued = "file.queued"
        /// A file went onto the link.
        case fileSent = "file.sent"
        /// A file reached the other device.
        case fileArrived = "file.arrived"
        /// A file was given to the app's delegate.
        case fileDelivered = "file.delivered"
        /// The sending app was told that it arrived.
        case fileFinished = "file.finished"
        /// The sending app was told that a file failed.
        case fileFailed = "file.failed"
        /// The sending app cancelled a file.
        case fileCancelled = "file.cancelled"

        // Sync, as LocalData reports it. Keys have the names under which they are stored.
        /// The session took a snapshot.
        case sync = "sync.sent"
        /// An entry of a snapshot was stored, or its deletion carried out.
        case applied = "sync.applied"
        /// This device has a newer version.
        case kept = "sync.kept"
        /// Both devices have this version.
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
        /// A storage operation failed because a fault said so.
        case fault = "scenario.fault"
    }
}

extension TraceEvent.Kind {
    /// Whether what comes after it, in the same piece of work, comes of it. What reports how something ended sets nothing off.
    var hasEffects: Bool {
        switch self {
        case .set, .get, .remove, .exists, .migrate, .rotate, .reseal, .retire, .plan, .audit, .failed: false
        case .sync, .applied, .kept, .equal, .putOff, .ignored, .refused, .outdated: false
        case .log, .appShows, .unimplemented, .misuse, .sessionObserved, .unobservedFailure, .contextReplaced: false
        case .powerOn, .powerOff, .powerLoss, .lock, .unlock, .passcodeSet, .passcodeRemoved, .biometryChanged, .clockChanged, .backup,
            .restore, .complicationChanged, .wristDown, .wristUp, .crown, .covered, .takenOff, .putOn, .complicationLoads, .erase,
            .install, .uninstall, .update, .launch, .launchInBackground, .prewarm, .foreground, .background, .suspend, .resume,
            .appDoes, .terminate, .crash, .backgroundTask, .backgroundTaskCompleted, .backgroundTaskExpired, .frontmostEnded,
            .sessionBegan, .sessionEnded, .processorTime, .killed, .widgetLaunch, .widgetSuspend, .widgetResume, .widgetTerminate,
            .widgetCrash, .widgetKilled, .widgetReload, .widgetReloadRefused, .observed, .linkUp, .linkDown, .pair, .unpair,
            .switchWatch, .activate, .activated, .inactive, .deactivated, .sessionError, .reachabilityChanged, .watchStateChanged,
            .companionAppInstalledChanged, .contextUpdated, .contextUnchanged, .contextRefused, .contextSent, .contextArrived,
            .contextDelivered, .messageSent, .messageArrived, .messageDelivered, .messageReplied, .messageReplyDelivered,
            .messageReplyIgnored, .messageFailed, .messageLost, .userInfoQueued, .userInfoSent, .userInfoArrived, .userInfoDelivered,
            .userInfoFinished, .userInfoFailed, .userInfoCancelled, .fileQueued, .fileSent, .fileArrived, .fileDelivered, .fileFinished,
            .fileFailed, .fileCancelled, .step, .fault:
            true
        }
    }
}
