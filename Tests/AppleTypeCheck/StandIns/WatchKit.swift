// The background tasks of Apple's WatchKit, as its public documentation declares them. watchOS only.

import Foundation

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
