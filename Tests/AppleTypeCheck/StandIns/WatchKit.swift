// What the checked sources use of Apple's WatchKit: background tasks and the delegate, as its public documentation declares them. watchOS only.

@_exported import Foundation

open class WKRefreshBackgroundTask: NSObject {
    open var userInfo: (any NSSecureCoding & NSObjectProtocol)? { nil }
    open var expirationHandler: (() -> Void)?
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {}
}

open class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask {}
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}

open class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask {
    open func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date?, userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) {}
}

open class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask {
    open var sessionIdentifier: String { "" }
}

public enum WKApplicationState: Int, Sendable { case active, inactive, background }

@MainActor open class WKApplication: NSObject {
    open class func shared() -> WKApplication { fatalError() }
    open var applicationState: WKApplicationState { .active }
}

@MainActor public protocol WKApplicationDelegate: NSObjectProtocol {
    func applicationDidFinishLaunching()
    func applicationDidBecomeActive()
    func applicationWillResignActive()
    func applicationWillEnterForeground()
    func applicationDidEnterBackground()
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
}

extension WKApplicationDelegate {
    public func applicationDidFinishLaunching() {}
    public func applicationDidBecomeActive() {}
    public func applicationWillResignActive() {}
    public func applicationWillEnterForeground() {}
    public func applicationDidEnterBackground() {}
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {}
}
