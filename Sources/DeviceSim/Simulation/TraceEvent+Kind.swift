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

        // The app
        case install = "app.install"
        case uninstall = "app.uninstall"
        case update = "app.update"
        case launch = "app.launch"
        case launchInBackground = "app.launchInBackground"
        case foreground = "app.foreground"
        case background = "app.background"
        case suspend = "app.suspend"
        case resume = "app.resume"
        case terminate = "app.terminate"
        case crash = "app.crash"
        case log = "app.log"

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

        // The session
        case activate = "session.activate"
        case activated = "session.activated"
        case sessionError = "session.error"
        case reachabilityChanged = "session.reachabilityChanged"
        case watchStateChanged = "session.watchStateChanged"
        case companionAppInstalledChanged = "session.companionAppInstalledChanged"
        case unimplemented = "session.unimplemented"

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

        // Sync, as LocalData reports it
        case sync = "sync.sent"
        case applied = "sync.applied"

        // The scenario
        case step = "scenario.step"
        case fault = "scenario.fault"
    }
}
