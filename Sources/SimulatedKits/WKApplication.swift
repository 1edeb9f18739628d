internal import DeviceSimCore
public import Foundation
internal import SimulatedSystem

/// Where a watch app is.
public enum WKApplicationState: Int, Sendable {
    /// In front, and getting events.
    case active
    /// In front, and getting none.
    case inactive
    /// Not in front.
    case background
}

/// The running watch app, as WatchKit has it.
@MainActor public final class WKApplication: NSObject {
    /// Is told of the app's life.
    public var delegate: (any WKApplicationDelegate)?
    /// Kept for the app. Decides nothing in a simulation.
    public var isAutorotating = false
    /// Kept for the app. A scenario says what keeps the app in front.
    public var isFrontmostTimeoutExtended = false

    /// The app of the process whose code is running.
    public static func shared() -> WKApplication { SystemShims.processLocal("WKApplication.shared") { WKApplication() } }

    /// Where the app is, by the simulated device.
    public var applicationState: WKApplicationState {
        switch ProcessContext.current?.device?.process?.state {
        case .foreground: .active
        case .background, .suspended, nil: .background
        }
    }

    /// Whether the app is one that needs no phone app.
    public var isRunningInDock: Bool { false }

    /// Is recorded, and calls back without an error. A scenario says when the app is refreshed in the background.
    public func scheduleBackgroundRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ProcessContext.current?.record(
            .log, .init("call", .text("scheduleBackgroundRefresh")),
            .init("in", .text("\(Int(preferredFireDate.timeIntervalSince(SystemShims.now).rounded())) s")))
        SystemShims.DispatchQueue.main.async { scheduledCompletion(nil) }
    }

    /// Posted after the launch.
    nonisolated public static let didFinishLaunchingNotification = Notification.Name("WKApplicationDidFinishLaunchingNotification")
    /// Posted when the app is in front.
    nonisolated public static let didBecomeActiveNotification = Notification.Name("WKApplicationDidBecomeActiveNotification")
    /// Posted before the app leaves the front.
    nonisolated public static let willResignActiveNotification = Notification.Name("WKApplicationWillResignActiveNotification")
    /// Posted when the app has left the front.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name("WKApplicationDidEnterBackgroundNotification")
    /// Posted before the app comes to the front again.
    nonisolated public static let willEnterForegroundNotification = Notification.Name("WKApplicationWillEnterForegroundNotification")
}

/// Is told of a watch app's life, as WatchKit has it. Each method may be left out.
@MainActor public protocol WKApplicationDelegate: NSObjectProtocol {
    /// The app is launched.
    func applicationDidFinishLaunching()
    /// The app is in front.
    func applicationDidBecomeActive()
    /// The app is about to leave the front.
    func applicationWillResignActive()
    /// The app is about to come to the front again.
    func applicationWillEnterForeground()
    /// The app has left the front.
    func applicationDidEnterBackground()
    /// The system has started or resumed the app for these.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
    /// Not called in a simulation.
    func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any], fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void)
    /// Not called in a simulation.
    func deviceOrientationDidChange()
}

/// The older name of the same.
@MainActor public protocol WKExtensionDelegate: WKApplicationDelegate {}

extension WKApplicationDelegate {
    public func applicationDidFinishLaunching() {}
    public func applicationDidBecomeActive() {}
    public func applicationWillResignActive() {}
    public func applicationWillEnterForeground() {}
    public func applicationDidEnterBackground() {}
    /// What a delegate without the method leaves to the system: the tasks are completed.
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks { task.setTaskCompletedWithSnapshot(false) }
    }
    public func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any], fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }
    public func deviceOrientationDidChange() {}
}

/// What came of a fetch in the background.
public enum WKBackgroundFetchResult: UInt, Sendable {
    /// There was something new.
    case newData
    /// There was nothing.
    case noData
    /// It failed.
    case failed
}

/// The running watch app by its older name.
@MainActor public final class WKExtension: NSObject {
    /// Is told of the app's life.
    public var delegate: (any WKExtensionDelegate)? {
        get { WKApplication.shared().delegate as? any WKExtensionDelegate }
        set { WKApplication.shared().delegate = newValue }
    }

    /// The app of the process whose code is running.
    public static func shared() -> WKExtension { SystemShims.processLocal("WKExtension.shared") { WKExtension() } }
    /// Where the app is, by the simulated device.
    public var applicationState: WKApplicationState { WKApplication.shared().applicationState }

    /// As ``WKApplication/scheduleBackgroundRefresh(withPreferredDate:userInfo:scheduledCompletion:)``.
    public func scheduleBackgroundRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        WKApplication.shared().scheduleBackgroundRefresh(
            withPreferredDate: preferredFireDate, userInfo: userInfo, scheduledCompletion: scheduledCompletion)
    }
}
