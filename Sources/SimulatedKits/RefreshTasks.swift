public import Foundation

@_exported public import class DeviceSimCore.ConnectivityRefreshTask
@_exported public import class DeviceSimCore.RefreshTask

/// What the system gives a watch app that it starts in the background, as WatchKit has it. The app is suspended once it has completed all of them.
public typealias WKRefreshBackgroundTask = RefreshTask

/// A task for content from the phone (W110).
public typealias WKWatchConnectivityRefreshBackgroundTask = ConnectivityRefreshTask

/// A task with which the app refreshes itself.
public final class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {
    private let task: ConnectivityRefreshTask

    /// One that stands for what the device has given.
    init(_ task: ConnectivityRefreshTask) {
        self.task = task
    }

    public override var expirationHandler: (() -> Void)? {
        get { task.expirationHandler }
        set { task.expirationHandler = newValue }
    }

    public override func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) { task.setTaskCompletedWithSnapshot(refreshSnapshot) }
}

/// A task for a picture of the app. Never given in a simulation.
public final class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {
    /// Whether the app should go back to its first screen.
    public let returnToDefaultState = false

    /// The app is done.
    public func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) { setTaskCompletedWithSnapshot(false) }
}

/// A task for a download that ended. Never given in a simulation.
public final class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {
    /// Which session's.
    public let sessionIdentifier = ""
}

/// A task for shortcuts that may have changed. Never given in a simulation.
public final class WKRelevantShortcutRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {}
/// A task after an intent ran. Never given in a simulation.
public final class WKIntentDidRunRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {}
